import { storeAndReconcile } from "#app/issuing/store-and-reconcile.server.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { withPayload } from "./topic-handler.ts";

/**
 * Stores the order and cancels its contracts if the payload says that the order is cancelled. The signature does not
 * cover the topic header, and a cancelled contract cannot be restored.
 */
export const ordersCancelled = withPayload(parseOrderPayload, async (shop, order) => {
  await storeAndReconcile(shop, order, "delivered");
});
