import { storeAndReconcile } from "#app/issuing/store-and-reconcile.server.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { withPayload } from "./topic-handler.ts";

/**
 * Stores the order and cancels its contracts, if the payload itself says that it is cancelled: no signature covers the
 * header that names the topic, and a cancelled contract cannot be restored.
 */
export const ordersCancelled = withPayload(parseOrderPayload, async (shop, order) => {
  await storeAndReconcile(shop, order, "delivered");
});
