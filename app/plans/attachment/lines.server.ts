/** The lines that the attachment statistics count, and those of days that are not counted yet. */
import { z } from "zod";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { minorDigits } from "#app/platform/money.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { atMostRanges, bandStarts, type DayRange, toDayRanges } from "./overview.ts";

/** What a shop's days and amounts mean. */
export interface AttachmentSettings {
  /** IANA; in which days begin and end */
  timezone: string;
  /** ISO 4217; amounts in another one are not counted */
  currency: string;
}

/** A condition: the moment is in these days of the shop. An open side has no bound. */
export function isWithin(
  moment: Prisma.Sql,
  { first, last }: { first: string | null; last: string | null },
  { timezone }: AttachmentSettings,
): Prisma.Sql {
  return Prisma.sql`(
    ${first === null ? Prisma.sql`true` : Prisma.sql`${moment} >= (${first}::timestamp AT TIME ZONE ${timezone})`}
    AND ${last === null ? Prisma.sql`true` : Prisma.sql`${moment} < ((${last}::timestamp + interval '1 day') AT TIME ZONE ${timezone})`})`;
}

/** A condition: the moment is in one of these ranges of days. */
export const isWithinAny = (
  moment: Prisma.Sql,
  ranges: DayRange[],
  settings: AttachmentSettings,
): Prisma.Sql =>
  ranges.length === 0
    ? Prisma.sql`false`
    : Prisma.sql`(${Prisma.join(
        ranges.map((range) => isWithin(moment, range, settings)),
        " OR ",
      )})`;

/** The day of a moment in the shop, a date. */
export const dayOf = (moment: Prisma.Sql, { timezone }: AttachmentSettings): Prisma.Sql =>
  Prisma.sql`(${moment} AT TIME ZONE ${timezone})::date`;

/** Where the price bands begin, minor units of the currency. */
export const bandStartsIn = (currency: string): number[] =>
  bandStarts.map((start) => start * 10 ** minorDigits(currency));

/**
 * The lines that count, with what became of their insurance, as the table `line` of a WITH.
 * @param orders which of the shop's orders, a condition on "Order"
 */
export function attachmentLines(shop: string, settings: AttachmentSettings, orders: Prisma.Sql): Prisma.Sql {
  const { currency } = settings;
  return Prisma.sql`
    sold AS (
      SELECT "orderId", environment, "paidAt", ${dayOf(Prisma.sql`"purchasedAt"`, settings)} AS day
      FROM "Order" WHERE shop = ${shop} AND ${orders}
    ),
    insured AS (
      SELECT "orderId", "insuredLineId" AS "lineId", max(unit.touchpoint) AS touchpoint,
        bool_and(NOT wanted OR state = 'cancelled') AS over, bool_or(state = 'active') AS "inForce",
        sum("premiumMinor") FILTER (WHERE wanted AND state = 'active' AND currency = ${currency}) AS premium
      FROM "InsuredUnit" unit JOIN sold USING ("orderId")
      WHERE shop = ${shop} GROUP BY "orderId", "insuredLineId"
    ),
    line AS (
      SELECT environment, day, "orderId", "categoryId" AS category,
        coalesce(insured.touchpoint, "offeredAt", '') AS touchpoint, coalesce("productId", '') AS product, title,
        width_bucket("priceMinor", ${bandStartsIn(currency)}::int[])::text AS band,
        "insuranceOffered" AS seen, "insuranceSelected" AS chosen, "paidAt" IS NOT NULL AS paid,
        coalesce(over, false) AS over, premium,
        "inForce" AND "lineId" = min("lineId") FILTER (WHERE "inForce") OVER (PARTITION BY "orderId") AS "insuresOrder"
      FROM "OrderLine" JOIN sold USING ("orderId") LEFT JOIN insured USING ("orderId", "lineId")
      WHERE shop = ${shop} AND "categoryId" <> ''
    )`;
}

/** Orders with a contract in force, of a group of lines that holds them as a whole. */
export const insuredOrders = Prisma.sql`(count(*) FILTER (WHERE "insuresOrder"))::int AS "insuredOrders"`;

/** The figures of a group of lines (AttachmentFigures). */
export const lineFigures = Prisma.sql`
  count(*)::int AS eligible,
  (count(*) FILTER (WHERE seen))::int AS seen,
  (count(*) FILTER (WHERE chosen))::int AS chosen,
  (count(*) FILTER (WHERE chosen AND paid))::int AS paid,
  (count(*) FILTER (WHERE chosen AND paid AND over))::int AS cancelled,
  coalesce(sum(premium) FILTER (WHERE paid), 0)::bigint AS "premiumMinor"`;

/**
 * The figures of `line` by each dimension, as a query. Without the insured orders the database does not sort the lines
 * by order.
 * @param keys columns that keep groups apart, each followed by a comma
 * @param figures of each group
 */
export const figuresByDimension = (
  keys: Prisma.Sql = Prisma.empty,
  figures: Prisma.Sql = lineFigures,
): Prisma.Sql => Prisma.sql`
  SELECT ${keys}
    CASE WHEN category IS NOT NULL THEN 'category' WHEN touchpoint IS NOT NULL THEN 'touchpoint'
      WHEN product IS NOT NULL THEN 'product' WHEN band IS NOT NULL THEN 'band' ELSE 'day' END AS dimension,
    coalesce(category, touchpoint, product, band, to_char(day, 'YYYY-MM-DD')) AS value,
    CASE WHEN product IS NOT NULL THEN max(title) ELSE '' END AS title, ${figures}
  FROM line
  GROUP BY GROUPING SETS ((${keys} day), (${keys} category), (${keys} touchpoint), (${keys} product), (${keys} band))`;

export interface OverviewRange extends AttachmentSettings {
  environment: Environment;
  /** days in the shop's time zone, `YYYY-MM-DD`, both included; null leaves that side open */
  start: string | null;
  end: string | null;
}

/** Separate ranges of days that a statement names; where more changed, all days between them are counted. */
const MOST_RANGES = 16;

/** With more lines than this that the daily sums do not hold, a job counts them soon and not at its hour. */
const MANY_LINES = 2_000;

/** `days` is null where no sum holds: then the notes of changes, three for each order, are not read. */
const uncountedRows = z.tuple([z.object({ days: z.array(z.string()).nullable() })]);

/** The days of the period of which the daily sums do not hold. */
export async function uncountedDays(
  shop: string,
  { start, end, ...settings }: OverviewRange,
): Promise<DayRange[] | "all"> {
  const at = Prisma.sql`at`;
  const found = await db.$queryRaw`
    SELECT CASE WHEN EXISTS (
      SELECT FROM "AttachmentSettings"
      WHERE shop = ${shop} AND timezone = ${settings.timezone} AND currency = ${settings.currency}
    ) THEN ARRAY(
      SELECT to_char(day, 'YYYY-MM-DD')
      FROM (
        SELECT DISTINCT ${dayOf(at, settings)} AS day FROM "AttachmentChange"
        WHERE shop = ${shop} AND ${isWithin(at, { first: start, last: end }, settings)}
      ) AS changed
      ORDER BY day
    ) END AS days`;
  const [{ days }] = uncountedRows.parse(found);
  return days === null ? "all" : atMostRanges(toDayRanges(days), MOST_RANGES);
}

/** A condition on "Order": those of the period that the sums do not hold. */
export function ordersOf(
  { environment, start, end, ...settings }: OverviewRange,
  uncounted: DayRange[] | "all",
): Prisma.Sql {
  const purchasedAt = Prisma.sql`"purchasedAt"`;
  return Prisma.sql`environment = ${environment}
    AND ${isWithin(purchasedAt, { first: start, last: end }, settings)}
    AND ${uncounted === "all" ? Prisma.sql`true` : isWithinAny(purchasedAt, uncounted, settings)}`;
}

/** A condition on "AttachmentDay": the shop's days of the period whose sums hold. */
export function countedDaysOf(
  shop: string,
  { environment, start, end }: OverviewRange,
  uncounted: DayRange[] | "all",
): Prisma.Sql {
  const conditions = [
    Prisma.sql`shop = ${shop} AND environment = ${environment}`,
    ...(start === null ? [] : [Prisma.sql`day >= ${start}::date`]),
    ...(end === null ? [] : [Prisma.sql`day <= ${end}::date`]),
    ...(uncounted === "all"
      ? [Prisma.sql`false`]
      : uncounted.map(({ first, last }) => Prisma.sql`NOT day BETWEEN ${first}::date AND ${last}::date`)),
  ];
  return Prisma.join(conditions, " AND ");
}

/** The page itself is answered first: the job would take the processor and the embedded database from it. */
const RECOUNT_AFTER_MS = 5_000;

/** Sends the counting job, where a page had to count many lines itself. */
export async function requestRecount(shop: string, lines: number): Promise<void> {
  if (lines <= MANY_LINES) return;
  const startAfter = new Date(Date.now() + RECOUNT_AFTER_MS);
  await sendJob("attachment-recount", { shop }, { singletonKey: shop, startAfter });
}
