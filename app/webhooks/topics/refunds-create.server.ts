import { parseRefundPayload } from "#app/shopify/payloads/order-changes.ts";
import { followOrderChange } from "./order-change.server.ts";
import { withPayload } from "./topic-handler.ts";

/** Items of the order were refunded: their contracts are cancelled. */
export const refundsCreate = withPayload(parseRefundPayload, followOrderChange);
