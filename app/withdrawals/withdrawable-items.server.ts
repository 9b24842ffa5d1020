/** The items of an order that its customer may withdraw from. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { itemStates } from "#app/orders/book/item-states.ts";
import { db } from "#app/platform/db.server.ts";

const itemRow = z.object({
  lineId: z.string(),
  itemNumber: z.int(),
  state: z.enum(itemStates),
  wanted: z.boolean(),
  withdrawnAt: z.coerce.date().nullable(),
  expiresOn: z.string().nullable(),
  insuredAt: z.coerce.date().nullable(),
  planTitle: z.string(),
  insuredTitle: z.string().nullable(),
  contractId: z.string().nullable(),
  premiumMinor: z.int(),
  currency: z.string(),
});

const orderRow = z.object({
  name: z.string(),
  language: z.string().nullable(),
  sealedCustomer: z.string().nullable(),
  environment,
  isCancelled: z.boolean(),
  isPaid: z.boolean(),
  isSoldByPreviousStore: z.boolean(),
  items: z.array(itemRow),
});

/** Limit of items that the page lists; a person handles a larger order. */
const MOST_ITEMS = 100;

export async function readWithdrawalOrder(
  shop: string,
  orderId: string,
): Promise<z.infer<typeof orderRow> | null> {
  const rows = await db.$queryRaw`
    SELECT o.name, o.language, o."sealedCustomer", o.environment, o."cancelledAt" IS NOT NULL AS "isCancelled",
      o."paidAt" IS NOT NULL AS "isPaid", ${isSoldByPreviousStore} AS "isSoldByPreviousStore", (
      SELECT COALESCE(jsonb_agg(item ORDER BY item."lineId", item."itemNumber"), '[]') FROM (
        SELECT u."lineId", u."itemNumber", u.state, u.wanted, u."withdrawnAt",
          u."expiresOn", u."planTitle", u."insuredTitle", u."contractId", u."premiumMinor", u.currency,
          u."insuredAt"
        FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId"
        ORDER BY u."lineId", u."itemNumber" LIMIT ${MOST_ITEMS}
      ) AS item) AS items
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(orderRow).max(1).parse(rows)[0] ?? null;
}
