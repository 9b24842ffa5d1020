/** What a webhook about an order leads to: its report is stored first, then plans are issued. */
import { db, type Transaction } from "#app/platform/db.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import { log } from "#app/platform/log.server.ts";
import { ShopError } from "#app/shopify/errors.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import type { OrderChangePayload } from "#app/shopify/payloads/order-changes.ts";
import { reconcileOrder } from "./reconciler/reconcile-order.server.ts";
import { sendOrderJob } from "./reconciler/schedule.server.ts";
import type { AcquiredOrder } from "./reconciler/working-order.server.ts";
import {
  applyOrderChange,
  noteOrderChange,
  type ReportOrigin,
  upsertOrder,
} from "#app/plans/ledger/ledger.server.ts";
import { readCatalogueView } from "./ledger/catalogue-view.server.ts";
import { buildLedger } from "#app/plans/ledger/ledger.ts";
import { fetchOrderIfAllowed, storeOrderReport } from "#app/plans/ledger/order-report.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";

/** Stores an order report, and reconciles the order. */
export async function storeAndReconcile(shop: string, order: ShopOrder, origin: ReportOrigin): Promise<void> {
  const { view, environment, storeId } = await readCatalogueView(shop, order);
  const how = { origin, takesLease: true, storeId };
  const acquired = await upsertOrder(shop, order, buildLedger(order, view), environment, how);
  await reconcileOrQueue(shop, order.id, acquired);
}

const RETRY_MS = 2_000;

/** A stored report of an order is done: what the service or the shop does not do now, a job tries again. */
export async function reconcileOrQueue(
  shop: string,
  orderId: string,
  acquired: AcquiredOrder | null = null,
): Promise<void> {
  try {
    await reconcileOrder(shop, orderId, { acquired, isHurried: true });
  } catch (error) {
    if (!(error instanceof InsuranceError || error instanceof ShopError)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to reconcile an order at once; a job does it later");
    await sendOrderJob(shop, orderId, { startAfter: new Date(Date.now() + RETRY_MS) });
  }
}

export async function handleOrderPaid(shop: string, order: ShopOrder): Promise<void> {
  await storeAndReconcile(shop, { ...order, paid: true }, "delivered");
}

/**
 * A cancellation counts, whatever was reported before it. The order itself has to say so: the webhook's topic is in a
 * header that no signature covers, and a contract that was ended cannot be restored.
 */
export async function handleOrderCancelled(shop: string, order: ShopOrder): Promise<void> {
  await storeAndReconcile(shop, order, "delivered");
}

/**
 * Something of the order was sent: the lines of its plans follow. It may arrive before the order's payment; of an order
 * without insurance, or one older than the installation, nothing is stored.
 */
export async function handleOrderFulfilled(shop: string, order: ShopOrder): Promise<void> {
  const known = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: order.id } },
    select: { units: { where: { shop, wanted: true }, select: { lineId: true }, take: 1 } },
  });
  const isNew = Date.now() - order.createdAt.getTime() < DELIVERED_WITHIN_MS;
  if (known ? known.units.length > 0 : isNew) await storeAndReconcile(shop, order, "delivered");
}

/**
 * After a refund or an edit, whose payloads carry only what changed: fetches the order as it is now, or works from the
 * payload where the platform does not give it.
 * @throws OrderNotKnownYet: the order's payment may still be on its way
 */
export async function handleOrderChanged(
  shop: string,
  { orderId, change }: OrderChangePayload,
): Promise<void> {
  const order = await fetchOrderIfAllowed(shop, orderId);
  if (order) {
    await storeOrderReport(shop, order);
    if (change !== null) await noteOrderChange(shop, orderId, change);
    return reconcileOrQueue(shop, orderId);
  }
  log.info(
    { shop, orderId },
    "Failed to read an order that the platform sent a webhook about: it does not show the order",
  );
  if (change !== null && (await applyOrderChange(shop, orderId, change))) {
    if (change.adds) await openOrderNotShownTask(shop, orderId);
    return reconcileOrQueue(shop, orderId);
  }
  if (change !== null && Date.now() - change.at.getTime() < DELIVERED_WITHIN_MS) {
    throw new OrderNotKnownYet(`Order ${orderId} is not known yet`);
  }
  await openOrderNotShownTask(shop, orderId);
}

/** The platform's retries of a webhook end after four hours. */
const DELIVERED_WITHIN_MS = 4.5 * 3_600_000;

/** A change of an order arrived before the order. It is tried again. */
class OrderNotKnownYet extends AppError {
  override name = "OrderNotKnownYet";
}

/** A person has to look where insurance is in force, and what changed is not known. */
async function openOrderNotShownTask(shop: string, orderId: string): Promise<void> {
  const inForce = { shop, orderId, wanted: true, state: { not: "cancelled" } };
  if ((await db.insuredUnit.count({ where: inForce })) === 0) return;
  await openTask({ shop, kind: "order_not_shown", orderId, details: {} });
}

/** An event that cannot be read, or that failed at every attempt, stays in the inbox until a person has it processed again. */
export async function openEventTask(
  tx: Transaction,
  shop: string,
  kind: "unreadable_event" | "event_failed",
  details: { inboxId: string; topic: string; problem: string },
  orderId: string | null = null,
): Promise<void> {
  const about = orderId === null ? {} : { orderId };
  await openTask({ shop, kind, subjectId: details.inboxId, details, ...about }, tx);
}

const openFailedEventTask = (shop: string, inboxId: string) => ({
  shop,
  kind: "event_failed",
  closedAt: null,
  details: { path: ["inboxId"], equals: inboxId },
});

/** Whether a task waits for the event to be processed again. */
export async function hasFailedEventTask(shop: string, inboxId: string): Promise<boolean> {
  return (await db.task.count({ where: openFailedEventTask(shop, inboxId) })) > 0;
}

/** The event was processed without its task. */
export async function closeFailedEventTask(shop: string, inboxId: string): Promise<void> {
  await db.task.updateMany({
    where: openFailedEventTask(shop, inboxId),
    data: { closedAt: new Date(), outcome: "obsolete" },
  });
}
