/** How insurance sells: the statistics of any period. */
import { z } from "zod";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { atMostRanges, toDayRanges } from "./day-ranges.ts";
import type { DayRange } from "./day-ranges.ts";
import {
  attachmentLines,
  bandStartsIn,
  dayOf,
  figuresByDimension,
  isWithin,
  isWithinAny,
} from "./lines.server.ts";
import type { AttachmentSettings } from "./lines.server.ts";
import { dimensions } from "./overview.ts";
import type { AttachmentFigures } from "./overview.ts";

export interface OverviewRange extends AttachmentSettings {
  environment: Environment;
  /** days in the shop's time zone, `YYYY-MM-DD`, both included; null leaves that side open */
  start: string | null;
  end: string | null;
}

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

const noFigures: AttachmentFigures = {
  eligible: 0,
  seen: 0,
  chosen: 0,
  paid: 0,
  cancelled: 0,
  premiumMinor: 0,
};

const PRODUCTS = 20;

/** With more lines than this that the daily sums do not hold, the worker is asked to count now and not at its hour. */
const MANY_LINES = 2_000;

/** Separate ranges of days that a statement names; where more changed, all days between them are counted. */
const MOST_RANGES = 16;

const sums = Prisma.sql`
  coalesce(sum(eligible), 0) AS eligible,
  coalesce(sum(seen), 0) AS seen,
  coalesce(sum(chosen), 0) AS chosen,
  coalesce(sum(paid), 0) AS paid,
  coalesce(sum(cancelled), 0) AS cancelled,
  coalesce(sum("premiumMinor"), 0) AS "premiumMinor"`;

/**
 * All figures of a period: the daily sums, and the order lines of the days that changed since those were counted. What
 * changes while this reads may be in it or not; what changed before is.
 */
export async function attachmentOverview(shop: string, range: OverviewRange): Promise<AttachmentOverview> {
  const uncounted = await uncountedDays(shop, range);
  // As one JSON value: a thousand rows of decimals take longer to read than to add up.
  const found = await db.$queryRaw`
    SELECT json_agg(found) AS groups FROM (${overviewQuery(shop, range, uncounted)}) AS found`;
  const [{ groups: rows }] = overviewRow.parse(found);
  const lines = rows.find(({ dimension }) => dimension === "uncounted")?.eligible ?? 0;
  if (lines > MANY_LINES) await sendJob("attachment-recount", { shop }, { singletonKey: shop });
  return toOverview(rows, range.currency);
}

const uncountedRows = z.tuple([z.object({ isCounted: z.boolean(), days: z.array(z.string()) })]);

/** The days of the period of which the daily sums do not hold: they are counted from the order lines. */
async function uncountedDays(
  shop: string,
  { start, end, ...settings }: OverviewRange,
): Promise<DayRange[] | "all"> {
  const at = Prisma.sql`at`;
  const found = await db.$queryRaw`
    SELECT
      EXISTS (
        SELECT FROM "AttachmentSettings"
        WHERE shop = ${shop} AND timezone = ${settings.timezone} AND currency = ${settings.currency}
      ) AS "isCounted",
      ARRAY(
        SELECT DISTINCT to_char(${dayOf(at, settings)}, 'YYYY-MM-DD') AS day FROM "AttachmentChange"
        WHERE shop = ${shop} AND ${isWithin(at, { first: start, last: end }, settings)} ORDER BY day
      ) AS days`;
  const [{ isCounted, days }] = uncountedRows.parse(found);
  return isCounted ? atMostRanges(toDayRanges(days), MOST_RANGES) : "all";
}

function overviewQuery(
  shop: string,
  { environment, start, end, ...settings }: OverviewRange,
  uncounted: DayRange[] | "all",
): Prisma.Sql {
  const purchasedAt = Prisma.sql`"purchasedAt"`;
  const orders = Prisma.sql`environment = ${environment}
    AND ${isWithin(purchasedAt, { first: start, last: end }, settings)}
    AND ${uncounted === "all" ? Prisma.sql`true` : isWithinAny(purchasedAt, uncounted, settings)}`;
  const days = [
    ...(start === null ? [] : [Prisma.sql`day >= ${start}::date`]),
    ...(end === null ? [] : [Prisma.sql`day <= ${end}::date`]),
    ...(uncounted === "all"
      ? [Prisma.sql`false`]
      : uncounted.map(({ first, last }) => Prisma.sql`NOT day BETWEEN ${first}::date AND ${last}::date`)),
  ];
  return Prisma.sql`
    WITH ${attachmentLines(shop, settings, orders)},
    uncounted AS MATERIALIZED (${figuresByDimension()}),
    figures AS (
      SELECT dimension, value, max(title) AS title, ${sums}
      FROM (
        SELECT * FROM uncounted
        UNION ALL
        SELECT dimension, value, title, eligible, seen, chosen, paid, cancelled, "premiumMinor" FROM "AttachmentDay"
        WHERE ${Prisma.join([Prisma.sql`shop = ${shop} AND environment = ${environment}`, ...days], " AND ")}
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
