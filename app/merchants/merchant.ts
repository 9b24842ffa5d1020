import type { Locale } from "#app/platform/locale.ts";
import type { OrderAccess } from "#app/shopify/order-access.ts";
import type { ConnectionState, Environment } from "./connection.ts";

/** A shop that has, or had, the app. */
export interface Merchant {
  /** `demo.myshopify.com` */
  shop: string;
  name: string;
  /** ISO 4217; empty until the shop was read */
  currency: string;
  /** ISO 3166-1: where the shop is; empty until the shop was read */
  country: string;
  /** IANA name, such as `Europe/Paris` */
  timezone: string;
  /** the language in which the admin was opened last */
  locale: Locale;
  /** which of its accounts at the insurer the shop uses */
  environment: Environment;
  /** the account to which the shop is switching: its catalogue is synced first */
  nextEnvironment: Environment | null;
  /** what the insurer's last answer says of the account in use; null: none is connected */
  account: ConnectionState | null;
  /** the merchant has paused the sale of insurance */
  isPaused: boolean;
  /** https address of the merchant's account at the insurer; null: not entered */
  accountUrl: string | null;
  /** what Shopify let the app read of orders at the last query */
  orderAccess: OrderAccess;
  /** the shop is on Shopify Plus, or is a development store, which has what Plus has */
  hasPlusFeatures: boolean;
  installedAt: Date;
  /** null while the shop has the app */
  uninstalledAt: Date | null;
}

/** As the insurer takes a seller's name (spec, "Lead"): in two parts. */
export interface Seller {
  firstName: string;
  lastName: string;
}

/** A name in two parts, the first word first; null where the text has no two words, such as an e-mail address. */
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
 * Whether a shop sells insurance now: an account that cannot take contracts must not leave offers in the shop. An outage
 * does not stop the sale, because paid orders only wait.
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
