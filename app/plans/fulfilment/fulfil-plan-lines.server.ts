/**
 * Fulfils the lines of plans whose contract exists, so that orders close: a line without shipping has to be fulfilled as
 * well. What is fulfilled stays so when the plan is cancelled: nothing has to be sent back.
 */
import { sendOrderJob, sendOrderJobs } from "#app/jobs/order-jobs.server.ts";
import { forEachDueShop } from "#app/merchants/merchant.server.ts";
import { grantingShops, readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { log } from "#app/platform/log.server.ts";
import { AdminRefused } from "#app/shopify/errors.ts";
import { shownSince } from "#app/shopify/order-access.ts";
import { createFulfilment, readFulfilmentOrders } from "#app/shopify/fulfilment.server.ts";
import { planLinesToFulfil } from "./plan-lines-to-fulfil.ts";

/**
 * Safe to repeat. Without the scope or with the setting off nothing is done. What the platform does not let be fulfilled
 * now, because it is on hold or somebody else's, waits for the hourly job.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function fulfilPlanLines(shop: string, orderId: string): Promise<void> {
  if ((await readPermissionModes(shop)).fulfilment !== "on") return;
  const active = await db.insuredUnit.findMany({
    where: { shop, orderId, state: "active" },
    select: { lineId: true, unitNumber: true, fulfilledAt: true },
  });
  if (active.every(({ fulfilledAt }) => fulfilledAt !== null)) return;
  let blocked: string[];
  try {
    blocked = await fulfil(shop, orderId, active);
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to fulfil plan lines: the platform refused");
    return;
  }
  if (blocked.length > 0)
    log.info(
      { shop, orderId },
      "Failed to fulfil plan lines: their fulfilment order is on hold or not shown to the app",
    );
  await db.insuredUnit.updateMany({
    where: {
      ...{ shop, orderId, state: "active", fulfilledAt: null },
      // Only what was counted above.
      OR: active.map(({ lineId, unitNumber }) => ({ lineId, unitNumber })),
      NOT: { lineId: { in: blocked } },
    },
    data: { fulfilledAt: new Date() },
  });
}

/** @returns the plan lines that cannot be fulfilled now. @throws AdminRefused, AdminUnavailable, NoAccess */
async function fulfil(shop: string, orderId: string, active: { lineId: string }[]): Promise<string[]> {
  const contracts = new Map<string, number>();
  for (const { lineId } of active) contracts.set(lineId, (contracts.get(lineId) ?? 0) + 1);
  // An order that the shop does not show has nothing that can be fulfilled.
  const orders = (await readFulfilmentOrders(shop, orderId)) ?? [];
  const { fulfilments, blocked } = planLinesToFulfil(contracts, orders);
  for (const { fulfilmentOrderId, lines } of fulfilments) {
    await createFulfilment(shop, fulfilmentOrderId, lines);
  }
  return blocked;
}

export async function scheduleFulfilment(shop: string, orderId: string): Promise<void> {
  await sendOrderJob("plan-fulfilment", shop, orderId);
}

/** Schedules all orders of a shop whose contracts wait for it: the scope was granted, the setting turned on, or hourly. */
export async function scheduleWaitingFulfilments(shop: string): Promise<void> {
  if ((await readPermissionModes(shop)).fulfilment !== "on") return;
  const waiting = await db.insuredUnit.findMany({
    where: { shop, state: "active", fulfilledAt: null, createdAt: { gt: shownSince() } },
    select: { orderId: true },
    distinct: ["orderId"],
    orderBy: { orderId: "asc" },
    take: 1_000,
  });
  await sendOrderJobs("plan-fulfilment", shop, waiting);
}

/** Every hour: what was held back may be fulfilled now. */
export async function scheduleAllWaitingFulfilments(signal: AbortSignal): Promise<void> {
  const due = Prisma.sql`
    SELECT shop FROM (${grantingShops("fulfilment")}) AS m WHERE EXISTS (
      SELECT FROM "InsuredUnit" AS u
      WHERE u.shop = m.shop AND u.state = 'active' AND u."fulfilledAt" IS NULL
        AND u."createdAt" > ${shownSince().toISOString()}::timestamptz)`;
  await forEachDueShop("fulfilment", due, scheduleWaitingFulfilments, signal);
}
