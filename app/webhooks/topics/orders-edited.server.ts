import { parseOrderEditPayload } from "#app/shopify/payloads/order-changes.ts";
import { followOrderChange } from "./order-change.server.ts";
import { withPayload } from "./topic-handler.ts";

/** Items were added to the order or removed from it: their contracts are created or cancelled. */
export const ordersEdited = withPayload(parseOrderEditPayload, followOrderChange);
