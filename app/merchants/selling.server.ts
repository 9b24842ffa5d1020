/** Pausing and resuming the sale of insurance, and the job that brings the shop in line with it. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { Environment } from "./connection.ts";
import { findSelling } from "./merchant.server.ts";
import { type SellingStop, sellingStopOf } from "./merchant.ts";

/** A page that changes the sale brings the shop in line itself; the job does it where the page could not. */
const RETRY_AFTER_MS = 10_000;

/** Has a job bring the shop in line with whether it sells: after anything that may have changed it. */
export async function scheduleSelling(
  shop: string,
  tx: Transaction = db,
  { delayed = false }: { delayed?: boolean } = {},
): Promise<void> {
  const startAfter = delayed ? { startAfter: new Date(Date.now() + RETRY_AFTER_MS) } : {};
  await sendJob(tx, "storefront-settings", { shop }, { singletonKey: shop, ...startAfter });
}

/**
 * Why the shop sells nothing; null: it sells.
 * @param environment the one in use where it is left out
 */
export async function readSellingStop(shop: string, environment?: Environment): Promise<SellingStop | null> {
  return sellingStopOf((await findSelling(shop, environment)) ?? { account: null, isPaused: false });
}

/** Stops the sale of insurance until the merchant resumes it. Paid orders get their contracts all the same. */
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
