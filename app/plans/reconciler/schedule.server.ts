/** When the reconciler runs for an order: now, by a job; at a time, by the order's `dueAt`, which the hourly job serves. */
import { z } from "zod";
import { sendJob, sendJobs } from "#app/jobs/queue.server.ts";
import type { SendOptions } from "#app/jobs/queue.server.ts";
import { LATE_DAYS } from "#app/leads/order-leads/situation.server.ts";
import { findDueShops, forEachDueShop } from "#app/merchants/merchant.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { shownSince } from "#app/shopify/order-access.ts";

interface OrderJobOptions extends Omit<SendOptions, "singletonKey"> {
  /** of an order's jobs with the same reason, one waits at most; left out: a reason of its own */
  reason?: string;
}

const keyOf = (shop: string, orderId: string, reason?: string) =>
  reason === undefined ? `${shop}:${orderId}` : `${shop}:${orderId}:${reason}`;

/** Runs the reconciler for an order. */
export async function sendOrderJob(
  shop: string,
  orderId: string,
  { reason, ...options }: OrderJobOptions = {},
): Promise<void> {
  await sendJob("order", { shop, orderId }, { ...options, singletonKey: keyOf(shop, orderId, reason) });
}

/** Sends one job for each of these orders, in one statement. */
export async function sendOrderJobs(
  shop: string,
  orders: readonly { orderId: string; dueAt?: Date | undefined }[],
  tx?: Transaction,
): Promise<void> {
  const dueAtOf = new Map(orders.map(({ orderId, dueAt }) => [orderId, dueAt]));
  const sent = [...dueAtOf].map(([orderId, dueAt]) => ({
    payload: { shop, orderId },
    singletonKey: keyOf(shop, orderId, dueAt && "due"),
    ...(dueAt === undefined ? {} : { startAfter: dueAt }),
  }));
  await sendJobs("order", sent, tx);
}

/** Orders of one shop in an hour. */
const AT_ONCE = 5_000;
const IN_ONE_STATEMENT = 500;
/** The hourly job comes again within this time. */
const AHEAD_MS = 3_600_000;
const orderRows = z.array(z.object({ orderId: z.string(), dueAt: z.coerce.date() }));

/** The hourly job: orders that become due before it comes again. */
export async function scheduleDueOrders(signal: AbortSignal): Promise<void> {
  const due = Prisma.sql`
    SELECT m.shop FROM "Merchant" AS m
    WHERE m."uninstalledAt" IS NULL AND EXISTS (
      SELECT FROM "Order" AS o WHERE o.shop = m.shop AND o."dueAt" <= ${new Date(Date.now() + AHEAD_MS)}::timestamptz)`;
  await forEachDueShop("due orders", await findDueShops(due), (shop) => scheduleShop(shop, signal), signal);
}

async function scheduleShop(shop: string, signal?: AbortSignal): Promise<void> {
  const rows = await db.$queryRaw`
    SELECT "orderId", "dueAt" FROM "Order"
    WHERE shop = ${shop} AND "dueAt" <= ${new Date(Date.now() + AHEAD_MS)}::timestamptz
    ORDER BY "dueAt" LIMIT ${AT_ONCE}`;
  const orders = orderRows
    .parse(rows)
    .map(({ orderId, dueAt }) => ({ orderId, dueAt: dueAt.getTime() > Date.now() ? dueAt : undefined }));
  for (let start = 0; start < orders.length; start += IN_ONE_STATEMENT) {
    signal?.throwIfAborted();
    await sendOrderJobs(shop, orders.slice(start, start + IN_ONE_STATEMENT));
  }
}

/** An order needs the reconciler at this time, or before. The revision tells a worker that leases the order right now. */
export async function makeOrderDue(shop: string, orderId: string, at: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE "Order" SET "dueAt" = LEAST("dueAt", ${at}::timestamptz), revision = revision + 1
    WHERE shop = ${shop} AND "orderId" = ${orderId}`;
  if (at.getTime() < Date.now() + AHEAD_MS)
    await sendOrderJob(shop, orderId, { startAfter: at, reason: "due" });
}

/**
 * The shop has granted a scope, or the merchant changed a setting: orders that do not show their cover, are not
 * fulfilled, or have no decision about quotes may have something to do now.
 */
export async function makeOrdersDue(shop: string): Promise<void> {
  const { fulfilment, orderCover } = await readPermissionModes(shop);
  await db.$executeRaw`
    UPDATE "Order" AS o SET "dueAt" = now(), revision = revision + 1
    WHERE o.shop = ${shop} AND o."purchasedAt" > ${shownSince()}::timestamptz AND (
      EXISTS (SELECT FROM "InsuredUnit" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId"
        AND ((${orderCover === "on"} AND o."coverDigest" IS NULL)
          OR (${fulfilment === "on"} AND u.state = 'active' AND u."fulfilledAt" IS NULL)))
      OR (${orderCover !== "no_permission"} AND o."acceptsMarketing" AND o."leadsDecidedAt" IS NULL AND o."cancelledAt" IS NULL
        AND o."paidAt" > now() - interval '7 days' - ${LATE_DAYS} * interval '1 day'))`;
  await scheduleShop(shop);
}

/** A period that would end at a weekend ends later. */
const WEEKEND_DAYS = 3;
const DAY_MS = 86_400_000;

/**
 * The shop's period for withdrawing has changed: the covers that name its end, or did, are written again, as if nothing of
 * them was written yet.
 * @param days the longer one of both periods
 */
export async function rewriteWithdrawals(shop: string, days: number): Promise<void> {
  const since = new Date(Date.now() - (days + WEEKEND_DAYS) * DAY_MS);
  await db.order.updateMany({
    where: { shop, coverDigest: { not: null }, purchasedAt: { gt: since } },
    data: { coverDigest: null, dueAt: new Date(), revision: { increment: 1 } },
  });
  await scheduleShop(shop);
}
