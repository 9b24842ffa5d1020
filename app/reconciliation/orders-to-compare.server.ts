/** The orders that a run checks: those that are stuck, and those to compare with the insurer. */
import { z } from "zod";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";

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

/**
 * Orders of which a contract was requested again within the last day, because the insurer's list had none: it may show
 * the first one by now.
 */
export async function findOrdersRequestedAgain(shop: string): Promise<string[]> {
  const rows = await db.$queryRaw`
    SELECT DISTINCT "orderId" FROM "OrderEvent"
    WHERE shop = ${shop} AND at > now() - interval '1 day' AND type = 'looked_up' AND data->>'isConclusive' = 'true'
    LIMIT ${MAX_CONTRACTS}`;
  return orderIds.parse(rows).map(({ orderId }) => orderId);
}

const MAX_CONTRACTS = 1_000;
/** Each contract in force is compared again within this time: a month has days to spare for hours without a run. */
const COMPARED_WITHIN_HOURS = 28 * 24;

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
