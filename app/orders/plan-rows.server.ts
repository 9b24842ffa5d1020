/**
 * Orders and their insured items, as pages and schedules of plans read them: the statements that are written in SQL, with
 * what they return. Those of the ledger, the reconciler, reconciliation and tasks stand in their own folders.
 */
import { z } from "zod";
import type { Plan } from "#app/insurance/plans.ts";
import { type Environment, environment } from "#app/merchants/connection.ts";
import { isShownAsSold } from "./quote-conditions.server.ts";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { KeyValue } from "#app/platform/keyset.ts";
import { timelineClause, withinPeriod } from "#app/platform/keyset.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { TimelineQuery } from "#app/platform/list-page.ts";
import { type ContractMatch, contractMatch } from "#app/reconciliation/contract-list.ts";
import { type HistoryCause, isHistoryCause } from "#app/orders/ledger/item-states.ts";
import { joinCategory } from "#app/orders/ledger/items.server.ts";

// What happened to insured items, in the History.

const planEntries = z.array(
  z.object({
    /** padded, so that it sorts as text */
    id: z.string(),
    at: z.coerce.date(),
    orderId: z.string(),
    orderName: z.string(),
    cause: z.custom<HistoryCause>(isHistoryCause),
    planTitle: z.string(),
    note: z.string().nullable(),
  }),
);
export type PlanEntry = z.infer<typeof planEntries>[number];

/** What became of a contract. Requests, retries and look-ups on the way are on the order's page alone. */
const shownCauses: HistoryCause[] = [
  "created",
  "found",
  "refused",
  "needs_attention",
  "withdrawn",
  "cancelled",
  "found_cancelled",
  "customer_withdrew",
];

/** Only what fits on the page is joined with its order and its plan. */
export async function readPlanEntries(
  { shop, timezone }: { shop: string; timezone: string },
  period: { start: string | null; end: string | null },
  query: TimelineQuery,
): Promise<PlanEntry[]> {
  const conditions = [
    Prisma.sql`shop = ${shop} AND cause = ANY(${shownCauses})`,
    ...withinPeriod(Prisma.sql`at`, period, timezone),
  ];
  const found = await db.$queryRaw`
    SELECT lpad(h.id::text, 20, '0') AS id, h.at, h."orderId", o.name AS "orderName", h.cause, u."planTitle", h.note
    FROM (
      SELECT * FROM "ItemHistory" WHERE ${Prisma.join(conditions, " AND ")}
      ${timelineClause(query, {
        at: { column: Prisma.sql`at` },
        id: { column: Prisma.sql`id`, value: toRowNumber },
      })}
    ) AS h
    JOIN "Order" AS o ON o.shop = h.shop AND o."orderId" = h."orderId"
    JOIN "InsuredItem" AS u
      ON u.shop = h.shop AND u."orderId" = h."orderId" AND u."lineId" = h."lineId" AND u."itemNumber" = h."itemNumber"`;
  return planEntries.parse(found);
}

/** The padded id of a cursor as the column has it. What is none comes before every row. */
const toRowNumber = (id: KeyValue) =>
  Prisma.sql`${/^0*\d{1,18}$/.test(String(id)) ? BigInt(String(id)) : 0n}`;

// Contracts: those that the insurer has, and those of a signed-in customer.

/** What the database has of the contracts, by contract number; one of which it has nothing is missing. */
export async function findContractMatches(
  shop: string,
  environment: Environment,
  plans: readonly Pick<Plan, "id" | "orderReferenceId">[],
): Promise<Map<string, ContractMatch>> {
  const rows = await db.$queryRaw`
    SELECT plan.id AS "contractId", o."orderId", o.name AS "orderName", u.state AS "itemState",
      u."expiresOn",
      q."orderId" IS NOT NULL AS "isOfOrderQuote", l."quoteId", EXISTS (
        SELECT FROM "Task" AS t
        WHERE t.shop = ${shop} AND t."orderId" = o."orderId" AND t."closedAt" IS NULL
          AND (t."lineId" = u."lineId" AND t."itemNumber" = u."itemNumber"
            OR t.key = concat_ws(':', 'surplus_contract', o."orderId", plan.id))) AS "hasTask"
    FROM unnest(${plans.map(({ id }) => id)}::text[], ${plans.map((plan) => plan.orderReferenceId)}::text[])
      AS plan(id, reference)
    LEFT JOIN "InsuredItem" AS u
      ON u.shop = ${shop} AND u."contractId" = plan.id AND u.environment = ${environment}
    LEFT JOIN "OrderQuote" AS q
      ON q.shop = ${shop} AND q.environment = ${environment} AND q."contractId" = plan.id
    LEFT JOIN "Quote" AS l
      ON l.shop = ${shop} AND l.environment = ${environment} AND l."quoteId" = plan.reference
    LEFT JOIN "Order" AS o
      ON o.shop = ${shop} AND o."orderId" = COALESCE(u."orderId", q."orderId", plan.reference)
    WHERE o."orderId" IS NOT NULL OR l."quoteId" IS NOT NULL`;
  const matches = z.array(contractMatch).parse(rows);
  return new Map(matches.map((match) => [match.contractId, match]));
}

/** The orders here that have the contracts, by contract number. */
export async function findOrdersOfContracts(
  shop: string,
  environment: Environment,
  contractIds: string[],
): Promise<Record<string, string>> {
  const plans = contractIds.map((id) => ({ id, orderReferenceId: "" }));
  const matches = await findContractMatches(shop, environment, plans);
  return Object.fromEntries(
    [...matches].flatMap(([id, { orderId }]): [string, string][] =>
      orderId === null ? [] : [[id, orderId]],
    ),
  );
}

const customerContract = z.object({
  orderId: z.string(),
  environment,
  isSoldByPreviousStore: z.boolean(),
  contractId: z.string(),
  insurerPage: z.string().nullable(),
});
export type CustomerContract = z.infer<typeof customerContract>;

/**
 * The contracts of the order `o`, for a lateral join: those sold with its products, and those that its customer took
 * from quotes.
 */
export const contractsOfOrder = Prisma.sql`(
  SELECT u."lineId", u."itemNumber", u."contractId", u.state = 'cancelled' AS "isCancelled", u."planTitle",
    u."insuredTitle", u."insuredPriceMinor", u."insuredCurrency", u."expiresOn",
    c.marketing->'modal'->>'marketingPageUrl' AS "insurerPage"
  FROM "InsuredItem" AS u ${joinCategory}
  WHERE u.shop = o.shop AND u."orderId" = o."orderId" AND u."contractId" IS NOT NULL
  UNION ALL SELECT l."lineId", l."itemNumber", l."contractId", l.reason IS NOT DISTINCT FROM 'contract_cancelled', l."soldTitle",
    l."productTitle", l."priceMinor", l.currency, l."soldUntil",
    c.marketing->'modal'->>'marketingPageUrl'
  FROM "OrderQuote" AS l LEFT JOIN "Category" AS c ON c.shop = l.shop AND c.environment = l.environment
    AND c."categoryId" = l."categoryId"
  WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND ${isShownAsSold})`;

/** Contracts of one look. A reseller's orders may have more. */
const MOST_CONTRACTS = 500;

/** Those of the orders that are of the owner. @param owner digest of the customer */
export async function readCustomerContracts(
  shop: string,
  owner: string,
  orderIds: readonly string[],
): Promise<CustomerContract[]> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore", contract."contractId",
      contract."insurerPage"
    FROM "Order" AS o CROSS JOIN LATERAL ${contractsOfOrder} AS contract
    WHERE o.shop = ${shop} AND o."customerDigest" = ${owner} AND o."orderId" = ANY(${orderIds})
    ORDER BY o."purchasedAt" DESC, o."orderId", contract."lineId", contract."itemNumber" LIMIT ${MOST_CONTRACTS}`;
  return z.array(customerContract).parse(rows);
}

// Personal data.

const erasedRows = z.array(z.object({ orderId: z.string() }));

/**
 * Erases the customers of orders, and what finds them. The orders are locked until the transaction ends: a report that
 * adds items meanwhile is seen by the next statement, or sees that the order is erased.
 */
async function eraseCustomers(tx: Transaction, shop: string, which: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw`
    UPDATE "Order" SET "sealedCustomer" = NULL, "emailDigest" = NULL, "customerDigest" = NULL,
      "erasedAt" = COALESCE("erasedAt", now())
    WHERE shop = ${shop} AND ${which}
    RETURNING "orderId"`;
  return erasedRows.parse(rows).map(({ orderId }) => orderId);
}

export const eraseCustomersOf = (tx: Transaction, shop: string, orderIds: string[]): Promise<string[]> =>
  eraseCustomers(tx, shop, Prisma.sql`"orderId" = ANY(${orderIds})`);

/** Those of orders that were purchased before and have ended, one way or the other. @returns the orders' ids */
export const eraseCustomersBefore = (
  tx: Transaction,
  shop: string,
  before: Date,
  limit: number,
): Promise<string[]> =>
  eraseCustomers(
    tx,
    shop,
    Prisma.sql`"orderId" IN (
      SELECT o."orderId" FROM "Order" AS o WHERE o.shop = ${shop} AND ${purchasedBefore(before)} LIMIT ${limit})`,
  );

/**
 * An order of which nothing is left to do: its personal data has served. Nothing is done for what was never paid, nor
 * for what a person left as it is.
 */
const isSettled = Prisma.sql`o."erasedAt" IS NULL AND NOT EXISTS (
  SELECT FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId"
    AND (u.state IN ('creating', 'unknown', 'cancelling') OR o."paidAt" IS NOT NULL AND (u.state = 'pending'
      OR u.state = 'attention' AND (u.wanted AND o."cancelledAt" IS NULL OR EXISTS (
        SELECT FROM "Task" AS t WHERE t.shop = o.shop AND t."orderId" = o."orderId" AND t."closedAt" IS NULL)))))`;

const purchasedBefore = (before: Date) =>
  Prisma.sql`o."purchasedAt" < ${before.toISOString()}::timestamptz AND ${isSettled}`;

/** A condition on `m.shop` of another statement: the shop has orders for `eraseCustomersBefore`. */
export const hasOrdersBefore = (before: Date) =>
  Prisma.sql`EXISTS (SELECT FROM "Order" AS o WHERE o.shop = m.shop AND ${purchasedBefore(before)})`;

/** A query of the orders whose customer is stored, for a statement about what names them. */
export const ordersWithCustomer = Prisma.sql`SELECT shop, "orderId" FROM "Order" WHERE "sealedCustomer" IS NOT NULL`;

// What is late for all shops together, for the operator's metrics.

/** The objective: nearly all contracts are in force within the first, all but very few within the second. */
const PROMISED_SECONDS = 60;
const LATEST_SECONDS = 15 * 60;

/** Counting stops here: the exact number above it says nothing more. */
const MAX_COUNTED = 10_000;

const overdue = z.object({
  /** paid items without a contract yet that need no person: only the app and the insurer */
  promised: z.coerce.number(),
  latest: z.coerce.number(),
  /** age of the oldest change of an order that no hourly reconciliation has checked; 0 where none is under way */
  reconciliationLagSeconds: z.coerce.number(),
});

export async function countOverdue(): Promise<z.infer<typeof overdue>> {
  const rows = await db.$queryRaw`
    SELECT count(*) FILTER (WHERE age > ${PROMISED_SECONDS}) AS promised,
      count(*) FILTER (WHERE age > ${LATEST_SECONDS}) AS latest,
      (SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(COALESCE(reached, "from"))), 0) FROM "ReconciliationRun"
       WHERE state IN ('queued', 'running') AND kind = 'hourly') AS "reconciliationLagSeconds"
    FROM (
      SELECT EXTRACT(EPOCH FROM now() - o."paidAt") AS age
      FROM "InsuredItem" AS u JOIN "Order" AS o ON o.shop = u.shop AND o."orderId" = u."orderId"
      WHERE u.state IN ('pending', 'creating', 'unknown') AND u.wanted AND o."cancelledAt" IS NULL
        AND o."paidAt" IS NOT NULL
      LIMIT ${MAX_COUNTED}
    ) AS open`;
  return z.tuple([overdue]).parse(rows)[0];
}
