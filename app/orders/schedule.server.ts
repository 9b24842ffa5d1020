/**
 * When the reconciler runs for an order: now, by a job; at a time, by the order's `dueAt`, which the hourly job serves; or
 * once its account can be used again (probe-account.server.ts).
 */
import { z } from "zod";
import { sendJob, sendJobs, type SendOptions } from "#app/jobs/queue.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { findDueShops, forEachDueShop } from "#app/merchants/merchant.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { shownSince } from "#app/shopify/order-access.ts";
import { quotablePaidSince } from "./book/quote-rules.ts";

interface OrderJobOptions extends Omit<SendOptions, "singletonKey"> {
  /** of an order's jobs with the same reason, one waits at most; left out: a reason of its own */
  reason?: string;
}

const keyOf = (shop: string, orderId: string, reason?: string) =>
  reason === undefined ? `${shop}:${orderId}` : `${shop}:${orderId}:${reason}`;

/** Runs the reconciler for an order. */
export async function sendOrderJob(
  tx: Transaction,
  shop: string,
  orderId: string,
  { reason, ...options }: OrderJobOptions = {},
): Promise<void> {
  await sendJob(tx, "order", { shop, orderId }, { ...options, singletonKey: keyOf(shop, orderId, reason) });
}

/** Sends one job for each of these orders, in one statement. */
export async function sendOrderJobs(
  tx: Transaction,
  shop: string,
  orders: readonly { orderId: string; dueAt?: Date | undefined }[],
): Promise<void> {
  const dueAtOf = new Map(orders.map(({ orderId, dueAt }) => [orderId, dueAt]));
  const sent = [...dueAtOf].map(([orderId, dueAt]) => ({
    payload: { shop, orderId },
    singletonKey: keyOf(shop, orderId, dueAt && "due"),
    ...(dueAt === undefined ? {} : { startAfter: dueAt }),
  }));
  await sendJobs(tx, "order", sent);
}

/** Lets the worker of the order notice a change, and makes sure that there is one. */
export async function scheduleIssuing(tx: Transaction, shop: string, orderId: string): Promise<void> {
  await tx.order.updateMany({ where: { shop, orderId }, data: { revision: { increment: 1 } } });
  await sendOrderJob(tx, shop, orderId, { isUrgent: true });
}

/** Orders of one shop in an hour. */
const AT_ONCE = 5_000;
const IN_ONE_STATEMENT = 500;
/** The hourly job comes again within this time. */
const AHEAD_MS = 3_600_000;

/** A query of the shops with an order that is due before a moment. */
const shopsWithOrdersDue = (before: Date) => Prisma.sql`
  SELECT m.shop FROM "Merchant" AS m
  WHERE m."uninstalledAt" IS NULL AND EXISTS (
    SELECT FROM "Order" AS o WHERE o.shop = m.shop AND o."dueAt" <= ${before}::timestamptz)`;

/** The hourly job: orders that become due before it comes again. */
export async function scheduleDueOrders(signal: AbortSignal): Promise<void> {
  const due = await findDueShops(shopsWithOrdersDue(new Date(Date.now() + AHEAD_MS)));
  await forEachDueShop("due orders", due, (shop) => scheduleShop(shop, signal), signal);
}

async function scheduleShop(shop: string, signal?: AbortSignal): Promise<void> {
  const rows = await db.order.findMany({
    where: { shop, dueAt: { lte: new Date(Date.now() + AHEAD_MS) } },
    select: { orderId: true, dueAt: true },
    orderBy: { dueAt: "asc" },
    take: AT_ONCE,
  });
  const orders = rows.map(({ orderId, dueAt }) => ({
    orderId,
    dueAt: dueAt !== null && dueAt.getTime() > Date.now() ? dueAt : undefined,
  }));
  for (let start = 0; start < orders.length; start += IN_ONE_STATEMENT) {
    signal?.throwIfAborted();
    await sendOrderJobs(db, shop, orders.slice(start, start + IN_ONE_STATEMENT));
  }
}

/** An order needs the reconciler at this time, or before. The revision tells a worker that leases the order right now. */
export async function makeOrderDue(shop: string, orderId: string, at: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE "Order" SET "dueAt" = LEAST("dueAt", ${at}::timestamptz), revision = revision + 1
    WHERE shop = ${shop} AND "orderId" = ${orderId}`;
  // The hourly job may have sent one for a later time, beside which another "due" would not be kept.
  if (at.getTime() < Date.now() + AHEAD_MS)
    await sendOrderJob(db, shop, orderId, { startAfter: at, reason: `due ${at.getTime()}` });
}

/**
 * The shop has granted a scope, or the merchant changed a setting: orders that do not show their cover, are not
 * fulfilled, or have no decision about quotes may have something to do now.
 */
export async function makeOrdersDue(shop: string): Promise<void> {
  const { fulfilment, orderCover } = await readPermissionModes(shop);
  await makeUnfinishedDue(shop, {
    fulfils: fulfilment === "on",
    showsCover: orderCover === "on",
    decidesQuotes: orderCover !== "no_permission",
  });
  await scheduleShop(shop);
}

/** The shop has granted a scope: its orders get the tags that they could not have before, too. */
export async function makeOrdersDueAfterGrant(shop: string): Promise<void> {
  const { orderTags } = await readPermissionModes(shop);
  if (orderTags === "on") await retagOrders(shop);
  await makeOrdersDue(shop);
}

/** Makes the orders due of which these may have something left to do. */
async function makeUnfinishedDue(
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
        AND o."paidAt" > ${quotablePaidSince(new Date())}::timestamptz))`;
}

/** A period that would end at a weekend ends later. */
const WEEKEND_DAYS = 3;
const DAY_MS = 86_400_000;

/**
 * The shop's period for withdrawing has changed: the covers that name its end, or did, are written again.
 * @param days the longer one of both periods
 */
export async function rewriteWithdrawals(shop: string, days: number): Promise<void> {
  const since = new Date(Date.now() - (days + WEEKEND_DAYS) * DAY_MS);
  await db.order.updateMany({
    where: { shop, coverDigest: { not: null }, purchasedAt: { gt: since } },
    data: { dueAt: new Date(), revision: { increment: 1 } },
  });
  await scheduleShop(shop);
}

/** The merchant has turned the orders' tags on or off: those that have tags, or are to have them, are due. */
export async function retagOrders(shop: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Order" AS o SET "dueAt" = now(), revision = revision + 1
    WHERE o.shop = ${shop} AND o."purchasedAt" > ${shownSince()}::timestamptz AND (
      EXISTS (SELECT FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId")
      OR EXISTS (SELECT FROM "OrderQuote" AS q WHERE q.shop = o.shop AND q."orderId" = o."orderId")
      OR EXISTS (SELECT FROM "Task" AS t WHERE t.shop = o.shop AND t."orderId" = o."orderId"))`;
  await scheduleShop(shop);
}

// Orders that wait for their account.

const orderIds = z.array(z.object({ orderId: z.string() }));

/** Ends the wait of the account's orders that wait longest. */
async function takeWaitingOrders(
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

/** Sends the jobs of the account's orders that wait longest. @returns how many */
export async function resumeWaitingOrders(shop: string, environment: Environment): Promise<number> {
  return db.$transaction(async (tx) => {
    const orders = await takeWaitingOrders(tx, shop, environment, IN_ONE_STATEMENT);
    await sendOrderJobs(tx, shop, orders);
    return orders.length;
  });
}
