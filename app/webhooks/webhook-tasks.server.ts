/** The task of a webhook that failed at every attempt: a person processes it again, or closes the task. */
import { leaveWebhookToTask } from "#app/inbox/stored-webhooks.server.ts";
import { openTask } from "#app/orders/tasks/tasks.server.ts";
import { db } from "#app/platform/db.server.ts";

interface FailedWebhook {
  shop: string;
  inboxId: string;
  topic: string;
  orderId: string | null;
}

/**
 * Opens the task and leaves the webhook to it in one transaction, so that the task never offers a webhook that was
 * processed in the meantime.
 */
export async function openWebhookTask(
  kind: "unreadable_webhook" | "webhook_failed",
  { shop, inboxId, topic, orderId }: FailedWebhook,
  problem: string,
): Promise<void> {
  const about = orderId === null ? {} : { orderId };
  await db.$transaction(async (tx) => {
    await openTask({ shop, kind, subjectId: inboxId, details: { inboxId, topic, problem }, ...about }, tx);
    await leaveWebhookToTask(tx, shop, inboxId);
  });
}

const openTaskOf = (shop: string, inboxId: string) => ({
  shop,
  kind: "webhook_failed",
  closedAt: null,
  details: { path: ["inboxId"], equals: inboxId },
});

export async function hasFailedWebhookTask(shop: string, inboxId: string): Promise<boolean> {
  return (await db.task.count({ where: openTaskOf(shop, inboxId) })) > 0;
}

/** Closes the task after an operator has processed the webhook without it. */
export async function closeFailedWebhookTask(shop: string, inboxId: string): Promise<void> {
  await db.task.updateMany({
    where: openTaskOf(shop, inboxId),
    data: { closedAt: new Date(), outcome: "obsolete" },
  });
}
