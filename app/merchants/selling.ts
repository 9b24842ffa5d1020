/**
 * Whether a shop sells insurance now. Derived from the account in use and the merchant's pause: an account that cannot
 * take contracts must not leave offers in the shop. An outage does not stop the sale, because paid orders only wait.
 */
import type { ConnectionState } from "./connection.ts";

/** Why a shop sells no insurance. */
export type SellingStop =
  /** there is no account in the environment in use */
  | "disconnected"
  /** the service does not accept its token */
  | "refused"
  /** the merchant has paused the sale */
  | "paused";

/** @param account state of the account in use; null: there is none */
export function sellingStopOf({
  account,
  isPaused,
}: {
  account: ConnectionState | null;
  isPaused: boolean;
}): SellingStop | null {
  if (account === null) return "disconnected";
  if (account === "refused") return "refused";
  return isPaused ? "paused" : null;
}
