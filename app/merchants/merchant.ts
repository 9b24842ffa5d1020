import type { Locale } from "#app/platform/locale.ts";
import type { OrderAccess } from "#app/shopify/order-access.ts";
import type { ConnectionState, Environment } from "./connection.ts";

/** A shop that has, or had, the app. */
export interface Merchant {
  /** `demo.myshopify.com` */
  shop: string;
  name: string;
  /** ISO 4217; empty before the shop is read */
  currency: string;
  /** the shop's country, ISO 3166-1; empty before the shop is read */
  country: string;
  /** IANA name, such as `Europe/Paris` */
  timezone: string;
  /** the language of the admin's last visit */
  locale: Locale;
  /** the environment of the account in use */
  environment: Environment;
  /** the account of a pending switch: its catalogue is synced first */
  nextEnvironment: Environment | null;
  /** the state of the account in use after the insurer's last answer; null: not connected */
  account: ConnectionState | null;
  /** the merchant has paused the sale of insurance */
  isPaused: boolean;
  /** https address of the merchant's account at the insurer; null: not entered */
  accountUrl: string | null;
  /** the app's access to orders at the last query of Shopify */
  orderAccess: OrderAccess;
  /** the shop is on Shopify Plus, or is a development store with the features of Plus */
  hasPlusFeatures: boolean;
  installedAt: Date;
  /** null while the shop has the app */
  uninstalledAt: Date | null;
}

/** A seller's name in two parts, as the insurer requires (spec, "Lead"). */
export interface Seller {
  firstName: string;
  lastName: string;
}

/** Splits a name after its first word; null if the text has fewer than two words, such as an e-mail address. */
export function readSeller(name: string | null): Seller | null {
  const [, firstName, lastName] = /^(\S+)\s+(\S.*)$/.exec(name?.trim() ?? "") ?? [];
  return firstName === undefined || lastName === undefined ? null : { firstName, lastName };
}

export const sellerName = ({ firstName, lastName }: Seller): string => `${firstName} ${lastName}`;

/** Why a shop sells no insurance. */
export type SellingStop =
  /** there is no account in the environment in use */
  | "disconnected"
  /** the insurer does not accept its token */
  | "refused"
  /** the merchant has paused the sale */
  | "paused";

/**
 * Whether a shop sells insurance now. An account that cannot take contracts must not leave offers in the shop. An
 * outage does not stop the sale, because paid orders can wait.
 * @param account state of the account in use; null: there is none
 */
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
