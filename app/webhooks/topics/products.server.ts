/**
 * products/create, products/update and products/delete: one job processes all of a shop's pending webhooks. A price import sends
 * thousands, and Shopify lets the app read about ten products a second.
 */
import {
  findProductsToRead,
  followProducts,
} from "#app/catalogue/product-categories/product-webhook.server.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";
import { markProductWebhooksDone, readProductWebhooks } from "#app/inbox/product-webhooks.server.ts";
import { openBody } from "#app/inbox/sealed-body.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { hasJob } from "#app/jobs/queue-tables.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { JobContext } from "#app/jobs/worker.server.ts";
import { findDataKey } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { UnreadablePayload } from "#app/shopify/payloads/payload.ts";
import { parseProductPayload } from "#app/shopify/payloads/products.ts";
import type { ProductPayload } from "#app/shopify/payloads/products.ts";

const JOB = "product-webhooks";

/** Webhooks that one statement reads. Order webhooks are processed between two batches. */
const BATCH_SIZE = 100;
/** Webhooks that one statement marks as done. */
const MARKED_AT_ONCE = 500;
/** Limit of webhooks to read before their products are read. */
const MAX_WEBHOOKS = 20_000;
/** Above this number of products, all of the shop's are read in bulk: that costs 10 points, one product about 10. */
const IN_BULK_FROM = 500;

/** Products to read, each with its webhooks. */
type WebhooksByProduct = Map<string, string[]>;

export async function processProductWebhooks(
  { shop }: JobPayloads[typeof JOB],
  { signal, isTimeSliceUsed }: JobContext,
): Promise<void> {
  try {
    for (let isMore = true; isMore;) {
      const waiting = await takeWaiting(shop, signal);
      if (waiting.products.size >= IN_BULK_FROM) await readInBulk(shop, waiting.products);
      else await readProducts(shop, waiting.products, signal);
      isMore = waiting.isCutOff;
      if (isMore && isTimeSliceUsed()) {
        await sendJob(db, JOB, { shop }, { singletonKey: shop });
        return;
      }
    }
  } catch (error) {
    // One waiting retry processes all pending webhooks, so a burst needs no further retries.
    if (!(await hasJob(JOB, shop, ["retry"]))) throw error;
    log.warn(
      { err: error, shop, job: JOB },
      "Failed to process product webhooks; the job's retry processes them",
    );
  }
}

/** Reads the pending webhooks. Those without a relevant change are marked as done. */
async function takeWaiting(
  shop: string,
  signal: AbortSignal,
): Promise<{ products: WebhooksByProduct; isCutOff: boolean }> {
  const products: WebhooksByProduct = new Map();
  const key = await findDataKey(shop);
  // The shop's data was erased in the meantime.
  if (!key) return { products, isCutOff: false };
  let after = "";
  for (let read = 0; read < MAX_WEBHOOKS; read += BATCH_SIZE) {
    signal.throwIfAborted();
    const webhooks = await readProductWebhooks(shop, after, BATCH_SIZE);
    const parsed: { id: string; payload: ProductPayload | null }[] = [];
    for (const { id, sealedBody } of webhooks) {
      const payload = sealedBody === "" ? null : readPayload(key, id, sealedBody);
      if (payload instanceof Error) {
        log.warn({ err: payload, shop, inboxId: id }, "Failed to parse the webhook's payload");
        await markDone(shop, [id], payload.message);
      } else parsed.push({ id, payload });
    }
    const toRead = await findProductsToRead(
      shop,
      parsed.flatMap(({ payload }) => payload ?? []),
    );
    const done: string[] = [];
    for (const { id, payload } of parsed) {
      if (payload === null || !toRead.has(payload.id)) done.push(id);
      else {
        const ids = products.get(payload.id);
        if (ids) ids.push(id);
        else products.set(payload.id, [id]);
      }
    }
    await markDone(shop, done, null);
    const last = webhooks.at(-1);
    if (!last || webhooks.length < BATCH_SIZE) return { products, isCutOff: false };
    after = last.id;
  }
  return { products, isCutOff: true };
}

/** An unreadable body is not retried: the other webhooks must not wait for it. A run reads the product anyway. */
function readPayload(key: DataKey, id: string, sealedBody: string): ProductPayload | Error {
  let body: string;
  try {
    body = openBody(key, id, sealedBody);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  try {
    return parseProductPayload(body);
  } catch (error) {
    if (error instanceof UnreadablePayload) return error;
    throw error;
  }
}

/** Leaves the products to a run, which follows an active one. */
async function readInBulk(shop: string, products: WebhooksByProduct): Promise<void> {
  await startRun(shop, "products", "changes");
  const ids = [...products.values()].flat();
  await markDone(shop, ids, null);
}

async function readProducts(shop: string, products: WebhooksByProduct, signal: AbortSignal): Promise<void> {
  const adminClient = createAdminClient(shop, { signal, isBackground: true });
  for await (const { productIds, isPlanProductGone, refused } of followProducts(adminClient, [
    ...products.keys(),
  ])) {
    // Until then shoppers would read offers that no product sells.
    if (isPlanProductGone) await startRun(shop, "catalogue", "changes");
    const webhooksOf = (ids: readonly string[]) => ids.flatMap((id) => products.get(id) ?? []);
    await markDone(shop, webhooksOf(productIds.filter((id) => !refused.has(id))), null);
    for (const [productId, problem] of refused) await markDone(shop, webhooksOf([productId]), problem);
  }
}

/** @param error the reason if they failed; the next run retries the products that Shopify refused */
async function markDone(shop: string, ids: string[], error: string | null): Promise<void> {
  for (let from = 0; from < ids.length; from += MARKED_AT_ONCE) {
    await markProductWebhooksDone(shop, ids.slice(from, from + MARKED_AT_ONCE), error);
  }
}
