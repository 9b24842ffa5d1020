/** The task of a webhook that no attempt could process: a person has it processed again, or closes it. */
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
 * Opens the task and leaves the webhook to it, both at once: the task offers to process the webhook again, which must
 * not have happened by then.
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

/** An operator had the webhook processed, without its task. */
export async function closeFailedWebhookTask(shop: string, inboxId: string): Promise<void> {
  await db.task.updateMany({
    where: openTaskOf(shop, inboxId),
    data: { closedAt: new Date(), outcome: "obsolete" },
  });
}
