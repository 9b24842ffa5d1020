/**
 * Events about contracts and claims that start the shop's workflows (Shopify Flow). Each event is a job of the
 * transaction that causes it. It is sent at most once, because a retry could start the workflows twice.
 */
import { sendJob } from "#app/jobs/queue.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { triggerFlow } from "#app/shopify/flow.server.ts";

/** The triggers, declared with their fields in extensions/<handle>/shopify.extension.toml. */
export type FlowTrigger =
  "insurance-contract-active" | "insurance-needs-attention" | "insurance-ended" | "insurance-claim-changed";

/** External titles and statuses may have any length. */
const MAX_TEXT = 250;

/** @param fields by the trigger's keys, without personal data: workflows read the customer from the order */
export async function queueFlow(
  tx: Transaction,
  shop: string,
  handle: FlowTrigger,
  orderId: string,
  fields: Readonly<Record<string, string | boolean>>,
): Promise<void> {
  const texts = Object.entries(fields).map(([key, value]): [string, string | boolean] => [
    key,
    typeof value === "string" ? cutText(value.replace(/\s+/g, " "), MAX_TEXT) : value,
  ]);
  const payload = {
    // A number like Shopify's ids; beyond 2^53 the exact text.
    order_id: Number.isSafeInteger(Number(orderId)) ? Number(orderId) : orderId,
    ...Object.fromEntries(texts),
  };
  await sendJob(tx, "flow", { shop, handle, payload });
}

/** The job, which has one attempt. */
export async function deliverFlow({ shop, handle, payload }: JobPayloads["flow"]): Promise<void> {
  try {
    await triggerFlow(shop, handle, payload);
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    log.warn({ err: error, shop }, `Failed to confirm the Flow trigger ${handle}; it is not sent again`);
  }
}
