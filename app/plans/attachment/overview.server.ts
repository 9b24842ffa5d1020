/** How insurance sells: the statistics of any period, and the home page's glance at the last days. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { bandStartsIn, refreshBlocks } from "./blocks.server.ts";
import { cover } from "./cover.ts";
import { attachmentLines, counted, midnight, nextMidnight } from "./lines.server.ts";
import type { Basis } from "./lines.server.ts";
import { dimensions } from "./overview.ts";
import type { AttachmentFigures } from "./overview.ts";

export interface OverviewRange extends Basis {
  environment: Environment;
  /** days in the shop's time zone, `YYYY-MM-DD`, both included; null leaves that side open */
  start: string | null;
  end: string | null;
}

const figures = z.object({
  eligible: z.coerce.number(),
  seen: z.coerce.number(),
  chosen: z.coerce.number(),
  paid: z.coerce.number(),
  cancelled: z.coerce.number(),
  premiumMinor: z.coerce.number(),
}) satisfies z.ZodType<AttachmentFigures>;

const groups = z.array(
  figures.extend({
    dimension: z.enum(["total", ...dimensions]),
    value: z.string(),
    title: z.string(),
  }),
);

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

const summed = Prisma.sql`
  coalesce(sum(eligible), 0) AS eligible,
  coalesce(sum(seen), 0) AS seen,
  coalesce(sum(chosen), 0) AS chosen,
  coalesce(sum(paid), 0) AS paid,
  coalesce(sum(cancelled), 0) AS cancelled,
  coalesce(sum("premiumMinor"), 0) AS "premiumMinor"`;

/** All figures of a period, from the years, months and days that it is made of. */
export async function attachmentOverview(
  shop: string,
  { environment, start, end, timezone, currency }: OverviewRange,
): Promise<AttachmentOverview> {
  await refreshBlocks(shop, { timezone, currency });
  const pieces = cover(start, end).map(
    ({ level, from, to }) => Prisma.sql`level = ${level} AND span BETWEEN ${from} AND ${to}`,
  );
  const found = await db.$queryRaw`
    WITH block AS MATERIALIZED (
      SELECT * FROM "AttachmentBlock"
      WHERE shop = ${shop} AND environment = ${environment} AND (${Prisma.join(pieces, " OR ")}) AND eligible <> 0
    )
    SELECT 'total' AS dimension, '' AS value, '' AS title, ${summed} FROM block WHERE dimension = 'day'
    UNION ALL
    (SELECT dimension, value, '', ${summed} FROM block WHERE dimension <> 'product' GROUP BY dimension, value)
    UNION ALL
    (SELECT dimension, value, max(title), ${summed} FROM block WHERE dimension = 'product'
      GROUP BY dimension, value ORDER BY 4 DESC, value LIMIT ${PRODUCTS})`;
  const rows = groups.parse(found);
  const of = (dimension: (typeof rows)[number]["dimension"]) =>
    rows
      .filter((row) => row.dimension === dimension)
      .map(({ value, title, ...row }) => ({ value, title, counts: figures.parse(row) }));
  const mostFirst = (dimension: "category" | "touchpoint" | "product") =>
    of(dimension).sort((a, b) => b.counts.eligible - a.counts.eligible || (a.value < b.value ? -1 : 1));
  const starts = bandStartsIn(currency);
  return {
    total: figures.parse(of("total")[0]?.counts),
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

const glance = figures.extend({ insuredOrders: z.coerce.number() });
export type SalesAtAGlance = z.infer<typeof glance>;

const nothing: SalesAtAGlance = {
  eligible: 0,
  seen: 0,
  chosen: 0,
  paid: 0,
  cancelled: 0,
  premiumMinor: 0,
  insuredOrders: 0,
};

/** Today and the last thirty days, in one pass. @param today `YYYY-MM-DD` in the shop's time zone */
export async function salesAtAGlance(
  shop: string,
  { environment, ...basis }: Basis & { environment: Environment },
  today: string,
): Promise<{ today: SalesAtAGlance; month: SalesAtAGlance }> {
  const start = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10);
  const orders = Prisma.sql`environment = ${environment}
    AND "purchasedAt" >= ${midnight(start, basis)} AND "purchasedAt" < ${nextMidnight(today, basis)}`;
  const found = await db.$queryRaw`
    WITH ${attachmentLines(shop, basis, orders)},
    dated AS (SELECT *, day = ${today} AS "isToday" FROM line)
    SELECT "isToday", count(DISTINCT "orderId") FILTER (WHERE chosen AND paid) AS "insuredOrders", ${counted}
    FROM dated GROUP BY GROUPING SETS ((), ("isToday"))`;
  const rows = z.array(glance.extend({ isToday: z.boolean().nullable() })).parse(found);
  return {
    today: glance.parse(rows.find(({ isToday }) => isToday === true) ?? nothing),
    month: glance.parse(rows.find(({ isToday }) => isToday === null) ?? nothing),
  };
}

const standing = z.tuple([z.object({ insuredOrderSeen: z.boolean(), openTasks: z.coerce.number() })]);

/** Whether an order with insurance was ever seen, and how many tasks wait for a person. */
export async function plansStanding(shop: string): Promise<{ insuredOrderSeen: boolean; openTasks: number }> {
  const found = await db.$queryRaw`
    SELECT EXISTS (SELECT 1 FROM "InsuredUnit" WHERE shop = ${shop}) AS "insuredOrderSeen",
      (SELECT count(*) FROM "Task" WHERE shop = ${shop} AND "closedAt" IS NULL) AS "openTasks"`;
  return standing.parse(found)[0];
}
