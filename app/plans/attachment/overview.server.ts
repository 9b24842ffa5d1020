/** How insurance sells: the statistics of any period. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { type AttachmentFigures, type DayRange, dimensions, monthsOf, partsOfMonths } from "./overview.ts";
import {
  attachmentLines,
  bandStartsIn,
  countedDaysOf,
  figuresByDimension,
  ordersOf,
  type OverviewRange,
  requestRecount,
  uncountedDays,
} from "./lines.server.ts";

export const attachmentFigures = z.object({
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
type Group = z.infer<typeof group>;
const overviewRow = z.tuple([z.object({ groups: z.array(group) })]);

export interface AttachmentOverview {
  total: AttachmentFigures;
  /** `YYYY-MM-DD`, oldest first */
  days: (AttachmentFigures & { day: string })[];
  categories: (AttachmentFigures & { category: string })[];
  /** where the offer was chosen, else where it was shown; "" where the storefront did not say */
  touchpoints: (AttachmentFigures & { touchpoint: string })[];
  /** the twenty products with the most eligible lines */
  products: (AttachmentFigures & { product: string; title: string })[];
  /** lowest price of the band, minor units; `toMinor` is null for the last one */
  bands: (AttachmentFigures & { fromMinor: number; toMinor: number | null })[];
}

export const noFigures: AttachmentFigures = {
  eligible: 0,
  seen: 0,
  chosen: 0,
  paid: 0,
  cancelled: 0,
  premiumMinor: 0,
};

const PRODUCTS = 20;

/** The sums of sums (AttachmentFigures). */
export const sums = Prisma.sql`
  coalesce(sum(eligible), 0) AS eligible,
  coalesce(sum(seen), 0) AS seen,
  coalesce(sum(chosen), 0) AS chosen,
  coalesce(sum(paid), 0) AS paid,
  coalesce(sum(cancelled), 0) AS cancelled,
  coalesce(sum("premiumMinor"), 0) AS "premiumMinor"`;

/**
 * All figures of a period: the sums of its months and days, and the order lines of the days that changed since. What
 * changes while this reads may be in it or not; what changed before is.
 */
export async function attachmentOverview(shop: string, range: OverviewRange): Promise<AttachmentOverview> {
  const uncounted = await uncountedDays(shop, range);
  // As one JSON value: a thousand rows of decimals take longer to read than to add up.
  const found = await db.$queryRaw`
    SELECT json_agg(found) AS groups FROM (${overviewQuery(shop, range, uncounted)}) AS found`;
  const [{ groups: rows }] = overviewRow.parse(found);
  const lines = rows.find(({ dimension }) => dimension === "uncounted")?.eligible ?? 0;
  await requestRecount(shop, lines);
  return toOverview(rows, range.currency);
}

function overviewQuery(shop: string, range: OverviewRange, uncounted: DayRange[] | "all"): Prisma.Sql {
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
  return Prisma.sql`
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
}

function toOverview(rows: Group[], currency: string): AttachmentOverview {
  const of = (dimension: Group["dimension"]) =>
    rows.flatMap(({ dimension: found, value, title, ...counts }) =>
      found === dimension ? [{ value, title, counts }] : [],
    );
  const mostFirst = (dimension: "category" | "touchpoint" | "product") =>
    of(dimension).sort((a, b) => b.counts.eligible - a.counts.eligible || (a.value < b.value ? -1 : 1));
  const starts = bandStartsIn(currency);
  return {
    total: of("total")[0]?.counts ?? noFigures,
    days: of("day")
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .map(({ value, counts }) => ({ day: value, ...counts })),
    categories: mostFirst("category").map(({ value, counts }) => ({ category: value, ...counts })),
    touchpoints: mostFirst("touchpoint").map(({ value, counts }) => ({ touchpoint: value, ...counts })),
    products: mostFirst("product").map(({ value, title, counts }) => ({ product: value, title, ...counts })),
    bands: of("band")
      .map(({ value, counts }) => ({ band: Number(value), counts }))
      .sort((a, b) => a.band - b.band)
      .map(({ band, counts }) => ({
        fromMinor: starts[band - 1] ?? 0,
        toMinor: starts[band] ?? null,
        ...counts,
      })),
  };
}
