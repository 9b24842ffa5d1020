/** Stores webhooks, each once, with the job that processes it. */
import { z } from "zod";
import { type JobOrigin, sendJobs } from "#app/jobs/queue.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { VerifiedWebhook } from "#app/shopify/webhook.server.ts";

/** A webhook in its stored form. */
export type SealedWebhook = Omit<VerifiedWebhook, "body"> & {
  /** the result of `sealBody` */
  sealedBody: string;
  /** the key that seals it */
  dataKeyId: string;
  origin: JobOrigin;
};

/** `unknown_shop`: no shop has this key. Only `stored` writes anything. */
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
  // After the commit: a waiting job may run at any time, and would miss uncommitted rows. If this fails, Shopify
  // delivers again, and the duplicate sends the job.
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

const webhookKeys = z.array(z.object({ shop: z.string(), id: z.string() }));

async function insertWebhooks(
  tx: Transaction,
  webhooks: readonly SealedWebhook[],
): Promise<InboxWriteResult[]> {
  // Sorted, so that two transactions with the same webhooks cannot deadlock. `receivedAt` is the database's clock.
  const rows = await tx.$queryRaw`
    INSERT INTO "Webhook" (shop, id, topic, "orderId", "webhookId", "eventId", "triggeredAt", "sealedBody")
    SELECT w.shop, w.id, w.topic, w."orderId", w."webhookId", w."eventId", w."triggeredAt", w."sealedBody"
    FROM json_to_recordset(${JSON.stringify(webhooks)}::json) AS w (shop text, id text, topic text, "orderId" text,
        "webhookId" text, "eventId" text, "triggeredAt" timestamptz, "sealedBody" text, "dataKeyId" text)
      JOIN "Merchant" AS m ON m.shop = w.shop AND m."dataKeyId" = w."dataKeyId"
    ORDER BY w.shop, w.id
    ON CONFLICT DO NOTHING
    RETURNING shop, id`;
  const inserted = new Set(webhookKeys.parse(rows).map(keyOf));
  // Of the same webhook twice in one batch, the first is the stored one.
  const isStored = webhooks.map((webhook) => inserted.delete(keyOf(webhook)));
  const skipped = webhooks.filter((_, index) => isStored[index] !== true);
  const isKnown = await findKnownKeys(tx, skipped);
  return webhooks.map((webhook, index) => {
    if (isStored[index] === true) return "stored";
    return isKnown(webhook) ? "duplicate" : "unknown_shop";
  });
}

/** Whether there is a shop with the key that a webhook is sealed with. */
async function findKnownKeys(
  tx: Transaction,
  webhooks: readonly SealedWebhook[],
): Promise<(webhook: SealedWebhook) => boolean> {
  if (webhooks.length === 0) return () => false;
  const merchants = await tx.merchant.findMany({
    where: { shop: { in: [...new Set(webhooks.map(({ shop }) => shop))] } },
    select: { shop: true, dataKeyId: true },
  });
  const keyIds = new Map(merchants.map(({ shop, dataKeyId }) => [shop, dataKeyId]));
  return ({ shop, dataKeyId }) => keyIds.get(shop) === dataKeyId;
}
