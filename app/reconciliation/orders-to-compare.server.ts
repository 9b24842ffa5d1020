/** The orders that a run looks at: those that are stuck, those to compare with the insurer, and those whose refund does not come. */
import { z } from "zod";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

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

/** When the premium of a refund that does not come is open again (app/orders/book/money.ts), and some runs to notice it. */
const timedOut = Prisma.sql`(
  e.type = 'refund_requested' AND e.at BETWEEN now() - interval '1 day' AND now() - interval '1 hour'
  OR e.type = 'refund' AND e.data->>'status' = 'pending'
    AND e.at BETWEEN now() - interval '33 days' AND now() - interval '30 days')`;

/** Orders with a refund that was requested, or pending, for too long. Nothing happens to them that would open a task. */
export async function findTimedOutRefunds(shop: string): Promise<string[]> {
  const rows = await db.$queryRaw`
    SELECT DISTINCT e."orderId" FROM "OrderEvent" AS e
    WHERE e.shop = ${shop} AND e.at > now() - interval '33 days' AND ${timedOut} AND NOT EXISTS (
      SELECT FROM "Task" AS t WHERE t.shop = e.shop AND t."orderId" = e."orderId" AND t."closedAt" IS NULL
        AND t."openedAt" > e.at + interval '1 hour')
    LIMIT 1000`;
  return orderIds.parse(rows).map(({ orderId }) => orderId);
}
