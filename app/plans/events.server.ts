/** The platform's events about orders: what is stored first, then worked on. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { readOrderIdOfEdit, readOrderIdOfRefund, parseOrderPayload } from "#app/shopify/order-payload.ts";
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

export async function handleOrderPaid(shop: string, body: string, eventId: string): Promise<void> {
  const order = await readOrTask(shop, "orders/paid", eventId, () => parseOrderPayload(body));
  if (order) await handleOrder(shop, { ...order, paid: true });
}

/** Cancellation is a fact about the order, whatever came first. */
export async function handleOrderCancelled(shop: string, body: string, eventId: string): Promise<void> {
  const order = await readOrTask(shop, "orders/cancelled", eventId, () => parseOrderPayload(body));
  if (order) await handleOrder(shop, { ...order, cancelledAt: order.cancelledAt ?? order.updatedAt });
}

/** A refund says what went; what is left of the order is asked of the platform. */
export async function handleRefund(shop: string, body: string, eventId: string): Promise<void> {
  const orderId = await readOrTask(shop, "refunds/create", eventId, () => readOrderIdOfRefund(body));
  if (orderId !== null) await refreshOrder(shop, orderId);
}

export async function handleOrderEdited(shop: string, body: string, eventId: string): Promise<void> {
  const orderId = await readOrTask(shop, "orders/edited", eventId, () => readOrderIdOfEdit(body));
  if (orderId !== null) await refreshOrder(shop, orderId);
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

/** What is not an order is kept as it came, and a person is asked; repeating would not make it one. */
async function readOrTask<T>(shop: string, topic: string, eventId: string, read: () => T): Promise<T | null> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError || error instanceof RangeError))
      throw error;
    const problem = error instanceof z.ZodError ? z.prettifyError(error).slice(0, 500) : error.message;
    await openTask({
      shop,
      kind: "unreadable_event",
      about: eventId,
      details: { eventId, topic, problem },
    });
    return null;
  }
}
