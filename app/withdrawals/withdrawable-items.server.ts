/** The items of an order that its customer may withdraw from: read, and marked as withdrawn. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { itemStates } from "#app/orders/book/item-states.ts";
import { insuredAt } from "#app/orders/ledger/items.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";

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
          ${insuredAt} AS "insuredAt"
        FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId"
        ORDER BY u."lineId", u."itemNumber" LIMIT ${MOST_ITEMS}
      ) AS item) AS items
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(orderRow).max(1).parse(rows)[0] ?? null;
}

const declared = z.array(
  z.object({
    lineId: z.string(),
    itemNumber: z.int(),
    wanted: z.boolean(),
    planTitle: z.string(),
    contractId: z.string().nullable(),
    premiumMinor: z.int(),
    currency: z.string(),
    withdrawnAt: z.coerce.date(),
  }),
);

/**
 * @param keys `line-item` of each that the customer withdraws from
 * @param ending those of them that end now; a person looks at the others first
 * @returns those that were not declared before
 */
export async function markWithdrawn(
  tx: Transaction,
  shop: string,
  orderId: string,
  keys: readonly string[],
  ending: readonly string[],
): Promise<z.infer<typeof declared>> {
  const rows = await tx.$queryRaw`
    WITH declared AS (
      UPDATE "InsuredItem" AS u SET "withdrawnAt" = now(), "changedAt" = now(),
        wanted = NOT u."lineId" || '-' || u."itemNumber" = ANY(${ending}),
        "endedInOrder" = u."lineId" || '-' || u."itemNumber" = ANY(${ending})
      WHERE u.shop = ${shop} AND u."orderId" = ${orderId}
        AND u."lineId" || '-' || u."itemNumber" = ANY(${keys})
        AND u.wanted AND u."withdrawnAt" IS NULL AND u.state <> 'cancelled'
      RETURNING u.*
    ), written AS (
      INSERT INTO "ItemHistory" (shop, "orderId", "lineId", "itemNumber", before, after, cause, attempt)
      SELECT shop, "orderId", "lineId", "itemNumber", state, state, 'customer_withdrew', attempt FROM declared
    )
    SELECT "lineId", "itemNumber", wanted, "planTitle", "contractId", "premiumMinor", currency, "withdrawnAt"
    FROM declared
    ORDER BY "lineId", "itemNumber"`;
  return declared.parse(rows);
}
