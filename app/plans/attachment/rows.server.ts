/**
 * The statements of the attachment statistics: the order lines that they count, the sums by day and month, and what
 * the sums do not hold yet.
 */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { minorDigits } from "#app/platform/money.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  type AttachmentFigures,
  atMostRanges,
  bandStarts,
  type DayRange,
  dimensions,
  monthsOf,
  partsOfMonths,
  toDayRanges,
} from "./overview.ts";

/** What a shop's days and amounts mean. */
export interface AttachmentSettings {
  /** IANA; in which days begin and end */
  timezone: string;
  /** ISO 4217; amounts in another one are not counted */
  currency: string;
}

/** A condition: the moment is in these days of the shop. An open side has no bound. */
function isWithin(
  moment: Prisma.Sql,
  { first, last }: { first: string | null; last: string | null },
  { timezone }: AttachmentSettings,
): Prisma.Sql {
  return Prisma.sql`(
    ${first === null ? Prisma.sql`true` : Prisma.sql`${moment} >= (${first}::timestamp AT TIME ZONE ${timezone})`}
    AND ${last === null ? Prisma.sql`true` : Prisma.sql`${moment} < ((${last}::timestamp + interval '1 day') AT TIME ZONE ${timezone})`})`;
}

/** A condition: the moment is in one of these ranges of days. */
const isWithinAny = (moment: Prisma.Sql, ranges: DayRange[], settings: AttachmentSettings): Prisma.Sql =>
  ranges.length === 0
    ? Prisma.sql`false`
    : Prisma.sql`(${Prisma.join(
        ranges.map((range) => isWithin(moment, range, settings)),
        " OR ",
      )})`;

/** The day of a moment in the shop, a date. */
const dayOf = (moment: Prisma.Sql, { timezone }: AttachmentSettings): Prisma.Sql =>
  Prisma.sql`(${moment} AT TIME ZONE ${timezone})::date`;

/** Where the price bands begin, minor units of the currency. */
export const bandStartsIn = (currency: string): number[] =>
  bandStarts.map((start) => start * 10 ** minorDigits(currency));

/**
 * The lines that count, with what became of their insurance, as the table `line` of a WITH. Of an exchange only the
 * replacement counts: cover that moved left its unit without premium (settle-order.server.ts).
 * @param orders which of the shop's orders, a condition on "Order"
 */
function attachmentLines(shop: string, settings: AttachmentSettings, orders: Prisma.Sql): Prisma.Sql {
  const { currency } = settings;
  return Prisma.sql`
    sold AS (
      SELECT "orderId", environment, "paidAt", ${dayOf(Prisma.sql`"purchasedAt"`, settings)} AS day
      FROM "Order" WHERE shop = ${shop} AND "salesRecordStatus" <> 'test_order' AND ${orders}
    ),
    insured AS (
      SELECT "orderId", "insuredLineId" AS "lineId", max(unit.touchpoint) AS touchpoint,
        bool_and(NOT wanted OR state = 'cancelled') AS over, bool_or(state = 'active') AS "inForce",
        bool_and(NOT wanted AND "premiumMinor" = 0) AS moved,
        sum("premiumMinor") FILTER (WHERE wanted AND state = 'active' AND currency = ${currency}) AS premium
      FROM "InsuredUnit" unit JOIN sold USING ("orderId")
      WHERE shop = ${shop} GROUP BY "orderId", "insuredLineId"
    ),
    line AS (
      SELECT environment, day, "orderId", "categoryId" AS category,
        coalesce(insured.touchpoint, "offeredAt", '') AS touchpoint, coalesce("productId", '') AS product, title,
        width_bucket("priceMinor", ${bandStartsIn(currency)}::int[])::text AS band,
        "insuranceOffered" OR insured."lineId" IS NOT NULL AS seen,
        "insuranceSelected" OR insured."lineId" IS NOT NULL AS chosen, "paidAt" IS NOT NULL AS paid,
        coalesce(over, false) AS over, premium,
        "inForce" AND "lineId" = min("lineId") FILTER (WHERE "inForce") OVER (PARTITION BY "orderId") AS "insuresOrder"
      FROM "OrderLine" JOIN sold USING ("orderId") LEFT JOIN insured USING ("orderId", "lineId")
      WHERE shop = ${shop} AND "categoryId" <> ''
        AND NOT ("currentQuantity" = 0 AND "insuranceSelected" AND coalesce(insured.moved, true))
    )`;
}

/** Orders with a contract in force, of a group of lines that holds them as a whole. */
const insuredOrders = Prisma.sql`(count(*) FILTER (WHERE "insuresOrder"))::int AS "insuredOrders"`;

/** The figures of a group of lines (AttachmentFigures). */
const lineFigures = Prisma.sql`
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
const figuresByDimension = (
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
function ordersOf(
  { environment, start, end, ...settings }: OverviewRange,
  uncounted: DayRange[] | "all",
): Prisma.Sql {
  const purchasedAt = Prisma.sql`"purchasedAt"`;
  return Prisma.sql`environment = ${environment}
    AND ${isWithin(purchasedAt, { first: start, last: end }, settings)}
    AND ${uncounted === "all" ? Prisma.sql`true` : isWithinAny(purchasedAt, uncounted, settings)}`;
}

/** A condition on "AttachmentDay": the shop's days of the period whose sums hold. */
function countedDaysOf(
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

const attachmentFigures = z.object({
  eligible: z.coerce.number(),
  seen: z.coerce.number(),
  chosen: z.coerce.number(),
  paid: z.coerce.number(),
  cancelled: z.coerce.number(),
  premiumMinor: z.coerce.number(),
}) satisfies z.ZodType<AttachmentFigures>;

const group = attachmentFigures.extend({
  dimension: z.enum(["total", "uncounted", ...dimensions]),
  value: z.string(),
  title: z.string(),
});
export type Group = z.infer<typeof group>;
const overviewRow = z.tuple([z.object({ groups: z.array(group) })]);

const PRODUCTS = 20;

/** The sums of sums (AttachmentFigures). */
const sums = Prisma.sql`
  coalesce(sum(eligible), 0) AS eligible,
  coalesce(sum(seen), 0) AS seen,
  coalesce(sum(chosen), 0) AS chosen,
  coalesce(sum(paid), 0) AS paid,
  coalesce(sum(cancelled), 0) AS cancelled,
  coalesce(sum("premiumMinor"), 0) AS "premiumMinor"`;

/** The figures of a period by each dimension; those of its uncounted days apart, too. */
export async function readGroups(
  shop: string,
  range: OverviewRange,
  uncounted: DayRange[] | "all",
): Promise<Group[]> {
  const { environment, start, end, ...settings } = range;
  // Months that are cut, or of which a day is uncounted, are added up from their days; each once, whatever the reasons.
  const byDay = uncounted === "all" ? [] : [...new Set([...partsOfMonths(range), ...monthsOf(uncounted)])];
  const months = [
    Prisma.sql`shop = ${shop} AND environment = ${environment}`,
    ...(start === null ? [] : [Prisma.sql`month >= ${start}::date`]),
    ...(end === null ? [] : [Prisma.sql`month <= ${end}::date`]),
    uncounted === "all" ? Prisma.sql`false` : Prisma.sql`month <> ALL(${byDay}::date[])`,
  ];
  const columns = Prisma.sql`dimension, value, title, eligible, seen, chosen, paid, cancelled, "premiumMinor"`;
  const query = Prisma.sql`
    WITH ${attachmentLines(shop, settings, ordersOf(range, uncounted))},
    uncounted AS MATERIALIZED (${figuresByDimension()}),
    figures AS (
      SELECT dimension, value, max(title) AS title, ${sums}
      FROM (
        SELECT ${columns} FROM uncounted
        UNION ALL
        SELECT ${columns} FROM unnest(${byDay}::date[]) AS of (month)
          JOIN "AttachmentDay" ON day >= of.month AND day < of.month + interval '1 month'
        WHERE ${countedDaysOf(shop, range, uncounted)}
        UNION ALL
        SELECT ${columns} FROM "AttachmentMonth" WHERE ${Prisma.join(months, " AND ")}
      ) AS part
      GROUP BY dimension, value
    )
    SELECT 'uncounted' AS dimension, '' AS value, '' AS title, ${sums} FROM uncounted WHERE dimension = 'day'
    UNION ALL
    SELECT 'total', '', '', ${sums} FROM figures WHERE dimension = 'day'
    UNION ALL
    SELECT * FROM figures WHERE dimension <> 'product'
    UNION ALL
    (SELECT * FROM figures WHERE dimension = 'product' ORDER BY eligible DESC, value LIMIT ${PRODUCTS})`;
  // As one JSON value: a thousand rows of decimals take longer to read than to add up.
  const found = await db.$queryRaw`SELECT json_agg(found) AS groups FROM (${query}) AS found`;
  return overviewRow.parse(found)[0].groups;
}

export const summaryRow = attachmentFigures.extend({
  /** with a contract in force now */
  insuredOrders: z.coerce.number(),
});
export type AttachmentSummary = z.infer<typeof summaryRow>;

const plansRow = z.object({
  /** an order has had a contract */
  insuredOrderSeen: z.boolean(),
  /** tasks that wait for a person */
  openTasks: z.coerce.number(),
  /** orders that wait for the service (app/plans/reconciler/account.server.ts) */
  waitingOrders: z.coerce.number(),
});
export type PlansSummary = z.infer<typeof plansRow>;

const sumsRow = summaryRow.extend({
  isToday: z.boolean().nullable(),
  uncountedLines: z.coerce.number(),
  plans: plansRow,
});
const sumsRows = z.tuple([sumsRow], sumsRow);

/** The sums of a period as a whole, first, and of today where something was sold; with what the home page says of plans. */
export async function readSums(
  shop: string,
  range: OverviewRange,
  uncounted: DayRange[] | "all",
  today: string,
): Promise<z.infer<typeof sumsRows>> {
  const rows = await db.$queryRaw`
    WITH ${attachmentLines(shop, range, ordersOf(range, uncounted))},
    part AS (
      SELECT day, false AS "isUncounted", eligible, seen, chosen, paid, cancelled, "premiumMinor", "insuredOrders"
      FROM "AttachmentDay" WHERE dimension = 'day' AND ${countedDaysOf(shop, range, uncounted)}
      UNION ALL
      SELECT day, true, ${lineFigures}, ${insuredOrders} FROM line GROUP BY day
    ),
    dated AS (SELECT *, day = ${today}::date AS "isToday" FROM part),
    plans AS MATERIALIZED (
      SELECT EXISTS (SELECT 1 FROM "InsuredUnit" WHERE shop = ${shop} AND "contractId" IS NOT NULL) AS "insuredOrderSeen",
        (SELECT count(*) FROM "Task" AS t LEFT JOIN "Order" AS o ON o.shop = t.shop AND o."orderId" = t."orderId"
          WHERE t.shop = ${shop} AND t."closedAt" IS NULL
            AND (${range.environment === "test"} OR o.environment IS DISTINCT FROM 'test')) AS "openTasks",
        (SELECT count(*) FROM "WaitingOrder" WHERE shop = ${shop}) AS "waitingOrders"
    )
    SELECT "isToday", ${sums}, coalesce(sum("insuredOrders"), 0) AS "insuredOrders",
      coalesce(sum(eligible) FILTER (WHERE "isUncounted"), 0) AS "uncountedLines",
      (SELECT to_jsonb(plans) FROM plans) AS plans
    FROM dated GROUP BY GROUPING SETS ((), ("isToday"))`;
  return sumsRows.parse(rows);
}

// The counting of days, by the worker.

/** A query of the shops of which something changed, or whose sums are of other settings. */
export const dueRecounts = Prisma.sql`
  SELECT m.shop FROM "Merchant" AS m LEFT JOIN "AttachmentSettings" AS s USING (shop)
  WHERE m."uninstalledAt" IS NULL AND m.currency <> '' AND (
    (s.timezone, s.currency) IS DISTINCT FROM (m.timezone, m.currency)
    OR EXISTS (SELECT FROM "AttachmentChange" AS c WHERE c.shop = m.shop))`;

/** Two that count the same day would both insert it. */
export async function lock(tx: Transaction, shop: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`attachment ${shop}`}, 0))::text`;
}

/** Every day of the shop counts as changed. */
export async function markAllDays(
  tx: Transaction,
  shop: string,
  settings: AttachmentSettings,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "AttachmentChange" (shop, at)
    SELECT ${shop}, day::timestamp AT TIME ZONE ${settings.timezone}
    FROM (SELECT DISTINCT ${dayOf(Prisma.sql`"purchasedAt"`, settings)} AS day FROM "Order" WHERE shop = ${shop}) AS days`;
}

const dayRows = z.array(z.object({ day: z.string() }));

/**
 * Takes the earliest changes. The next statement sees the rows that they mark; later changes are recorded again.
 * @returns their days, `YYYY-MM-DD`, sorted
 */
export async function takeChangedDays(
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

/** Counts days again. */
export async function recount(
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
export async function addUpMonths(tx: Transaction, shop: string, months: string[]): Promise<void> {
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

/** The embedded database does not do this by itself, and adds up four times slower with what it believed before. */
export async function analyseSums(): Promise<void> {
  await db.$executeRaw`ANALYZE "AttachmentDay", "AttachmentMonth"`;
}
