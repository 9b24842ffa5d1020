/** How insurance sells: the statistics of any period. */
import { z } from "zod";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  attachmentLines,
  bandStartsIn,
  dayOf,
  figuresByDimension,
  startOfDay,
  startOfNextDay,
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

const groups = z.array(
  attachmentFigures.extend({
    dimension: z.enum(["total", "uncounted", ...dimensions]),
    value: z.string(),
    title: z.string(),
  }),
);
type Group = z.infer<typeof groups>[number];

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

const PRODUCTS = 20;

/** With more lines than this that the daily sums do not hold, the worker is asked to count now and not at its hour. */
const MANY_LINES = 2_000;

const sums = Prisma.sql`
  coalesce(sum(eligible), 0) AS eligible,
  coalesce(sum(seen), 0) AS seen,
  coalesce(sum(chosen), 0) AS chosen,
  coalesce(sum(paid), 0) AS paid,
  coalesce(sum(cancelled), 0) AS cancelled,
  coalesce(sum("premiumMinor"), 0) AS "premiumMinor"`;

/**
 * All figures of a period: the daily sums, and the order lines of the days that changed since those were counted. One
 * statement, so that no change is seen twice or not at all.
 */
export async function attachmentOverview(shop: string, range: OverviewRange): Promise<AttachmentOverview> {
  const rows = groups.parse(await db.$queryRaw`${overviewQuery(shop, range)}`);
  const uncounted = rows.find(({ dimension }) => dimension === "uncounted")?.eligible ?? 0;
  if (uncounted > MANY_LINES) await sendJob("attachment-recount", { shop }, { singletonKey: shop });
  return toOverview(rows, range.currency);
}

function overviewQuery(
  shop: string,
  { environment, start, end, timezone, currency }: OverviewRange,
): Prisma.Sql {
  const settings = { timezone, currency };
  const isCounted = Prisma.sql`EXISTS (
    SELECT FROM "AttachmentSettings" WHERE shop = ${shop} AND timezone = ${timezone} AND currency = ${currency})`;
  const period = (day: Prisma.Sql, from: Prisma.Sql, until: Prisma.Sql) => Prisma.sql`
    ${start === null ? Prisma.empty : Prisma.sql`AND ${day} >= ${from}`}
    ${end === null ? Prisma.empty : Prisma.sql`AND ${day} < ${until}`}`;
  const [first, last] = [Prisma.sql`${start}::date`, Prisma.sql`${end}::date`];
  const changedOrders = Prisma.sql`
    SELECT changed.* FROM changed_range CROSS JOIN LATERAL (
      SELECT * FROM "Order"
      WHERE shop = ${shop} AND environment = ${environment}
        AND "purchasedAt" >= changed_range.from AND "purchasedAt" < changed_range.until
        ${period(Prisma.sql`"purchasedAt"`, startOfDay(first, settings), startOfNextDay(last, settings))}
    ) AS changed`;
  return Prisma.sql`
    WITH changed_day AS MATERIALIZED (
      SELECT DISTINCT ${dayOf(Prisma.sql`at`, settings)} AS day FROM "AttachmentChange"
      WHERE shop = ${shop} AND ${isCounted}
    ),
    changed_range AS (
      SELECT ${startOfDay(Prisma.sql`day`, settings)} AS "from", ${startOfNextDay(Prisma.sql`day`, settings)} AS until
      FROM changed_day
      UNION ALL SELECT '-infinity', 'infinity' WHERE NOT ${isCounted}
    ),
    ${attachmentLines(shop, settings, changedOrders)},
    uncounted AS MATERIALIZED (${figuresByDimension()}),
    figures AS (
      SELECT dimension, value, max(title) AS title, ${sums}
      FROM (
        SELECT * FROM uncounted
        UNION ALL
        SELECT dimension, value, title, eligible, seen, chosen, paid, cancelled, "premiumMinor" FROM "AttachmentDay"
        WHERE shop = ${shop} AND environment = ${environment} AND ${isCounted}
          AND day NOT IN (SELECT day FROM changed_day)
          ${period(Prisma.sql`day`, first, Prisma.sql`${last} + 1`)}
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
    rows
      .filter((row) => row.dimension === dimension)
      .map(({ value, title, ...row }) => ({ value, title, counts: attachmentFigures.parse(row) }));
  const mostFirst = (dimension: "category" | "touchpoint" | "product") =>
    of(dimension).sort((a, b) => b.counts.eligible - a.counts.eligible || (a.value < b.value ? -1 : 1));
  const starts = bandStartsIn(currency);
  return {
    total: attachmentFigures.parse(of("total")[0]?.counts),
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
