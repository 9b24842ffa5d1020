/**
 * Batches webhooks: those that arrive during a transaction share the next one, so a burst needs only a few commits.
 */
import { setTimeout as wait } from "node:timers/promises";
import { currentOrigin } from "#app/jobs/queue.server.ts";
import { type DataKey, findDataKey, forgetDataKey } from "#app/merchants/data-key.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import type { VerifiedWebhook } from "#app/shopify/webhook.server.ts";
import { sealBody } from "./sealed-body.server.ts";
import { type InboxWriteResult, type SealedWebhook, storeWebhooks } from "./store-webhooks.server.ts";

/** The database did not answer in time. The webhook may be stored, now or later. */
class InboxWriteTimeoutError extends AppError {
  override name = "InboxWriteTimeoutError";
}

/** Shopify waits five seconds for a response. */
const WRITE_TIMEOUT_MS = 4_000;
/** Webhooks per transaction: their bodies can be large. */
const MAX_BATCH_SIZE = 64;

type PendingWrite = PromiseWithResolvers<InboxWriteResult> & { webhook: SealedWebhook };

const pending: PendingWrite[] = [];
let isWriting = false;

function writeToInbox(webhook: SealedWebhook): Promise<InboxWriteResult> {
  const write: PendingWrite = { webhook, ...Promise.withResolvers<InboxWriteResult>() };
  const timeout = setTimeout(() => {
    const index = pending.indexOf(write);
    if (index !== -1) pending.splice(index, 1);
    write.reject(
      new InboxWriteTimeoutError(
        `Failed to store webhook ${webhook.id}: the database timed out after ${WRITE_TIMEOUT_MS} ms`,
      ),
    );
  }, WRITE_TIMEOUT_MS);
  pending.push(write);
  writeNext();
  return write.promise.finally(() => clearTimeout(timeout));
}

function writeNext(): void {
  if (isWriting || pending.length === 0) return;
  isWriting = true;
  const written = writeBatch(pending.splice(0, MAX_BATCH_SIZE));
  // A transaction that hangs must not delay the next one.
  void Promise.race([written, wait(WRITE_TIMEOUT_MS, undefined, { ref: false })]).then(() => {
    isWriting = false;
    writeNext();
  });
}

/** Resolves or rejects each write of the batch. If the database refuses one write, the others still succeed. */
async function writeBatch(batch: PendingWrite[]): Promise<void> {
  try {
    const results = await storeWebhooks(batch.map(({ webhook }) => webhook));
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined)
        reject(new AppError("Failed to store a webhook: the database returned too few results"));
      else resolve(result);
    });
  } catch (error) {
    const [only, ...others] = batch;
    if (only && others.length === 0) only.reject(error instanceof Error ? error : new Error(String(error)));
    else await Promise.all(batch.map((write) => writeBatch([write])));
  }
}

/**
 * Seals and stores a webhook, with the job that processes it.
 * @throws InboxWriteTimeoutError and the database's errors
 */
export async function storeWebhook(webhook: VerifiedWebhook): Promise<InboxWriteResult> {
  const key = await findDataKey(webhook.shop);
  if (!key) return "unknown_shop";
  const result = await writeSealed(key, webhook);
  if (result !== "unknown_shop") return result;
  // A shop that was erased and then installed the app again has a new key, and this process may have cached the old
  // one.
  forgetDataKey(webhook.shop);
  const current = await findDataKey(webhook.shop);
  return current ? writeSealed(current, webhook) : "unknown_shop";
}

async function writeSealed(key: DataKey, { body, ...webhook }: VerifiedWebhook): Promise<InboxWriteResult> {
  const sealedBody = await sealBody(key, webhook.id, body);
  return writeToInbox({ ...webhook, dataKeyId: key.id, sealedBody, origin: currentOrigin() });
}
