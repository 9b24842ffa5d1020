/** Stores webhooks, each once, with the job that processes it. */
import { type JobOrigin, sendJobs } from "#app/jobs/queue.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { VerifiedWebhook } from "#app/shopify/webhook.server.ts";

/** A webhook as it is stored. */
export type SealedWebhook = Omit<VerifiedWebhook, "body"> & {
  /** by `sealBody` */
  sealedBody: string;
  /** the key that it is sealed with */
  dataKeyId: string;
  origin: JobOrigin;
};

/** `unknown_shop`: there is no such shop with this key. Only `stored` writes anything. */
export type InboxWriteResult = "stored" | "duplicate" | "unknown_shop";

/**
 * Stores webhooks and their jobs in one transaction: both or neither. A shop's product webhooks share one job.
 * @returns each webhook's result, in the order given
 */
export async function storeWebhooks(webhooks: readonly SealedWebhook[]): Promise<InboxWriteResult[]> {
  const results = await db.$transaction(async (tx) => {
    const inserted = await insertWebhooks(tx, webhooks);
    const stored = webhooks.filter((webhook, index) => inserted[index] === "stored" && !isOfProduct(webhook));
    await sendJobs(
      tx,
      "webhook",
      stored.map(({ shop, id, origin }) => ({ payload: { shop, inboxId: id }, origin })),
    );
    return inserted;
  });
  // After the commit: a job that waits already may run at any time, and would miss rows that are not committed. If this
  // fails, Shopify delivers again, and the duplicate sends the job.
  const ofProducts = webhooks.filter(
    (webhook, index) => results[index] !== "unknown_shop" && isOfProduct(webhook),
  );
  const shops = new Set(ofProducts.map(({ shop }) => shop));
  await sendJobs(
    db,
    "product-webhooks",
    [...shops].map((shop) => ({ payload: { shop }, singletonKey: shop })),
  );
  return results;
}

const isOfProduct = ({ topic }: SealedWebhook) => topic.startsWith("products/");
const keyOf = ({ shop, id }: { shop: string; id: string }) => `${shop} ${id}`;

async function insertWebhooks(
  tx: Transaction,
  webhooks: readonly SealedWebhook[],
): Promise<InboxWriteResult[]> {
  const merchants = await tx.merchant.findMany({
    where: { shop: { in: [...new Set(webhooks.map(({ shop }) => shop))] } },
    select: { shop: true, dataKeyId: true },
  });
  const keyIds = new Map(merchants.map(({ shop, dataKeyId }) => [shop, dataKeyId]));
  const isKnown = ({ shop, dataKeyId }: SealedWebhook) => keyIds.get(shop) === dataKeyId;
  const rows = await tx.webhook.createManyAndReturn({
    data: webhooks
      .filter(isKnown)
      .map(({ shop, id, topic, orderId, webhookId, eventId, triggeredAt, sealedBody }) => ({
        shop,
        id,
        topic,
        orderId,
        webhookId,
        eventId,
        triggeredAt,
        sealedBody,
      }))
      // In one order everywhere, so that two transactions with the same webhooks cannot deadlock.
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    skipDuplicates: true,
    select: { shop: true, id: true },
  });
  const inserted = new Set(rows.map(keyOf));
  return webhooks.map((webhook) => {
    if (!isKnown(webhook)) return "unknown_shop";
    // Of the same webhook twice in one batch, the first is the stored one.
    return inserted.delete(keyOf(webhook)) ? "stored" : "duplicate";
  });
}
