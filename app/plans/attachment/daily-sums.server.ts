/**
 * The sums of the statistics by day and by month, kept by the worker: it counts the days of which something changed
 * again. Pages only read (overview.server.ts, summary.server.ts).
 */
import { setImmediate } from "node:timers/promises";
import { sendJobToShops } from "#app/jobs/queue.server.ts";
import { findDueShops, findMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { monthsOf, toDayRanges } from "./overview.ts";
import {
  addUpMonths,
  analyseSums,
  type AttachmentSettings,
  dueRecounts,
  lock,
  markAllDays,
  recount,
  takeChangedDays,
} from "./rows.server.ts";

/** A month of a large shop on a busy machine. */
const timeouts = { timeout: 60_000, maxWait: 60_000 };

const MANY_DAYS = 31;

/** The job: brings one shop's daily sums up to date. */
export async function recountAttachment(shop: string, signal?: AbortSignal): Promise<void> {
  const merchant = await findMerchant(shop);
  if (merchant && merchant.uninstalledAt === null) await recountChangedDays(shop, merchant, signal);
}

/**
 * Sends a job for every shop that has the app and where something changed, so that a page finds little that changed since.
 * At a busy hour these are all shops that sell.
 */
export async function startDueRecounts(signal?: AbortSignal): Promise<void> {
  await sendJobToShops("attachment-recount", await findDueShops(dueRecounts), signal);
}

/** Counts every day again of which something changed before; a month in one transaction, so that none is long. */
export async function recountChangedDays(
  shop: string,
  { timezone, currency }: AttachmentSettings,
  signal?: AbortSignal,
): Promise<void> {
  // Without a currency the shop has not been visited since its installation.
  if (currency === "") return;
  const settings = { timezone, currency };
  await applySettings(shop, settings);
  let counted = 0;
  for (let taken = -1; taken !== 0; counted += taken) {
    signal?.throwIfAborted();
    // The embedded database computes in this process: without a pause, no request is answered until all months are done.
    await setImmediate();
    taken = await db.$transaction(async (tx) => {
      await lock(tx, shop);
      const days = await takeChangedDays(tx, shop, settings);
      if (days.length > 0) {
        await recount(tx, shop, settings, days);
        await addUpMonths(tx, shop, monthsOf(toDayRanges(days)));
      }
      return days.length;
    }, timeouts);
  }
  if (counted > MANY_DAYS) await analyseSums();
}

/** The first time, or with another time zone or currency, no sum holds: every day of the shop counts as changed. */
async function applySettings(shop: string, settings: AttachmentSettings): Promise<void> {
  if (await db.attachmentSettings.findFirst({ where: { shop, ...settings } })) return;
  await db.$transaction(async (tx) => {
    await lock(tx, shop);
    await tx.attachmentDay.deleteMany({ where: { shop } });
    await tx.attachmentMonth.deleteMany({ where: { shop } });
    await tx.attachmentChange.deleteMany({ where: { shop } });
    await markAllDays(tx, shop, settings);
    await tx.attachmentSettings.upsert({
      where: { shop },
      create: { shop, ...settings },
      update: settings,
    });
  }, timeouts);
}
