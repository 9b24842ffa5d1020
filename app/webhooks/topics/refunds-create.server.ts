import { parseRefundPayload } from "#app/shopify/payloads/order-changes.ts";
import { followOrderChange } from "./order-change.server.ts";
import { withPayload } from "./topic-handler.ts";

/** Cancels the contracts of refunded items. */
export const refundsCreate = withPayload(parseRefundPayload, followOrderChange);
