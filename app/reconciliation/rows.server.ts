/** The statements of reconciliation that are written in SQL, with what they return. */
import { z } from "zod";
import { hasOpenJob } from "#app/jobs/queue-tables.server.ts";
import { isSoldByPreviousStore, merchantShops } from "#app/merchants/merchant.server.ts";
import { reasons } from "#app/orders/ledger/item-states.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { reconciliationCounts, reconciliationKinds, reconciliationStates } from "./reconciliation.ts";

export const runRow = z.object({
  id: z.string(),
  kind: z.enum(reconciliationKinds),
  from: z.coerce.date(),
  until: z.coerce.date(),
  state: z.enum(reconciliationStates),
  /** orders in the range; null while it is not known */
  total: z.int().nullable(),
  counts: reconciliationCounts,
  /** why it waits; it resumes by itself */
  error: z.string().nullable(),
  createdAt: z.coerce.date(),
  finishedAt: z.coerce.date().nullable(),
});
export type ReconciliationRunRow = z.infer<typeof runRow>;

/** Webhooks may be late, and Shopify's clock differs from ours: the ranges of two runs overlap by this much. */
const OVERLAP_MS = 15 * 60_000;
/** Shops whose runs are stored by one statement. */
const SHOPS_AT_ONCE = 500;

/**
 * Stores the hourly runs of the next shops.
 * @param after the last shop of the previous ones
 * @returns the new runs and those that had lost their job, by shop
 */
export async function storeDueRuns(
  tx: Transaction,
  after: string,
  now: Date,
): Promise<{ shop: string; runId: string }[]> {
  const rows = await tx.$queryRaw`
    WITH due AS (
      SELECT m.shop, m."installedAt", last.id, last.state, last."from", last.until
      FROM "Merchant" AS m LEFT JOIN LATERAL (
        SELECT * FROM "ReconciliationRun" AS r WHERE r.shop = m.shop AND r.kind = 'hourly'
        ORDER BY r."createdAt" DESC LIMIT 1
      ) AS last ON true
      WHERE m."uninstalledAt" IS NULL AND m.shop > ${after} AND NOT (
        last.state IN ('queued', 'running') AND ${hasOpenJob("reconciliation", { runId: Prisma.sql`last.id` })})
      ORDER BY m.shop LIMIT ${SHOPS_AT_ONCE}
    ), stored AS (
      INSERT INTO "ReconciliationRun" (id, shop, kind, "from", until)
      SELECT gen_random_uuid()::text, shop, 'hourly',
        (CASE WHEN state = 'done' THEN until ELSE COALESCE("from", "installedAt") END) - ${OVERLAP_MS} * interval '1 millisecond', ${now}
      FROM due WHERE state IS NULL OR state NOT IN ('queued', 'running')
      RETURNING shop, id
    )
    SELECT shop, id AS "runId" FROM stored
    UNION ALL SELECT shop, id FROM due WHERE state IN ('queued', 'running')
    ORDER BY shop`;
  return z.array(z.object({ shop: z.string(), runId: z.string() })).parse(rows);
}

/** Deletes hourly runs of all shops that are older than a moment. @returns how many */
export function deleteHourlyRuns(before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "ReconciliationRun" WHERE id IN (
      SELECT r.id FROM (${merchantShops}) AS m JOIN "ReconciliationRun" AS r USING (shop)
      WHERE r.kind = 'hourly' AND r."createdAt" < ${before} LIMIT ${limit})`;
}

const orderIds = z.array(z.object({ orderId: z.string() }));

/** Orders with an item that has been on its way to a contract, or to its end, since before a moment. */
export async function findStuckOrders(shop: string, before: Date): Promise<{ orderId: string }[]> {
  const rows = await db.$queryRaw`
    SELECT DISTINCT u."orderId" FROM "InsuredItem" AS u JOIN "Order" AS o USING (shop, "orderId")
    WHERE u.shop = ${shop} AND u."changedAt" < ${before} AND o."paidAt" IS NOT NULL
      AND (u.state IN ('pending', 'creating', 'unknown', 'cancelling')
        OR u.state IN ('active', 'refused') AND (NOT u.wanted OR o."cancelledAt" IS NOT NULL))
    LIMIT 1000`;
  return orderIds.parse(rows);
}

/** Those of the orders whose contracts can be compared: of the stores that are connected now. */
export async function findComparableOrders(shop: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw`
    SELECT o."orderId" FROM "Order" AS o
    WHERE o.shop = ${shop} AND o."orderId" = ANY(${[...ids]}) AND NOT ${isSoldByPreviousStore}`;
  return orderIds.parse(rows).map(({ orderId }) => orderId);
}

/** Each contract in force is compared again within this time: a month has days to spare for hours without a run. */
const COMPARED_WITHIN_HOURS = 28 * 24;
const MAX_CONTRACTS = 1_000;

/** The orders of the contracts that were compared longest ago: an hour's share of all. */
export async function findOrdersComparedLongestAgo(shop: string): Promise<string[]> {
  const rows = await db.$queryRaw`
    SELECT DISTINCT "orderId" FROM (
      SELECT u."orderId" FROM "InsuredItem" AS u
      WHERE u.shop = ${shop} AND u."contractId" IS NOT NULL AND u.state IN ('active', 'attention')
        AND u."comparedAt" < now() - interval '1 day'
      ORDER BY u."comparedAt"
      LIMIT (SELECT LEAST(${MAX_CONTRACTS}, ceil(count(*)::float / ${COMPARED_WITHIN_HOURS}::float))::int
        FROM "InsuredItem" AS each
        WHERE each.shop = ${shop} AND each."contractId" IS NOT NULL AND each.state IN ('active', 'attention'))
    ) AS due`;
  return orderIds.parse(rows).map(({ orderId }) => orderId);
}

/** Far more than were ever missing; the next run opens the rest. */
const MAX_TASKS = 1_000;

const uncoveredItems = z.array(
  z.object({
    orderId: z.string(),
    lineId: z.string(),
    itemNumber: z.int(),
    reason: z.enum(reasons).nullable(),
    planTitle: z.string(),
    sealedCustomer: z.string().nullable(),
    /** what the insurer said when it refused the item, or was unclear about it */
    refusal: z.string().nullable(),
    /** of the task that was closed, where there is one */
    details: z.unknown(),
  }),
);
export type UncoveredItem = z.infer<typeof uncoveredItems>[number];

/** The paid items that are to be insured, have no contract, and no open task. */
export async function readUncoveredItems(tx: Transaction, shop: string): Promise<UncoveredItem[]> {
  const rows = await tx.$queryRaw`
    SELECT waiting.*, task.details FROM (
      SELECT u."orderId", u."lineId", u."itemNumber", u.reason, u."planTitle", o."sealedCustomer",
        (SELECT h.note FROM "ItemHistory" AS h WHERE h.shop = u.shop AND h."orderId" = u."orderId"
          AND h."lineId" = u."lineId" AND h."itemNumber" = u."itemNumber" AND h.cause IN ('refused', 'doubted')
          ORDER BY h.id DESC LIMIT 1) AS refusal,
        CASE u.reason WHEN 'missing_customer_data' THEN 'customer_data:' || u."orderId"
          WHEN 'customer_erased' THEN 'customer_erased:' || u."orderId" || ':' || u."lineId" || ':' || u."itemNumber"
          WHEN 'refused_by_insurer' THEN 'plan_refused:' || u."orderId" || ':' || u."lineId" || ':' || u."itemNumber"
          WHEN 'contract_unclear' THEN 'contract_unclear:' || u."orderId" || ':' || u."lineId" || ':' || u."itemNumber"
          ELSE 'check_plan:' || u."orderId" || ':' || u."lineId" || ':' || u.reason END AS key
      FROM "InsuredItem" AS u JOIN "Order" AS o USING (shop, "orderId")
      WHERE u.shop = ${shop} AND u.state IN ('attention', 'refused') AND u.wanted AND u."contractId" IS NULL
        AND o."paidAt" IS NOT NULL AND o."cancelledAt" IS NULL
    ) AS waiting LEFT JOIN "Task" AS task ON task.shop = ${shop} AND task.key = waiting.key
    WHERE task.id IS NULL OR task."closedAt" IS NOT NULL
    LIMIT ${MAX_TASKS}`;
  return uncoveredItems.parse(rows);
}

/** Notes in the history of items that their task was opened again. */
export async function noteRestoredTasks(
  tx: Transaction,
  shop: string,
  restored: UncoveredItem[],
): Promise<void> {
  const items = restored.map(({ orderId, lineId, itemNumber }) => ({ orderId, lineId, itemNumber }));
  await tx.$executeRaw`
    INSERT INTO "ItemHistory" (shop, "orderId", "lineId", "itemNumber", before, after, cause, attempt, note)
    SELECT u.shop, u."orderId", u."lineId", u."itemNumber", u.state, u.state, 'task_restored', u.attempt, u.reason
    FROM "InsuredItem" AS u JOIN jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      AS uncovered("orderId" text, "lineId" text, "itemNumber" int) USING ("orderId", "lineId", "itemNumber")
    WHERE u.shop = ${shop}`;
}
