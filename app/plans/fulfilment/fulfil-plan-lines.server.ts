/**
 * Fulfils the lines of plans whose contract exists, so that orders close: a line without shipping has to be fulfilled as
 * well. What is fulfilled stays so when the plan is cancelled: nothing has to be sent back (decision 0016).
 */
import { sendJob } from "#app/jobs/queue.server.ts";
import { merchantFulfils } from "#app/merchants/fulfilment.server.ts";
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { createFulfilment, readFulfilmentOrders } from "#app/shopify/fulfilment.server.ts";
import { planLinesToFulfil } from "./plan-lines-to-fulfil.ts";

/** The platform does not let a plan's line be fulfilled now: its fulfilment order is on hold, or somebody else's. */
export class FulfilmentBlocked extends Error {
  override name = "FulfilmentBlocked";
}

/**
 * Safe to repeat. Without the scope or with the setting off nothing is done.
 * @throws FulfilmentBlocked, AdminRefused, AdminUnavailable, NoAccess: not done, try again later
 */
export async function fulfilPlanLines(shop: string, orderId: string): Promise<void> {
  if (!(await merchantFulfils(shop))) return;
  const active = await db.insuredUnit.findMany({
    where: { shop, orderId, state: "active" },
    select: { lineId: true, unitNumber: true, fulfilledAt: true },
  });
  if (active.every(({ fulfilledAt }) => fulfilledAt !== null)) return;
  const orders = await readFulfilmentOrders(shop, orderId);
  if (!orders) return;
  const contracts = new Map<string, number>();
  for (const { lineId } of active) contracts.set(lineId, (contracts.get(lineId) ?? 0) + 1);
  const { fulfilments, blocked } = planLinesToFulfil(contracts, orders);
  for (const { fulfilmentOrderId, lines } of fulfilments) {
    await createFulfilment(shop, fulfilmentOrderId, lines);
  }
  await db.insuredUnit.updateMany({
    where: {
      ...{ shop, orderId, state: "active", fulfilledAt: null },
      // Only what was counted above.
      OR: active.map(({ lineId, unitNumber }) => ({ lineId, unitNumber })),
      NOT: { lineId: { in: blocked } },
    },
    data: { fulfilledAt: new Date() },
  });
  if (blocked.length > 0)
    throw new FulfilmentBlocked(`Order ${orderId} holds ${blocked.length} plan lines back`);
}

export async function scheduleFulfilment(shop: string, orderId: string): Promise<void> {
  await sendJob("plan-fulfilment", { shop, orderId }, { singletonKey: `${shop}:${orderId}` });
}

/** The platform shows orders of the last 60 days. */
const SHOWN_DAYS = 60;

/** Schedules all orders of a shop whose contracts wait for it: the scope was granted, the setting turned on, or hourly. */
export async function scheduleWaitingFulfilments(shop: string): Promise<void> {
  if (!(await merchantFulfils(shop))) return;
  const since = new Date(Date.now() - SHOWN_DAYS * 86_400_000);
  const waiting = await db.insuredUnit.findMany({
    where: { shop, state: "active", fulfilledAt: null, createdAt: { gt: since } },
    select: { orderId: true },
    distinct: ["orderId"],
    orderBy: { orderId: "asc" },
    take: 1_000,
  });
  for (const { orderId } of waiting) await scheduleFulfilment(shop, orderId);
}

export async function scheduleAllWaitingFulfilments(signal: AbortSignal): Promise<void> {
  await forEachMerchant("fulfilment", ({ shop }) => scheduleWaitingFulfilments(shop), { signal });
}
