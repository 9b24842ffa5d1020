import { parseOrderDeletePayload } from "#app/shopify/payloads/order-changes.ts";
import { followOrderDeletion } from "./order-change.server.ts";
import { withPayload } from "./topic-handler.ts";

/**
 * Staff deleted an order. The body has no more than its id, and no signature covers the topic: another webhook's body
 * could be sent as this one. So the order is read from Shopify, and no contract ends because of it: a task asks a person.
 */
export const ordersDelete = withPayload(parseOrderDeletePayload, followOrderDeletion);
