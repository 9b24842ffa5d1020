/** What an order and its lines come to, minor units. */
import type { Order, OrderLine } from "./state.ts";

/** What the customer paid, minor units: lines less their discounts, and shipping. Prices hold the taxes. */
export function orderTotal(order: Order): number {
  return order.lines.reduce(
    (sum, line) => sum + line.price * line.quantity - discount(line),
    order.shippingPrice,
  );
}

export function refunded(order: Order): number {
  return order.refunds.reduce(
    (sum, refund) => sum + refund.transactions.reduce((part, each) => part + each.amount, 0),
    0,
  );
}

/** The discounts on a line, together. */
export function discount(line: OrderLine): number {
  return line.discounts.reduce((sum, each) => sum + each, 0);
}

/** What so many pieces of a line cost after discounts; the last cents go with the first pieces. */
export function subtotal(line: OrderLine, quantity: number): number {
  return Math.floor(((line.price * line.quantity - discount(line)) * quantity) / line.quantity);
}
