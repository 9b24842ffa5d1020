/**
 * The handler of each webhook topic. One row per topic of shopify.app.toml.
 */
import { handleProductChanged, handleShopCurrency } from "#app/catalogue/runs/events.server.ts";
import { findEvent, markEventDone, markEventFailed } from "#app/webhooks/inbox.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import {
  handleScopesUpdate,
  handleShopRedact,
  handleAppUninstalled,
} from "#app/merchants/lifecycle.server.ts";
import { refreshMerchant } from "#app/merchants/merchant.server.ts";
import { log } from "#app/platform/log.server.ts";
import {
  handleOrderCancelled,
  handleOrderEdited,
  handleOrderPaid,
  handleRefund,
} from "#app/plans/events.server.ts";
import { erasedOrders } from "#app/plans/privacy.server.ts";
import { handleCustomerRedact, handleDataRequest } from "#app/compliance/customer-data.server.ts";

/** @param at when it happened according to the platform, else when it was received */
type WebhookHandler = (shop: string, body: string, eventId: string, at: Date) => Promise<void>;

const handlers: Record<string, WebhookHandler> = {
  "orders/paid": handleOrderPaid,
  "orders/cancelled": handleOrderCancelled,
  "orders/edited": handleOrderEdited,
  "refunds/create": handleRefund,
  "products/create": handleProductChanged,
  "products/update": handleProductChanged,
  "shop/update": async (shop) => {
    await refreshMerchant(shop);
    await handleShopCurrency(shop);
  },
  "app/uninstalled": (shop, _body, _eventId, at) => handleAppUninstalled(shop, at),
  "app/scopes_update": handleScopesUpdate,
  "customers/data_request": handleDataRequest,
  "customers/redact": handleCustomerRedact,
  "shop/redact": handleShopRedact,
};

/** Processes one stored event. A handler's error is recorded with the event, and the queue retries it. */
export async function processEvent({ shop, eventId }: JobPayloads["platform-event"]): Promise<void> {
  const event = await findEvent(shop, eventId);
  if (!event || event.state === "done") return;
  const handle = handlers[event.topic];
  if (!handle) log.warn({ shop, topic: event.topic }, "webhook topic without a handler");
  try {
    await handle?.(shop, event.body, eventId, event.triggeredAt ?? event.receivedAt);
  } catch (error) {
    await markEventFailed(shop, eventId, error instanceof Error ? error.message : String(error));
    throw error;
  }
  await markEventDone(shop, eventId, erasedOrders);
}
