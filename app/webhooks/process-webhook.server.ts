/** Processes stored webhooks with the handler of their topic. */
import {
  findFailedWebhooks,
  findWebhook,
  markWebhookDone,
  markWebhookFailed,
} from "#app/inbox/stored-webhooks.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { ordersWithCustomer } from "#app/privacy/order-privacy.server.ts";
import { db } from "#app/platform/db.server.ts";
import { describeError } from "#app/platform/describe-error.ts";
import { addToLogContext, log } from "#app/platform/log.server.ts";
import { metrics, secondsSince } from "#app/platform/metrics.server.ts";
import { UnreadablePayload } from "#app/shopify/payloads/payload.ts";
import type { Topic } from "./topics.ts";
import { appScopesUpdate } from "./topics/app-scopes-update.server.ts";
import { appUninstalled } from "./topics/app-uninstalled.server.ts";
import { customersDataRequest } from "./topics/customers-data-request.server.ts";
import { customersRedact } from "./topics/customers-redact.server.ts";
import { ordersCancelled } from "./topics/orders-cancelled.server.ts";
import { ordersDelete } from "./topics/orders-delete.server.ts";
import { ordersEdited } from "./topics/orders-edited.server.ts";
import { ordersFulfilled } from "./topics/orders-fulfilled.server.ts";
import { ordersPaid } from "./topics/orders-paid.server.ts";
import { refundsCreate } from "./topics/refunds-create.server.ts";
import { shopRedact } from "./topics/shop-redact.server.ts";
import { shopUpdate } from "./topics/shop-update.server.ts";
import type { TopicHandler } from "./topics/topic-handler.ts";
import { closeFailedWebhookTask, hasFailedWebhookTask, openWebhookTask } from "./webhook-tasks.server.ts";

/** Product webhooks have a job of their own, which processes all of a shop's together (topics/products.server.ts). */
const handlers: Partial<Record<string, TopicHandler>> = {
  "orders/paid": ordersPaid,
  "orders/cancelled": ordersCancelled,
  "orders/fulfilled": ordersFulfilled,
  "orders/partially_fulfilled": ordersFulfilled,
  "orders/edited": ordersEdited,
  "refunds/create": refundsCreate,
  "orders/delete": ordersDelete,
  "shop/update": shopUpdate,
  "app/uninstalled": appUninstalled,
  "app/scopes_update": appScopesUpdate,
  "customers/data_request": customersDataRequest,
  "customers/redact": customersRedact,
  "shop/redact": shopRedact,
} satisfies Record<Exclude<Topic, `products/${string}`>, TopicHandler>;

/** Topics on which a contract or a customer's right may depend: a webhook that cannot be processed becomes a task. */
const topicsWithTask = /^(orders|refunds|customers)\//;

/** Limit per hour; the next hour reports the others. */
const MAX_REPORTED = 1_000;

/**
 * Every hour: opens a task for each webhook whose job has used up its retries. The body is kept, so that the task can
 * process it again.
 */
export async function reportFailedWebhooks(): Promise<void> {
  const failed = await findFailedWebhooks(topicsWithTask, MAX_REPORTED);
  for (const { shop, id: inboxId, topic, orderId, error } of failed) {
    log.error({ shop, topic, inboxId }, "Failed to process a webhook at every attempt: opened a task");
    await openWebhookTask("webhook_failed", { shop, inboxId, topic, orderId }, error ?? "");
  }
}

/**
 * Processes one stored webhook. A handler's error is recorded with it, and the queue retries. An unreadable payload
 * is not retried.
 */
export async function processWebhook({ shop, inboxId }: JobPayloads["webhook"]): Promise<void> {
  const webhook = await findWebhook(shop, inboxId);
  if (!webhook) return;
  // An operator replays a dead letter whose webhook was left to a task in the meantime.
  const isOfTask = webhook.state === "done";
  if (isOfTask && (webhook.body === "" || !(await hasFailedWebhookTask(shop, inboxId)))) return;
  const { topic } = webhook;
  addToLogContext({ topic, ...(webhook.orderId === null ? {} : { orderId: webhook.orderId }) });
  // A person requested that a product webhook be processed again.
  if (topic.startsWith("products/")) return sendJob(db, "product-webhooks", { shop }, { singletonKey: shop });
  const handle = handlers[topic];
  if (!handle) log.warn({ shop, topic }, "Skipped a webhook: its topic has no handler");
  try {
    await handle?.(webhook);
  } catch (error) {
    if (!(error instanceof UnreadablePayload)) {
      await markWebhookFailed(shop, inboxId, describeError(error).message);
      throw error;
    }
    log.warn({ shop, topic, inboxId }, "Failed to parse the webhook's payload");
    if (!topicsWithTask.test(topic)) return markWebhookFailed(shop, inboxId, error.message);
    return openWebhookTask("unreadable_webhook", { shop, inboxId, topic, orderId: null }, error.message);
  }
  if (isOfTask) await closeFailedWebhookTask(shop, inboxId);
  await markWebhookDone(shop, inboxId, ordersWithCustomer);
  metrics.webhookDoneLag.observe(secondsSince(webhook.triggeredAt ?? webhook.receivedAt));
}
