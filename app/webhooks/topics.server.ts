/**
 * The parser and the handler of each webhook topic. One row per topic of shopify.app.toml, but those about products
 * (product-events.server.ts).
 */
import { handleShopCurrency } from "#app/catalogue/runs/runs.server.ts";
import { handleCustomerRedact, handleDataRequest } from "#app/compliance/customer-data.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { handleShopRedact } from "#app/compliance/shop-erasure.server.ts";
import {
  handleAppUninstalled,
  handleScopesUpdate,
  refreshMerchant,
} from "#app/merchants/lifecycle.server.ts";
import { db } from "#app/platform/db.server.ts";
import { describeError } from "#app/platform/describe-error.ts";
import { addToLogContext, log } from "#app/platform/log.server.ts";
import { metrics, secondsSince } from "#app/platform/metrics.server.ts";
import {
  closeFailedEventTask,
  handleOrderCancelled,
  handleOrderChanged,
  handleOrderFulfilled,
  handleOrderPaid,
  hasFailedEventTask,
  openEventTask,
} from "#app/plans/order-webhooks.server.ts";
import { makeOrdersDue } from "#app/plans/reconciler/schedule.server.ts";
import { ordersWithCustomer } from "#app/plans/plan-rows.server.ts";
import { parseCustomerRedactPayload, parseDataRequestPayload } from "#app/shopify/payloads/customers.ts";
import { parseOrderEditPayload, parseRefundPayload } from "#app/shopify/payloads/order-changes.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { UnreadablePayload } from "#app/shopify/payloads/payload.ts";
import {
  findEvent,
  findGivenUpEvents,
  leaveEventToTask,
  markEventDone,
  markEventFailed,
  type ReceivedEvent,
} from "./inbox.server.ts";
import type { Topic } from "./topics.ts";

type EventHandler = (event: ReceivedEvent) => Promise<void>;

/** A topic whose payload matters: where it was erased there is nothing left to do. */
function parsed<T>(
  parse: (body: string) => T,
  handle: (shop: string, payload: T, inboxId: string) => Promise<void>,
): EventHandler {
  return async ({ shop, body, id }) => {
    if (body !== "") await handle(shop, parse(body), id);
  };
}

const handlers: Partial<Record<string, EventHandler>> = {
  "orders/paid": parsed(parseOrderPayload, handleOrderPaid),
  "orders/cancelled": parsed(parseOrderPayload, handleOrderCancelled),
  "orders/fulfilled": parsed(parseOrderPayload, handleOrderFulfilled),
  "orders/partially_fulfilled": parsed(parseOrderPayload, handleOrderFulfilled),
  "orders/edited": parsed(parseOrderEditPayload, handleOrderChanged),
  "refunds/create": parsed(parseRefundPayload, handleOrderChanged),
  "shop/update": async ({ shop }) => {
    await refreshMerchant(shop);
    await handleShopCurrency(shop);
  },
  "app/uninstalled": ({ shop, triggeredAt, receivedAt }) =>
    handleAppUninstalled(shop, triggeredAt ?? receivedAt),
  "app/scopes_update": async ({ shop }) => {
    await handleScopesUpdate(shop);
    await makeOrdersDue(shop);
  },
  "customers/data_request": parsed(parseDataRequestPayload, handleDataRequest),
  "customers/redact": parsed(parseCustomerRedactPayload, handleCustomerRedact),
  "shop/redact": ({ shop }) => handleShopRedact(shop),
} satisfies Record<Exclude<Topic, `products/${string}`>, EventHandler>;

/** What must not go unnoticed where it cannot be read: a plan or a customer's right may depend on it. */
const topicsWithTask = /^(orders|refunds|customers)\//;

/** Limit of one hour; the next hour reports the others. */
const MAX_REPORTED = 1_000;

/**
 * Every hour: an event whose job has used up its retries becomes a task of its merchant, once for each time. Its body is
 * kept, so the task can have it processed again.
 */
export async function reportFailedEvents(): Promise<void> {
  const givenUp = await findGivenUpEvents(topicsWithTask, MAX_REPORTED);
  for (const { shop, id: inboxId, topic, orderId, error } of givenUp) {
    log.error({ shop, topic, inboxId }, "Failed to process a webhook at every attempt: opened a task");
    await db.$transaction(async (tx) => {
      await openEventTask(tx, shop, "event_failed", { inboxId, topic, problem: error ?? "" }, orderId);
      await leaveEventToTask(tx, shop, inboxId);
    });
  }
}

/**
 * Processes one stored event. A handler's error is recorded with the event, and the queue retries it; a payload that
 * is not what its topic promises stays so, and is not retried.
 */
export async function processEvent({ shop, inboxId }: JobPayloads["platform-event"]): Promise<void> {
  const event = await findEvent(shop, inboxId);
  if (!event) return;
  // An operator sends the job of a dead letter again, whose event was left to a task meanwhile.
  const isOfTask = event.state === "done";
  if (isOfTask && (event.body === "" || !(await hasFailedEventTask(shop, inboxId)))) return;
  const { topic } = event;
  addToLogContext({ topic, ...(event.orderId === null ? {} : { orderId: event.orderId }) });
  // A person has it processed again.
  if (topic.startsWith("products/")) return sendJob("product-events", { shop }, { singletonKey: shop });
  const handle = handlers[topic];
  if (!handle) log.warn({ shop, topic }, "Skipped a webhook: its topic has no handler");
  try {
    await handle?.(event);
  } catch (error) {
    if (!(error instanceof UnreadablePayload)) {
      await markEventFailed(shop, inboxId, describeError(error).message);
      throw error;
    }
    log.warn({ shop, topic, inboxId }, "Failed to parse the webhook's payload");
    if (!topicsWithTask.test(topic)) return markEventFailed(shop, inboxId, error.message);
    const unreadable = { inboxId, topic, problem: error.message };
    // Both at once: the task offers to process the event again, which must not have happened by then.
    return db.$transaction(async (tx) => {
      await openEventTask(tx, shop, "unreadable_event", unreadable);
      await leaveEventToTask(tx, shop, inboxId);
    });
  }
  if (isOfTask) await closeFailedEventTask(shop, inboxId);
  await markEventDone(shop, inboxId, ordersWithCustomer);
  metrics.webhookDoneLag.observe(secondsSince(event.triggeredAt ?? event.receivedAt));
}
