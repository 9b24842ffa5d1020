import type { TestApp } from "#test/faults/stage.ts";
import { customer, linesFor } from "#test/orders/references.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";

/**
 * Pays an insured order in a shop whose webhooks the bench delivers itself, and returns the body of its orders/paid.
 */
export function paidOrder({ references }: TestApp, shop: ShopSandbox): { orderId: string; body: string } {
  const { phone, plan } = linesFor(shop.state, references);
  const email = `ana${shop.state.orders.size}@example.com`;
  const order = createPaidOrder(shop.state, { lines: [phone, plan], email, billingAddress: customer });
  const delivery = shop.webhooks.log.findLast(({ topic }) => topic === "orders/paid");
  shop.webhooks.log.length = 0;
  if (!delivery) throw new Error("The shop sent no webhook");
  return { orderId: order.id, body: delivery.body };
}
