/** The order as the reconciler reads it from the database: its columns, items, lines and quotes in one statement. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import {
  connectionColumn,
  isSoldByPreviousStore,
  shopModes,
  shopModesColumn,
  storedConnection,
} from "#app/merchants/merchant.server.ts";
import { insuredAt, type Item, itemRow } from "#app/orders/ledger/items.server.ts";
import {
  orderQuotes,
  orderQuotesColumn,
  soldQuote,
  soldQuotesColumn,
} from "#app/orders/quote-conditions.server.ts";
import { salesRecordStatuses } from "#app/orders/sales-record.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { flowStates, type GoodsLine } from "./next-step.ts";

/** An item with what its customer is shown of it. */
const workingItem = itemRow.extend({
  /** when its contract was created or found */
  insuredAt: z.coerce.date().nullable(),
  termMonths: z.int().nullable(),
  /** addresses of the category's legal documents at the moment of sale */
  conditionsUrl: z.string().nullable(),
  ipidUrl: z.string().nullable(),
  /** when its customer was mailed what they have */
  mailedAt: z.coerce.date().nullable(),
  /** when its customer declared that they withdraw from it */
  withdrawnAt: z.coerce.date().nullable(),
  flowState: z.enum(flowStates).nullable(),
});
const soldLine = z.object({
  lineId: z.string(),
  variantId: z.string().nullable(),
  productId: z.string().nullable(),
  priceMinor: z.int(),
  currency: z.string(),
  categoryId: z.string(),
  insuranceOffered: z.boolean(),
  insuranceSelected: z.boolean(),
});

const goodsLine = z.object({
  lineId: z.string(),
  requiresShipping: z.boolean(),
  fulfilledQuantity: z.int(),
}) satisfies z.ZodType<GoodsLine>;

/** The order as the database has it. */
export const storedOrder = z.object({
  orderId: z.string(),
  purchasedAt: z.coerce.date(),
  paidAt: z.coerce.date().nullable(),
  cancelledAt: z.coerce.date().nullable(),
  paymentMethod: z.string(),
  salesChannel: z.string(),
  salesRecordStatus: z.enum(salesRecordStatuses),
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
  /** digest of the cover that the order shows */
  coverDigest: z.string().nullable(),
  quotes: orderQuotes,
  soldQuotes: z.array(soldQuote),
  now: z.coerce.date(),
  items: z.array(workingItem),
  goods: z.array(goodsLine),
  /** its products, while the sales record is to be sent */
  lines: z.array(soldLine),
});
export type StoredOrder = z.infer<typeof storedOrder>;

/** The columns of the order `o`, but for its items and lines. */
export const orderColumns = Prisma.sql`
  o."orderId", o."purchasedAt", o."paidAt", o."cancelledAt", o."paymentMethod", o."salesChannel", o."salesRecordStatus",
  o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore",
  (SELECT max(r.at) FROM "Restore" AS r WHERE r.at >= o."purchasedAt") AS "restoredAt", o."sealedCustomer", o.revision,
  EXISTS (
    SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment) AS "isPaused",
  ${connectionColumn} AS connection, ${shopModesColumn} AS "shopModes", o."coverDigest", now() AS now,
  ${soldQuotesColumn} AS "soldQuotes"`;

/** The items and lines of the order `o`. */
export const linesAndItems = Prisma.sql`
  (SELECT COALESCE(jsonb_agg(to_jsonb(u) || jsonb_build_object('insuredAt', ${insuredAt})
      ORDER BY u."lineId", u."itemNumber"), '[]')
    FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS items,
  (SELECT COALESCE(jsonb_agg(to_jsonb(line) ORDER BY line."lineId"), '[]') FROM "OrderLine" AS line
    WHERE line.shop = o.shop AND line."orderId" = o."orderId" AND o."salesRecordStatus" = 'none') AS lines,
  (SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', line."lineId", 'requiresShipping', line."requiresShipping",
      'fulfilledQuantity', line."fulfilledQuantity")), '[]')
    FROM "OrderLine" AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId") AS goods,
  ${orderQuotesColumn} AS quotes`;

export async function readStoredOrder(shop: string, orderId: string): Promise<StoredOrder | null> {
  const rows = await db.$queryRaw`
    SELECT ${orderColumns}, ${linesAndItems}
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(storedOrder).max(1).parse(rows)[0] ?? null;
}

export const isSameItem = (a: Pick<Item, "lineId" | "itemNumber">, b: Pick<Item, "lineId" | "itemNumber">) =>
  a.lineId === b.lineId && a.itemNumber === b.itemNumber;
