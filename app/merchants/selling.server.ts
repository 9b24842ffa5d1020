/** Pauses and resumes the sale of insurance, and sends the job that applies the change to the shop. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { Environment } from "./connection.ts";
import { findSelling } from "./merchant.server.ts";
import { type SellingStop, sellingStopOf } from "./merchant.ts";

/** A page that changes the sale applies the change itself; the job does it after this time if the page failed. */
const RETRY_AFTER_MS = 10_000;

/** Sends a job that applies the shop's selling state, after anything that may have changed it. */
export async function scheduleSelling(
  shop: string,
  tx: Transaction = db,
  { delayed = false }: { delayed?: boolean } = {},
): Promise<void> {
  const startAfter = delayed ? { startAfter: new Date(Date.now() + RETRY_AFTER_MS) } : {};
  await sendJob(tx, "storefront-settings", { shop }, { singletonKey: shop, ...startAfter });
}

/**
 * Why the shop does not sell; null: it sells.
 * @param environment default: the one in use
 */
export async function readSellingStop(shop: string, environment?: Environment): Promise<SellingStop | null> {
  return sellingStopOf((await findSelling(shop, environment)) ?? { account: null, isPaused: false });
}

/** Stops the sale of insurance until the merchant resumes it. Paid orders still get their contracts. */
export async function pauseSelling(shop: string, actor: Actor): Promise<void> {
  await db.$transaction(async (tx) => {
    const data = { sellingPausedAt: new Date() };
    const { count } = await tx.merchant.updateMany({ where: { shop, sellingPausedAt: null }, data });
    if (count === 0) return;
    await recordAudit({ shop, actor, action: "selling_paused" }, tx);
    await scheduleSelling(shop, tx, { delayed: true });
  });
}

export async function resumeSelling(shop: string, actor: Actor): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.merchant.updateMany({
      where: { shop, sellingPausedAt: { not: null } },
      data: { sellingPausedAt: null },
    });
    if (count === 0) return;
    await recordAudit({ shop, actor, action: "selling_resumed" }, tx);
    await scheduleSelling(shop, tx, { delayed: true });
  });
}
