/** Contracts in the database as their customers and the shop's workflows hear of them, and end them. */
import { z } from "zod";
import { isInsurable } from "#app/orders/quote-conditions.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { itemStates } from "#app/orders/ledger/item-states.ts";
import { insuredAt, joinCategory } from "#app/orders/ledger/items.server.ts";
import { contractsOfOrder } from "#app/orders/plan-rows.server.ts";
import type { FlowState } from "./next-step.ts";

// Mails and workflows.

const mailedRow = z.object({
  lineId: z.string(),
  itemNumber: z.int(),
  mailedAt: z.coerce.date(),
  orderName: z.string(),
  /** the order's language, or the shop's */
  language: z.string(),
  shopName: z.string(),
  /** null: what it was sold by is not known any more */
  categoryId: z.string().nullable(),
  formula: z.string().nullable(),
  /** the offer's price, before discounts, where it is paid for each month; null: it was paid once */
  monthlyPriceMinor: z.int().nullable(),
  /** what the insurer says that it covers */
  bullets: z.array(z.string()).nullable(),
  settings: storefrontSettings.nullable(),
  /** something of the order is not insured, and can be */
  isInsurable: z.boolean(),
});
export type MailedRow = z.infer<typeof mailedRow>;

/** @param keys `line-item` of each; @returns those that this transaction is the first to mail */
export async function markMailed(
  tx: Transaction,
  shop: string,
  orderId: string,
  keys: readonly string[],
): Promise<MailedRow[]> {
  const rows = await tx.$queryRaw`
    WITH mailed AS (
      UPDATE "InsuredItem" AS u SET "mailedAt" = now()
      WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."mailedAt" IS NULL
        AND u."lineId" || '-' || u."itemNumber" = ANY(${keys})
      RETURNING u.*
    )
    SELECT u."lineId", u."itemNumber", u."mailedAt", o.name AS "orderName", m.name AS "shopName",
      COALESCE(o.language, m.locale) AS language, c."categoryId", r.formula,
      CASE WHEN r.billing = 'monthly' THEN u."offerPriceMinor" END AS "monthlyPriceMinor",
      c.marketing->'modal'->'bulletPoints' AS bullets,
      (SELECT s.settings FROM "StorefrontSettings" AS s WHERE s.shop = u.shop) AS settings, ${isInsurable} AS "isInsurable"
    FROM mailed AS u
      JOIN "Order" AS o ON o.shop = u.shop AND o."orderId" = u."orderId"
      JOIN "Merchant" AS m ON m.shop = u.shop
      ${joinCategory}
    ORDER BY u."lineId", u."itemNumber"`;
  return z.array(mailedRow).parse(rows);
}

const notifiedRows = z.array(z.object({ lineId: z.string(), itemNumber: z.int() }));

/** @returns those whose state the shop's workflows were not told */
export async function markNotified(
  tx: Transaction,
  shop: string,
  orderId: string,
  items: readonly { lineId: string; itemNumber: number; flowState: FlowState | null }[],
): Promise<z.infer<typeof notifiedRows>> {
  const rows = await tx.$queryRaw`
    UPDATE "InsuredItem" AS u SET "flowState" = due."flowState"
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS due("lineId" text, "itemNumber" int, "flowState" text)
    WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = due."lineId"
      AND u."itemNumber" = due."itemNumber" AND u."flowState" IS DISTINCT FROM due."flowState"
    RETURNING u."lineId", u."itemNumber"`;
  return notifiedRows.parse(rows);
}

// What the customer's page for claims shows.

/** Contracts that the page lists. */
const MOST_CONTRACTS = 100;

const contractRow = z.object({
  name: z.string(),
  purchasedAt: z.coerce.date(),
  environment,
  isSoldByPreviousStore: z.boolean(),
  contractId: z.string(),
  planTitle: z.string(),
  insuredTitle: z.string().nullable(),
  insuredPriceMinor: z.int().nullable(),
  insuredCurrency: z.string().nullable(),
  expiresOn: z.string().nullable(),
  insurerPage: z.string().nullable(),
});

export async function readContractsInForce(
  shop: string,
  orderId: string,
): Promise<z.infer<typeof contractRow>[]> {
  const rows = await db.$queryRaw`
    SELECT o.name, o."purchasedAt", o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore", contract.*
    FROM "Order" AS o CROSS JOIN LATERAL ${contractsOfOrder} AS contract
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId} AND NOT contract."isCancelled"
    ORDER BY contract."lineId", contract."itemNumber" LIMIT ${MOST_CONTRACTS}`;
  return z.array(contractRow).parse(rows);
}

// Withdrawal.

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
