import { storeAndReconcile } from "#app/issuing/store-and-reconcile.server.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { withPayload } from "./topic-handler.ts";

/** Stores the order and creates the contracts of its insured items. */
export const ordersPaid = withPayload(parseOrderPayload, async (shop, order) => {
  await storeAndReconcile(shop, { ...order, paid: true }, "delivered");
});
