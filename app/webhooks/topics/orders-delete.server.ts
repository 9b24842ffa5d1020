import { log } from "#app/platform/log.server.ts";
import { parseOrderDeletePayload } from "#app/shopify/payloads/order-changes.ts";
import { withPayload } from "./topic-handler.ts";

/**
 * Staff deleted an order. The body has no more than its id, and no signature covers the topic: another webhook's body
 * could be sent as this one. So contracts must not end because of it.
 */
export const ordersDelete = withPayload(parseOrderDeletePayload, (shop, orderId) => {
  log.info({ shop, orderId }, "Shopify reports that an order was deleted");
  return Promise.resolve();
});
