/** The sums of an order and its lines, in minor units. */
import type { Allocation, Order, OrderLine, Refund, RefundTransaction } from "./state.ts";
import { taxOn } from "./taxes.ts";

/** The customer's total: lines and shipping less their discounts, added taxes, and the tip. */
export function orderTotal(order: Order): number {
  return linesTotal(order) + shippingTotal(order) + order.tip + (order.taxesIncluded ? 0 : orderTax(order));
}

/** All lines less their discounts. */
export function linesTotal({ lines }: Order): number {
  return lines.reduce((sum, line) => sum + line.price * line.quantity - discount(line), 0);
}

export function shippingTotal(order: Order): number {
  return order.shippingPrice - sumOf(order.shippingDiscounts);
}

/** The taxes of an order, included in its prices or added to them. */
export function orderTax(order: Order): number {
  // If prices include taxes, the demo shop's whole total does.
  if (order.taxesIncluded) return taxOn(linesTotal(order) + shippingTotal(order), order);
  return order.lines
    .filter(({ taxable }) => taxable)
    .reduce(
      (sum, line) => sum + taxOn(line.price * line.quantity - discount(line), order),
      taxOn(shippingTotal(order), order),
    );
}

/** The sum of the payments so far. */
export function received(order: Order): number {
  return order.payments.reduce((sum, { amount }) => sum + amount, 0);
}

/** What was refunded, or is about to be. */
export function refunded(
  order: Order,
  statuses: RefundTransaction["status"][] = ["pending", "success"],
): number {
  return order.refunds
    .flatMap(({ transactions }) => transactions)
    .reduce((sum, { amount, status }) => sum + (statuses.includes(status) ? amount : 0), 0);
}

/** The difference between the paid amount of a refund and the calculated one; negative: more was paid. */
export function refundDiscrepancy(
  { taxesIncluded }: Order,
  { lines, shipping, shippingTax, transactions }: Refund,
) {
  const addedTax = (tax: number) => (taxesIncluded ? 0 : tax);
  const calculated = lines.reduce(
    (sum, { subtotal: price, tax }) => sum + price + addedTax(tax),
    shipping + addedTax(shippingTax),
  );
  return calculated - transactions.reduce((sum, { amount }) => sum + amount, 0);
}

/** Fulfilled items of a line. */
export function fulfilledQuantity({ fulfilments }: Order, lineId: string): number {
  return fulfilments
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + (line.lineId === lineId ? line.quantity : 0), 0);
}

/** The sum of the discounts on a line. */
export function discount(line: OrderLine): number {
  return sumOf(line.discounts);
}

/** The sum of the discounts on lines and shipping. */
export function orderDiscounts(order: Order): number {
  return order.lines.reduce((sum, line) => sum + discount(line), sumOf(order.shippingDiscounts));
}

/** The price of a number of items of a line after discounts; the first items get the rounding remainder. */
export function subtotal(line: OrderLine, quantity: number): number {
  return Math.floor(((line.price * line.quantity - discount(line)) * quantity) / line.quantity);
}

/** The gateways of the payments, each once. */
export function gateways(order: Order): string[] {
  return [...new Set(order.payments.map(({ gateway }) => gateway))];
}

function sumOf(allocations: readonly Allocation[]): number {
  return allocations.reduce((sum, { amount }) => sum + amount, 0);
}
