/**
 * When the reconciler runs for an order: now, by a job; at a time, by the order's `dueAt`, which the hourly job serves; or
 * once its account can be used again (probe-account.server.ts).
 */
import { sendJob, sendJobs, type SendOptions } from "#app/jobs/queue.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { findDueShops, forEachDueShop } from "#app/merchants/merchant.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import {
  advanceDueAt,
  makeUnfinishedDue,
  shopsWithOrdersDue,
  takeWaitingOrders,
} from "#app/issuing/rows.server.ts";

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

/** Orders of one shop in an hour. */
const AT_ONCE = 5_000;
const IN_ONE_STATEMENT = 500;
/** The hourly job comes again within this time. */
const AHEAD_MS = 3_600_000;

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
  await advanceDueAt(shop, orderId, at);
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

// Orders that wait for their account.

/** Sends the jobs of the account's orders that wait longest. @returns how many */
export async function resumeWaitingOrders(shop: string, environment: Environment): Promise<number> {
  return db.$transaction(async (tx) => {
    const orders = await takeWaitingOrders(tx, shop, environment, IN_ONE_STATEMENT);
    await sendOrderJobs(tx, shop, orders);
    return orders.length;
  });
}
