/** Common handling of orders/edited and refunds/create, whose payloads contain only the changes. */
import { applyOrderChange, noteOrderChange } from "#app/orders/ledger/ledger.server.ts";
import { fetchOrderIfAllowed, storeOrderReport } from "#app/orders/order-report.server.ts";
import { reconcileOrQueue } from "#app/issuing/store-and-reconcile.server.ts";
import { openTask } from "#app/orders/tasks/tasks.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { OrderChangePayload } from "#app/shopify/payloads/order-changes.ts";
import { DELIVERED_WITHIN_MS } from "./topic-handler.ts";

/** A change of an order arrived before the order. The queue retries. */
class OrderNotKnownYet extends AppError {
  override name = "OrderNotKnownYet";
}

/**
 * Fetches the order as it is now, or works from the payload if Shopify does not return it.
 * @throws OrderNotKnownYet: the order's payment may still be on its way
 */
export async function followOrderChange(
  shop: string,
  { orderId, change }: OrderChangePayload,
): Promise<void> {
  const order = await fetchOrderIfAllowed(shop, orderId);
  if (order) {
    await storeOrderReport(shop, order);
    if (change !== null) await noteOrderChange(shop, orderId, change);
    return reconcileOrQueue(shop, orderId);
  }
  log.info({ shop, orderId }, "Failed to fetch a changed order: Shopify does not return it");
  if (change !== null && (await applyOrderChange(shop, orderId, change))) {
    if (change.adds) await openOrderNotShownTask(shop, orderId);
    return reconcileOrQueue(shop, orderId);
  }
  if (change !== null && Date.now() - change.at.getTime() < DELIVERED_WITHIN_MS) {
    throw new OrderNotKnownYet(
      `Failed to apply a change of order ${orderId}: the order is not stored yet, the queue retries`,
    );
  }
  await openOrderNotShownTask(shop, orderId);
}

/** Opens a task for a person if insurance is in force and the change is unknown. */
async function openOrderNotShownTask(shop: string, orderId: string): Promise<void> {
  const inForce = { shop, orderId, wanted: true, state: { not: "cancelled" } };
  if ((await db.insuredItem.count({ where: inForce })) === 0) return;
  await openTask({ shop, kind: "order_not_shown", orderId, details: {} });
}
