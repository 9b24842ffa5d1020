import { parseOrderEditPayload } from "#app/shopify/payloads/order-changes.ts";
import { followOrderChange } from "./order-change.server.ts";
import { withPayload } from "./topic-handler.ts";

/** Creates or cancels contracts for items added to the order or removed from it. */
export const ordersEdited = withPayload(parseOrderEditPayload, followOrderChange);
