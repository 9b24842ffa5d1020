/**
 * Manual fulfilment. Each order has one fulfilment order with all its lines, also those without shipping, unless a test
 * splits it. The order stays unfulfilled or partly fulfilled until every line is fulfilled.
 */
import { emitShopEvent } from "./events.ts";
import { nextId } from "./ids.ts";
import { fulfilledQuantity } from "./order-sums.ts";
import { findOrder, OrderRefused, touch } from "./orders.ts";
import type { Fulfilment, Order, OrderLine, ShopState } from "./state.ts";

/** Unfulfilled items of a line. */
export function leftToFulfil(order: Order, line: OrderLine): number {
  return order.cancelledAt !== null
    ? 0
    : Math.max(0, line.currentQuantity - fulfilledQuantity(order, line.id));
}

export function fulfilmentState(order: Order): "unfulfilled" | "partial" | "fulfilled" {
  if (order.fulfilments.length === 0) return "unfulfilled";
  return order.lines.some((line) => leftToFulfil(order, line) > 0) ? "partial" : "fulfilled";
}

/** Shopify archives a paid order after all its lines are fulfilled. */
export function isClosed(order: Order): boolean {
  return order.financialStatus === "paid" && fulfilmentState(order) === "fulfilled";
}

/** @throws OrderRefused if a line has fewer unfulfilled items, or the fulfilment is on hold */
export function fulfilLines(
  state: ShopState,
  orderId: string,
  lines: { lineId: string; quantity: number }[],
): Fulfilment {
  const order = findOrder(state, orderId);
  if (order.onHold) throw new OrderRefused("Fulfillment order is on hold.");
  for (const { lineId, quantity } of lines) {
    const line = order.lines.find(({ id }) => id === lineId);
    if (line === undefined || quantity < 1 || quantity > leftToFulfil(order, line))
      throw new OrderRefused("Invalid fulfillment order line item quantity requested.");
  }
  const fulfilment = { id: nextId(state, "fulfilment"), createdAt: new Date().toISOString(), lines };
  order.fulfilments.push(fulfilment);
  touch(order);
  const isWhole = fulfilmentState(order) === "fulfilled";
  emitShopEvent(state, { topic: isWhole ? "orders/fulfilled" : "orders/partially_fulfilled", order });
  emitShopEvent(state, { topic: "orders/updated", order });
  return fulfilment;
}
