/** The platform's events about orders: what is stored first, then worked on. */
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import type { OrderChangePayload } from "#app/shopify/payloads/orders.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import { orderInCatalogue } from "./ledger/catalogue-view.server.ts";
import { ledgerOf } from "./ledger/ledger.ts";
import { takeIn } from "./ledger/upsert-order.server.ts";
import { openTask } from "./tasks/tasks.server.ts";
import { workOnOrder } from "./issuing/work.server.ts";

/** Stores what a report of an order says. */
export async function takeInOrder(shop: string, order: ShopOrder): Promise<void> {
  const { view, environment } = await orderInCatalogue(shop, order);
  await takeIn(shop, order, ledgerOf(order, view), environment);
}

/** Takes a report of an order in and does what follows from it. @throws InsuranceError, NotConnectedError: try again */
async function handleOrder(shop: string, order: ShopOrder): Promise<void> {
  await takeInOrder(shop, order);
  await workOnOrder(shop, order.id);
}

export async function handleOrderPaid(shop: string, order: ShopOrder): Promise<void> {
  await handleOrder(shop, { ...order, paid: true });
}

/** Cancellation is a fact about the order, whatever came first. */
export async function handleOrderCancelled(shop: string, order: ShopOrder): Promise<void> {
  await handleOrder(shop, { ...order, cancelledAt: order.cancelledAt ?? order.updatedAt });
}

/** After a refund or an edit, whose payloads carry only what changed: fetches the order as it is now. */
export async function handleOrderChanged(shop: string, { orderId }: OrderChangePayload): Promise<void> {
  await refreshOrder(shop, orderId);
}

/** Asks the platform for an order as it is now, takes it in and does what follows. */
async function refreshOrder(shop: string, orderId: string): Promise<void> {
  const order = await fetchOrder(shop, orderId);
  if (order) return handleOrder(shop, order);
  log.warn({ shop, orderId }, "the platform does not show an order that it sent an event about");
  const inForce = { shop, orderId, wanted: true, state: { not: "cancelled" } };
  if ((await db.insuredUnit.count({ where: inForce })) > 0) {
    await openTask({ shop, kind: "order_not_shown", orderId, details: {} });
  }
}

/** A payload that is not an order stays in the inbox, and a person has to look at it: a retry would not help. */
export async function openUnreadableEventTask(
  shop: string,
  details: { eventId: string; topic: string; problem: string },
): Promise<void> {
  await openTask({ shop, kind: "unreadable_event", about: details.eventId, details });
}
