/**
 * Erases all data of a shop that has removed the app (shopify.dev, "Privacy law compliance"). Shopify requests it
 * with `shop/redact`, 48 hours after the uninstall. It runs after a grace period: a shop that installs the app again
 * in that time keeps its data.
 */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { eraseJobs } from "#app/jobs/queue-tables.server.ts";
import { forgetDataKey } from "#app/merchants/data-key.server.ts";
import { forEachDueShop } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { eraseShop, findLeftovers } from "#app/platform/erase-shop.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isInstalled } from "#app/shopify/access.server.ts";
import { deleteSessionsBefore } from "#app/shopify/sessions.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Shopify allows 30 days. */
const GRACE_MS = 7 * DAY_MS;
/** If `shop/redact` was never sent or was lost, the app schedules the erasure itself after this time. */
const ABANDONED_AFTER_MS = 60 * DAY_MS;

/**
 * After `shop/redact`: schedules the erasure, and records an uninstall whose webhook was missed. It refuses while
 * Shopify reports the app as installed.
 * @throws AdminUnavailable if Shopify does not respond
 */
export async function handleShopRedact(shop: string): Promise<void> {
  if (await isInstalled(shop)) {
    log.warn(
      { shop },
      "Refused shop/redact: the shop's access token still works, so no erasure is scheduled",
    );
    return;
  }
  const now = new Date();
  await deleteSessionsBefore(shop, now);
  await db.merchant.updateMany({ where: { shop, uninstalledAt: null }, data: { uninstalledAt: now } });
  await scheduleErasure(shop, now, "shop/redact");
}

/** Schedules the erasure of shops that removed the app long ago and never got `shop/redact`. */
export async function scheduleAbandonedShops(now = new Date(), signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_AFTER_MS);
  const where = { uninstalledAt: { lt: before }, eraseAt: null };
  for (const { shop } of await db.merchant.findMany({ where, select: { shop: true } })) {
    signal?.throwIfAborted();
    await scheduleErasure(shop, now, "retention");
  }
}

/** Schedules an erasure. An earlier schedule stays. */
async function scheduleErasure(shop: string, now: Date, cause: "shop/redact" | "retention"): Promise<void> {
  const eraseAt = new Date(now.getTime() + GRACE_MS);
  await db.$transaction(async (tx) => {
    const where = { shop, eraseAt: null };
    if ((await tx.merchant.updateMany({ where, data: { eraseAt } })).count === 0) return;
    const after = { eraseAt: eraseAt.toISOString() };
    await recordAudit({ shop, actor: system(cause), action: "erasure_scheduled", after }, tx);
    log.info({ shop, eraseAt }, "Erasure of the shop scheduled");
  });
}

/** Shopify reports the app as installed, so the recorded uninstall is wrong. */
async function cancelErasure(shop: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const data = { eraseAt: null, uninstalledAt: null };
    await tx.merchant.updateMany({ where: { shop }, data });
    await recordAudit({ shop, actor: system("shop/redact"), action: "erasure_cancelled" }, tx);
  });
  log.warn({ shop }, "Cancelled the shop's erasure: the app is installed again");
}

/**
 * Data written for a shop during its erasure has no merchant row. This creates the row, so that the next erasure
 * deletes the data too.
 */
async function scheduleLeftovers(now: Date): Promise<void> {
  const shops = await findLeftovers();
  if (shops.length === 0) return;
  const data = shops.map((shop) => ({ shop, uninstalledAt: now, eraseAt: now }));
  await db.merchant.createMany({ data, skipDuplicates: true });
}

/** Erases the shops after their grace period. One shop's failure is logged and does not stop the others. */
export async function eraseDueShops(now = new Date(), signal?: AbortSignal): Promise<void> {
  await scheduleLeftovers(now);
  const due = await db.merchant.findMany({
    where: { eraseAt: { lte: now } },
    select: { shop: true },
    orderBy: { shop: "asc" },
  });
  await forEachDueShop(
    "erasure",
    due.map(({ shop }) => shop),
    (shop) => eraseDueShop(shop, now, signal),
    signal,
  );
}

async function eraseDueShop(shop: string, now: Date, signal?: AbortSignal): Promise<void> {
  const askedAt = new Date();
  if (await isInstalled(shop)) return cancelErasure(shop);
  // Deletes sessions that Shopify no longer accepts. A later session belongs to a new installation.
  await deleteSessionsBefore(shop, askedAt);
  const jobs = await eraseJobs(shop);
  const deleted = await eraseShop(shop, now, signal);
  forgetDataKey(shop);
  if (deleted) log.info({ shop, jobs, deleted }, "Shop data erased");
  else log.warn({ shop, jobs }, "Ended the shop's erasure: the app is installed again");
}
