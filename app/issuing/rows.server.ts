/** The reconciler's statements that are written in SQL, with what they return: an order, its lease, and what is due. */
import { z } from "zod";
import { hasOpenJob } from "#app/jobs/queue-tables.server.ts";
import {
  quotablePaidSince,
  orderQuotes,
  orderQuotesColumn,
  soldQuote,
  soldQuotesColumn,
} from "#app/orders/quote-conditions.server.ts";
import { type Environment, environment } from "#app/merchants/connection.ts";
import {
  connectionColumn,
  isSoldByPreviousStore,
  shopModes,
  shopModesColumn,
  storedConnection,
} from "#app/merchants/merchant.server.ts";
import { insuredAt, type Item, itemRow } from "#app/orders/ledger/items.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { shownSince } from "#app/shopify/order-access.ts";
import { flowStates, type GoodsLine, salesRecordStatuses } from "./next-step.ts";

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
const storedOrder = z.object({
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
const orderColumns = Prisma.sql`
  o."orderId", o."purchasedAt", o."paidAt", o."cancelledAt", o."paymentMethod", o."salesChannel", o."salesRecordStatus",
  o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore",
  (SELECT max(r.at) FROM "Restore" AS r WHERE r.at >= o."purchasedAt") AS "restoredAt", o."sealedCustomer", o.revision,
  EXISTS (
    SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment) AS "isPaused",
  ${connectionColumn} AS connection, ${shopModesColumn} AS "shopModes", o."coverDigest", now() AS now,
  ${soldQuotesColumn} AS "soldQuotes"`;

/** The items and lines of the order `o`. */
const linesAndItems = Prisma.sql`
  (SELECT COALESCE(jsonb_agg(to_jsonb(u) || jsonb_build_object('insuredAt', ${insuredAt})
      ORDER BY u."lineId", u."itemNumber"), '[]')
    FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS items,
  (SELECT COALESCE(jsonb_agg(to_jsonb(line) ORDER BY line."lineId"), '[]') FROM "OrderLine" AS line
    WHERE line.shop = o.shop AND line."orderId" = o."orderId" AND o."salesRecordStatus" = 'none') AS lines,
  (SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', line."lineId", 'requiresShipping', line."requiresShipping",
      'fulfilledQuantity', line."fulfilledQuantity")), '[]')
    FROM "OrderLine" AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId") AS goods,
  ${orderQuotesColumn} AS quotes`;

// Leases.

export const LEASE_MS = 15_000;
const leaseEnd = Prisma.sql`now() + ${LEASE_MS} * interval '1 millisecond'`;

const acquired = z
  .array(
    z.object({
      order: storedOrder.nullable(),
      /** false: the order changed while this statement waited for its row, so the items are stale */
      isWhole: z.boolean().nullable(),
      heldUntil: z.coerce.date(),
    }),
  )
  .max(1);

/** Takes the lease where it is free, and reads the order. `order` is null where it is not; null: there is no such order. */
export async function leaseStoredOrder(shop: string, orderId: string, holder: string) {
  const isFree = Prisma.sql`(o."leaseExpiresAt" IS NULL OR o."leaseExpiresAt" < now())`;
  const rows = await db.$queryRaw`
    WITH before AS (
      SELECT revision, "leaseExpiresAt" FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}
    ), o AS (
      UPDATE "Order" AS o SET
        "leaseHolder" = CASE WHEN ${isFree} THEN ${holder} ELSE o."leaseHolder" END,
        "leaseExpiresAt" = CASE WHEN ${isFree} THEN ${leaseEnd} ELSE o."leaseExpiresAt" END,
        revision = CASE WHEN ${isFree} THEN o.revision ELSE o.revision + 1 END
      WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
      RETURNING o.shop, o."leaseHolder", o."quotesDigest", o."quotesDecidedAt", o."acceptsMarketing", o."erasedAt",
        ${orderColumns}
    ), acquired AS (
      SELECT o.*, ${linesAndItems} FROM o
      WHERE o."leaseHolder" = ${holder}
    )
    SELECT to_jsonb(acquired) AS "order", acquired.revision = before.revision AS "isWhole",
      GREATEST(before."leaseExpiresAt", now()) + interval '1 second' AS "heldUntil"
    FROM before LEFT JOIN acquired ON true`;
  return acquired.parse(rows)[0] ?? null;
}

export async function readStoredOrder(shop: string, orderId: string): Promise<StoredOrder | null> {
  const rows = await db.$queryRaw`
    SELECT ${orderColumns}, ${linesAndItems}
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(storedOrder).max(1).parse(rows)[0] ?? null;
}

/** @returns false where the lease is lost */
export async function renewLease(shop: string, orderId: string, holder: string): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE "Order" SET "leaseExpiresAt" = ${leaseEnd}
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseHolder" = ${holder} AND "leaseExpiresAt" > now()`;
  return renewed === 1;
}

/** What a run may have changed of an order. */
type SavedOrder = Pick<
  StoredOrder,
  "orderId" | "environment" | "salesRecordStatus" | "coverDigest" | "items" | "revision"
>;

export interface Released {
  /** false where the order has a newer revision, or the lease was lost: read the order again */
  isCurrent: boolean;
  /** the order waits for its account */
  isWaiting: boolean;
}

const released = z.array(z.object({ revision: z.int(), isHeld: z.boolean(), isWaiting: z.boolean() })).max(1);

/**
 * Saves what the insurer and the shop have carried out, and ends the lease, in one statement. Where the lease was lost,
 * what was carried out is true all the same. An order that waits locks its account's pause meanwhile, so the end of the
 * pause finds every order that waits.
 */
export async function saveRun(
  shop: string,
  before: StoredOrder,
  { orderId, environment: account, salesRecordStatus, coverDigest, items, revision }: SavedOrder,
  holder: string,
  { dueAt, waits }: { dueAt: Date | null; waits: boolean },
): Promise<Released> {
  const status = salesRecordStatus === before.salesRecordStatus ? null : salesRecordStatus;
  const digest = coverDigest === before.coverDigest ? null : coverDigest;
  const unfulfilled = before.items.filter(({ fulfilledAt }) => fulfilledAt === null);
  const fulfilled = items
    .filter(({ fulfilledAt }) => fulfilledAt !== null)
    .filter((item) => unfulfilled.some((each) => isSameItem(each, item)))
    .map(({ lineId, itemNumber }) => ({ lineId, itemNumber }));
  const fulfilling = Prisma.sql`, fulfilled AS (
    UPDATE "InsuredItem" AS u SET "fulfilledAt" = now()
    FROM jsonb_to_recordset(${JSON.stringify(fulfilled)}::jsonb) AS item("lineId" text, "itemNumber" int)
    WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = item."lineId"
      AND u."itemNumber" = item."itemNumber" AND u.state = 'active' AND u."fulfilledAt" IS NULL)`;
  const waiting = Prisma.sql`, paused AS (
    SELECT p.environment FROM "AccountPause" AS p WHERE p.shop = ${shop} AND p.environment = ${account}
    FOR KEY SHARE
  ), waiting AS (
    INSERT INTO "WaitingOrder" (shop, "orderId", environment)
    SELECT ${shop}, ${orderId}, environment FROM paused ON CONFLICT DO NOTHING)`;
  const rows = await db.$queryRaw`
    WITH held AS (
      SELECT COALESCE("leaseHolder" = ${holder}, false) AS "isHeld" FROM "Order"
      WHERE shop = ${shop} AND "orderId" = ${orderId} FOR UPDATE
    )${fulfilled.length > 0 ? fulfilling : Prisma.empty}${waits ? waiting : Prisma.empty}
    UPDATE "Order" AS o SET
      "leaseHolder" = CASE WHEN held."isHeld" THEN NULL ELSE o."leaseHolder" END,
      "leaseExpiresAt" = CASE WHEN held."isHeld" THEN NULL ELSE o."leaseExpiresAt" END,
      "dueAt" = CASE WHEN held."isHeld" AND o.revision = ${revision} THEN ${dueAt}::timestamptz ELSE o."dueAt" END,
      "salesRecordStatus" = COALESCE(${status}, o."salesRecordStatus"),
      "coverDigest" = COALESCE(${digest}, o."coverDigest")
    FROM held WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
    RETURNING o.revision, held."isHeld", ${waits ? Prisma.sql`EXISTS (SELECT FROM paused)` : Prisma.sql`false`} AS "isWaiting"`;
  const [row] = released.parse(rows);
  return {
    isCurrent: row?.isHeld === true && row.revision === revision,
    isWaiting: row?.isWaiting === true,
  };
}

export async function endLease(shop: string, orderId: string, holder: string): Promise<void> {
  await db.order.updateMany({
    where: { shop, orderId, leaseHolder: holder },
    data: { leaseHolder: null, leaseExpiresAt: null },
  });
}

export const isSameItem = (a: Pick<Item, "lineId" | "itemNumber">, b: Pick<Item, "lineId" | "itemNumber">) =>
  a.lineId === b.lineId && a.itemNumber === b.itemNumber;

// Orders that are due.

/** A query of the shops with an order that is due before a moment. */
export const shopsWithOrdersDue = (before: Date) => Prisma.sql`
  SELECT m.shop FROM "Merchant" AS m
  WHERE m."uninstalledAt" IS NULL AND EXISTS (
    SELECT FROM "Order" AS o WHERE o.shop = m.shop AND o."dueAt" <= ${before}::timestamptz)`;

export async function advanceDueAt(shop: string, orderId: string, at: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE "Order" SET "dueAt" = LEAST("dueAt", ${at}::timestamptz), revision = revision + 1
    WHERE shop = ${shop} AND "orderId" = ${orderId}`;
}

/** Makes the orders due of which these may have something left to do. */
export async function makeUnfinishedDue(
  shop: string,
  { fulfils, showsCover, decidesQuotes }: { fulfils: boolean; showsCover: boolean; decidesQuotes: boolean },
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Order" AS o SET "dueAt" = now(), revision = revision + 1
    WHERE o.shop = ${shop} AND o."purchasedAt" > ${shownSince()}::timestamptz AND (
      EXISTS (SELECT FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId"
        AND ((${showsCover} AND o."coverDigest" IS NULL)
          OR (${fulfils} AND u.state = 'active' AND u."fulfilledAt" IS NULL)))
      OR (${decidesQuotes} AND o."acceptsMarketing" AND o."quotesDecidedAt" IS NULL AND o."cancelledAt" IS NULL
        AND o."paidAt" > ${quotablePaidSince}))`;
}

// Orders that wait for their account.

const orderIds = z.array(z.object({ orderId: z.string() }));

/** Ends the wait of the account's orders that wait longest. */
export async function takeWaitingOrders(
  tx: Transaction,
  shop: string,
  environment: Environment,
  limit: number,
): Promise<z.infer<typeof orderIds>> {
  const rows = await tx.$queryRaw`
    DELETE FROM "WaitingOrder" WHERE shop = ${shop} AND "orderId" IN (
      SELECT "orderId" FROM "WaitingOrder" WHERE shop = ${shop} AND environment = ${environment}
      ORDER BY since LIMIT ${limit} FOR UPDATE)
    RETURNING "orderId"`;
  return orderIds.parse(rows);
}

const accounts = z.array(z.object({ shop: z.string(), environment }));

/** The accounts that are paused, or that orders wait for, and that no job probes. */
export async function findUnprobedAccounts(): Promise<z.infer<typeof accounts>> {
  const rows = await db.$queryRaw`
    SELECT shop, environment FROM (
      SELECT shop, environment FROM "AccountPause" UNION SELECT shop, environment FROM "WaitingOrder"
    ) AS account
    WHERE NOT ${hasOpenJob("account-probe", {
      shop: Prisma.sql`account.shop`,
      environment: Prisma.sql`account.environment`,
    })}`;
  return accounts.parse(rows);
}
