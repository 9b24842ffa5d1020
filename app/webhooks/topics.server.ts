/**
 * What each topic of the platform leads to. One row per topic of shopify.app.toml.
 */
import { handleProductChanged, handleShopCurrency } from "#app/catalogue/runs/events.server.ts";
import { findEvent, markDone, markFailed } from "#app/webhooks/inbox.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { handleScopesUpdate, handleShopRedact, handleUninstalled } from "#app/merchants/lifecycle.server.ts";
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

/** @param at when it happened, as the platform says; where it does not, when it was received */
type Handle = (shop: string, body: string, eventId: string, at: Date) => Promise<void>;

const topics: Record<string, Handle> = {
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
  "app/uninstalled": (shop, _body, _eventId, at) => handleUninstalled(shop, at),
  "app/scopes_update": handleScopesUpdate,
  "customers/data_request": handleDataRequest,
  "customers/redact": handleCustomerRedact,
  "shop/redact": handleShopRedact,
};

/** Works off one stored event. What a handler throws is noted with the event, and the queue tries again. */
export async function handlePlatformEvent({ shop, eventId }: JobPayloads["platform-event"]): Promise<void> {
  const event = await findEvent(shop, eventId);
  if (!event || event.state === "done") return;
  const handle = topics[event.topic];
  if (!handle) log.warn({ shop, topic: event.topic }, "an event that nothing here handles");
  try {
    await handle?.(shop, event.body, eventId, event.triggeredAt ?? event.receivedAt);
  } catch (error) {
    await markFailed(shop, eventId, error instanceof Error ? error.message : String(error));
    throw error;
  }
  await markDone(shop, eventId, erasedOrders);
}
