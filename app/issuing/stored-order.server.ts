/** What the reconciler reads of an order beside its book: its account, its sealed customer, and settings. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import {
  connectionColumn,
  isSoldByPreviousStore,
  shopModes,
  shopModesColumn,
  storedConnection,
} from "#app/merchants/merchant.server.ts";
import { quoteTerms, quoteTermsColumn } from "#app/quotes/of-orders/quote-terms.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

export const storedOrder = z.object({
  orderId: z.string(),
  environment,
  /** another store was connected when it was bought: its contracts are that one's */
  isSoldByPreviousStore: z.boolean(),
  /** when the database was restored to a moment after which it may have been worked on; null: never */
  restoredAt: z.coerce.date().nullable(),
  sealedCustomer: z.string().nullable(),
  revision: z.int(),
  /** its account is paused: requests to the insurer wait (account.server.ts) */
  isPaused: z.boolean(),
  /** null: the merchant is not connected */
  connection: storedConnection.nullable(),
  shopModes: shopModes.nullable(),
  /** null: the shop does not have the app */
  quoteTerms: quoteTerms.nullable(),
  now: z.coerce.date(),
});
export type StoredOrder = z.infer<typeof storedOrder>;

/** The columns of the order `o`. */
export const orderColumns = Prisma.sql`
  o."orderId", o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore",
  (SELECT max(r.at) FROM "Restore" AS r WHERE r.at >= o."purchasedAt") AS "restoredAt", o."sealedCustomer", o.revision,
  EXISTS (
    SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment) AS "isPaused",
  ${connectionColumn} AS connection, ${shopModesColumn} AS "shopModes", now() AS now,
  ${quoteTermsColumn} AS "quoteTerms"`;
