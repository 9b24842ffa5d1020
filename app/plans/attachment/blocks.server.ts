/**
 * Blocks of the statistics: how insurance sold on each day, in each month and year. Triggers note in AttachmentChange
 * what is out of date (prisma/migrations/20261121140000_attachment_blocks); it is counted anew before anybody reads.
 */
import { z } from "zod";
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { minorDigits } from "#app/platform/money.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { attachmentLines, counted, midnight, nextMidnight } from "./lines.server.ts";
import type { Basis } from "./lines.server.ts";
import { bandStarts } from "./overview.ts";

/** A month's worth of a large shop on a busy machine; whoever looks at the same moment waits for it. */
const patience = { timeout: 60_000, maxWait: 60_000 };

const DAYS_AT_ONCE = 31;

/** Where the price bands begin, minor units of the currency. */
export const bandStartsIn = (currency: string): number[] =>
  bandStarts.map((start) => start * 10 ** minorDigits(currency));

/** Brings a shop's blocks up to date with everything that was committed before. */
export async function refreshBlocks(shop: string, basis: Basis): Promise<void> {
  const made = await db.attachmentBasis.findUnique({ where: { shop } });
  if (made?.timezone !== basis.timezone || made.currency !== basis.currency) await beginAnew(shop, basis);
  if ((await db.attachmentChange.findFirst({ where: { shop }, select: { id: true } })) === null) return;
  // A month's worth at a time, so that no transaction is long; a page has that little to count as a rule.
  for (let taken = DAYS_AT_ONCE; taken === DAYS_AT_ONCE;) {
    taken = await db.$transaction(async (transaction) => {
      await lock(transaction, shop);
      const days = await takeChangedDays(transaction, shop, basis);
      if (days.length > 0) await countAnew(transaction, shop, basis, days);
      return days.length;
    }, patience);
  }
}

/** For all shops that have the app: whoever looks afterwards waits for little, and what is noted does not pile up. */
export async function refreshAllBlocks(): Promise<void> {
  await forEachMerchant("statistics", async ({ shop, timezone, currency }) => {
    // Without a currency the shop has not been visited since its installation.
    if (currency !== "") await refreshBlocks(shop, { timezone, currency });
  });
}

/** Two that count the same block would both insert it. */
async function lock(transaction: Transaction, shop: string): Promise<void> {
  await transaction.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`attachment ${shop}`}, 0))::text`;
}

/** The first time, or the shop's days or bands are others now: every order counts as changed. */
async function beginAnew(shop: string, basis: Basis): Promise<void> {
  await db.$transaction(async (transaction) => {
    await lock(transaction, shop);
    await transaction.attachmentBlock.deleteMany({ where: { shop } });
    await transaction.$executeRaw`
      INSERT INTO "AttachmentChange" (shop, at)
      SELECT DISTINCT shop, date_trunc('hour', "purchasedAt") FROM "Order" WHERE shop = ${shop}`;
    await transaction.attachmentBasis.upsert({
      where: { shop },
      create: { shop, ...basis },
      update: basis,
    });
  }, patience);
}

const changedDays = z.array(z.object({ day: z.string() }));

/**
 * The earliest changed days. What is noted after this is counted anew another time; what was noted before is in the
 * orders that the next statement sees. @returns `YYYY-MM-DD`, sorted
 */
async function takeChangedDays(
  transaction: Transaction,
  shop: string,
  { timezone }: Basis,
): Promise<string[]> {
  const found = await transaction.$queryRaw`
    WITH changed AS (
      SELECT id, to_char(at AT TIME ZONE ${timezone}, 'YYYY-MM-DD') AS day FROM "AttachmentChange" WHERE shop = ${shop}
    ),
    earliest AS (SELECT DISTINCT day FROM changed ORDER BY day LIMIT ${DAYS_AT_ONCE}),
    taken AS (DELETE FROM "AttachmentChange" WHERE id IN (SELECT id FROM changed JOIN earliest USING (day)))
    SELECT day FROM earliest ORDER BY day`;
  return changedDays.parse(found).map(({ day }) => day);
}

/**
 * Counts some days anew, and passes on to their month and year only by how much they differ from before: a block that
 * nothing changed in is not written.
 */
async function countAnew(
  transaction: Transaction,
  shop: string,
  basis: Basis,
  days: string[],
): Promise<void> {
  const ofDay = (day: string) =>
    Prisma.sql`"purchasedAt" >= ${midnight(day, basis)} AND "purchasedAt" < ${nextMidnight(day, basis)}`;
  const orders = Prisma.sql`(${Prisma.join(days.map(ofDay), " OR ")})`;
  await transaction.$executeRaw`
    WITH ${attachmentLines(shop, basis, orders)},
    banded AS (
      SELECT *, width_bucket("priceMinor", ${bandStartsIn(basis.currency)}::int[])::text AS band FROM line
    ),
    counted AS (
      SELECT environment, day AS span,
        CASE WHEN category IS NOT NULL THEN 'category' WHEN touchpoint IS NOT NULL THEN 'touchpoint'
          WHEN product IS NOT NULL THEN 'product' WHEN band IS NOT NULL THEN 'band' ELSE 'day' END AS dimension,
        coalesce(category, touchpoint, product, band, day) AS value,
        CASE WHEN product IS NOT NULL THEN max(title) ELSE '' END AS title, ${counted}
      FROM banded
      GROUP BY GROUPING SETS ((environment, day), (environment, day, category), (environment, day, touchpoint),
        (environment, day, product), (environment, day, band))
    ),
    before AS (
      SELECT * FROM "AttachmentBlock" WHERE shop = ${shop} AND level = 'day' AND span = ANY(${days})
    ),
    difference AS (
      SELECT environment, span, dimension, value, coalesce(counted.title, before.title) AS title,
        coalesce(counted.eligible, 0) - coalesce(before.eligible, 0) AS eligible,
        coalesce(counted.seen, 0) - coalesce(before.seen, 0) AS seen,
        coalesce(counted.chosen, 0) - coalesce(before.chosen, 0) AS chosen,
        coalesce(counted.paid, 0) - coalesce(before.paid, 0) AS paid,
        coalesce(counted.cancelled, 0) - coalesce(before.cancelled, 0) AS cancelled,
        coalesce(counted."premiumMinor", 0) - coalesce(before."premiumMinor", 0) AS premium,
        counted.title <> before.title AS renamed
      FROM counted FULL JOIN before USING (environment, span, dimension, value)
    )
    INSERT INTO "AttachmentBlock" AS block (shop, level, span, environment, dimension, value, title, eligible, seen,
      chosen, paid, cancelled, "premiumMinor")
    SELECT ${shop}, level, left(span, length), environment, dimension, value, max(title), sum(eligible), sum(seen),
      sum(chosen), sum(paid), sum(cancelled), sum(premium)
    FROM difference CROSS JOIN (VALUES ('day', 10), ('month', 7), ('year', 4)) AS levels (level, length)
    WHERE (eligible, seen, chosen, paid, cancelled, premium) <> (0, 0, 0, 0, 0, 0) OR renamed
    GROUP BY level, left(span, length), environment, dimension, value
    ON CONFLICT (shop, level, span, dimension, environment, value) DO UPDATE SET
      title = excluded.title,
      eligible = block.eligible + excluded.eligible,
      seen = block.seen + excluded.seen,
      chosen = block.chosen + excluded.chosen,
      paid = block.paid + excluded.paid,
      cancelled = block.cancelled + excluded.cancelled,
      "premiumMinor" = block."premiumMinor" + excluded."premiumMinor"`;
}
