/**
 * The sums of the statistics by day and by month, kept by the worker: it counts the days of which something changed
 * again. Pages only read (overview.server.ts, summary.server.ts).
 */
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { sendJobs } from "#app/jobs/queue.server.ts";
import { findDueShops, findMerchant } from "#app/merchants/merchant.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { monthsOf, toDayRanges } from "./overview.ts";
import {
  attachmentLines,
  type AttachmentSettings,
  dayOf,
  figuresByDimension,
  insuredOrders,
  isWithinAny,
  lineFigures,
} from "./lines.server.ts";

/** A month of a large shop on a busy machine. */
const timeouts = { timeout: 60_000, maxWait: 60_000 };

const MANY_DAYS = 31;

/** The job: brings one shop's daily sums up to date. */
export async function recountAttachment(shop: string, signal?: AbortSignal): Promise<void> {
  const merchant = await findMerchant(shop);
  if (merchant && merchant.uninstalledAt === null) await recountChangedDays(shop, merchant, signal);
}

/** Jobs that are sent by one statement. */
const JOBS_AT_ONCE = 500;

/**
 * Sends a job for every shop that has the app and where something changed, so that a page finds little that changed since.
 * At a busy hour these are all shops that sell.
 */
export async function startDueRecounts(signal?: AbortSignal): Promise<void> {
  const due = Prisma.sql`
    SELECT m.shop FROM "Merchant" AS m LEFT JOIN "AttachmentSettings" AS s USING (shop)
    WHERE m."uninstalledAt" IS NULL AND m.currency <> '' AND (
      (s.timezone, s.currency) IS DISTINCT FROM (m.timezone, m.currency)
      OR EXISTS (SELECT FROM "AttachmentChange" AS c WHERE c.shop = m.shop))`;
  const shops = await findDueShops(due);
  for (let sent = 0; sent < shops.length; sent += JOBS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = shops.slice(sent, sent + JOBS_AT_ONCE);
    await sendJobs(
      "attachment-recount",
      some.map((shop) => ({ payload: { shop }, singletonKey: shop })),
    );
  }
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
  await useSettings(shop, settings);
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
  // The embedded database does not do this by itself, and adds up four times slower with what it believed before.
  if (counted > MANY_DAYS) await db.$executeRaw`ANALYZE "AttachmentDay", "AttachmentMonth"`;
}

/** Two that count the same day would both insert it. */
async function lock(tx: Transaction, shop: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`attachment ${shop}`}, 0))::text`;
}

/** The first time, or with another time zone or currency, no sum holds: every day of the shop counts as changed. */
async function useSettings(shop: string, settings: AttachmentSettings): Promise<void> {
  if (await db.attachmentSettings.findFirst({ where: { shop, ...settings } })) return;
  await db.$transaction(async (tx) => {
    await lock(tx, shop);
    await tx.attachmentDay.deleteMany({ where: { shop } });
    await tx.attachmentMonth.deleteMany({ where: { shop } });
    await tx.attachmentChange.deleteMany({ where: { shop } });
    await tx.$executeRaw`
      INSERT INTO "AttachmentChange" (shop, at)
      SELECT ${shop}, day::timestamp AT TIME ZONE ${settings.timezone}
      FROM (SELECT DISTINCT ${dayOf(Prisma.sql`"purchasedAt"`, settings)} AS day FROM "Order" WHERE shop = ${shop}) AS days`;
    await tx.attachmentSettings.upsert({
      where: { shop },
      create: { shop, ...settings },
      update: settings,
    });
  }, timeouts);
}

const dayRows = z.array(z.object({ day: z.string() }));

/**
 * Takes the earliest changes. The next statement sees the rows that they mark; later changes are recorded again.
 * @returns their days, `YYYY-MM-DD`, sorted
 */
async function takeChangedDays(
  tx: Transaction,
  shop: string,
  settings: AttachmentSettings,
): Promise<string[]> {
  const rows = await tx.$queryRaw`
    WITH taken AS (
      DELETE FROM "AttachmentChange"
      WHERE shop = ${shop}
        AND at < (SELECT min(at) FROM "AttachmentChange" WHERE shop = ${shop}) + interval '1 month'
      RETURNING at
    )
    SELECT to_char(day, 'YYYY-MM-DD') AS day
    FROM (SELECT DISTINCT ${dayOf(Prisma.sql`at`, settings)} AS day FROM taken) AS days
    ORDER BY day`;
  return dayRows.parse(rows).map(({ day }) => day);
}

async function recount(
  tx: Transaction,
  shop: string,
  settings: AttachmentSettings,
  days: string[],
): Promise<void> {
  const orders = isWithinAny(Prisma.sql`"purchasedAt"`, toDayRanges(days), settings);
  const figures = Prisma.sql`${lineFigures}, ${insuredOrders}`;
  await tx.$executeRaw`DELETE FROM "AttachmentDay" WHERE shop = ${shop} AND day = ANY(${days}::date[])`;
  await tx.$executeRaw`
    INSERT INTO "AttachmentDay" (shop, environment, day, dimension, value, title, eligible, seen, chosen, paid,
      cancelled, "premiumMinor", "insuredOrders")
    WITH ${attachmentLines(shop, settings, orders)}
    SELECT ${shop}, counted.* FROM (${figuresByDimension(Prisma.sql`environment, day,`, figures)}) AS counted`;
}

/** @param months their first days */
async function addUpMonths(tx: Transaction, shop: string, months: string[]): Promise<void> {
  await tx.$executeRaw`DELETE FROM "AttachmentMonth" WHERE shop = ${shop} AND month = ANY(${months}::date[])`;
  await tx.$executeRaw`
    INSERT INTO "AttachmentMonth" (shop, month, environment, dimension, value, title, eligible, seen, chosen, paid,
      cancelled, "premiumMinor")
    SELECT shop, month, environment, dimension, value, max(title), sum(eligible), sum(seen), sum(chosen), sum(paid),
      sum(cancelled), sum("premiumMinor")
    FROM unnest(${months}::date[]) AS of (month)
      JOIN "AttachmentDay" ON day >= month AND day < month + interval '1 month'
    WHERE shop = ${shop}
    GROUP BY shop, month, environment, dimension, value`;
}
