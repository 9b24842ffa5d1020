/** How insurance sells, added up in the database. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { minorDigits } from "#app/platform/money.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { bandStarts } from "./overview.ts";
import type { AttachmentFigures } from "./overview.ts";

export interface OverviewRange {
  environment: Environment;
  /** days in the shop's time zone, `YYYY-MM-DD`, both included; null leaves that side open */
  start: string | null;
  end: string | null;
  /** the shop's IANA time zone and ISO 4217 currency */
  timezone: string;
  currency: string;
}

const figures = z.object({
  eligible: z.coerce.number(),
  seen: z.coerce.number(),
  chosen: z.coerce.number(),
  paid: z.coerce.number(),
  cancelled: z.coerce.number(),
  premiumMinor: z.coerce.number(),
}) satisfies z.ZodType<AttachmentFigures>;

const group = figures.extend({
  day: z.string().nullable(),
  category: z.string().nullable(),
  touchpoint: z.string().nullable(),
  product: z.string().nullable(),
  band: z.coerce.number().nullable(),
  title: z.string(),
});

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

/** The lines that count, with what became of their insurance. */
function lines(shop: string, { environment, start, end, timezone, currency }: OverviewRange): Prisma.Sql {
  const from =
    start === null
      ? Prisma.empty
      : Prisma.sql`AND "purchasedAt" >= (${start}::timestamp AT TIME ZONE ${timezone})`;
  const until =
    end === null
      ? Prisma.empty
      : Prisma.sql`AND "purchasedAt" < ((${end}::timestamp + interval '1 day') AT TIME ZONE ${timezone})`;
  return Prisma.sql`
    known AS (
      SELECT "orderId", "paidAt", to_char("purchasedAt" AT TIME ZONE ${timezone}, 'YYYY-MM-DD') AS day
      FROM "Order" WHERE shop = ${shop} AND environment = ${environment} ${from} ${until}
    ),
    insured AS (
      SELECT "orderId", "insuredLineId" AS "lineId", max(unit.touchpoint) AS touchpoint,
        bool_and(NOT wanted OR state = 'cancelled') AS over,
        sum("premiumMinor") FILTER (WHERE wanted AND state <> 'cancelled' AND currency = ${currency}) AS premium
      FROM "InsuredUnit" unit JOIN known USING ("orderId")
      WHERE shop = ${shop} GROUP BY "orderId", "insuredLineId"
    ),
    line AS (
      SELECT day, "orderId", "categoryId" AS category, coalesce(insured.touchpoint, "offeredAt", '') AS touchpoint,
        coalesce("productId", '') AS product, title, "priceMinor", "insuranceOffered" AS seen,
        "insuranceSelected" AS chosen, "paidAt" IS NOT NULL AS paid, coalesce(over, false) AS over, premium
      FROM "OrderLine" JOIN known USING ("orderId") LEFT JOIN insured USING ("orderId", "lineId")
      WHERE shop = ${shop} AND "categoryId" <> ''
    )`;
}

const counted = Prisma.sql`
  count(*) AS eligible,
  count(*) FILTER (WHERE seen) AS seen,
  count(*) FILTER (WHERE chosen) AS chosen,
  count(*) FILTER (WHERE chosen AND paid) AS paid,
  count(*) FILTER (WHERE chosen AND paid AND over) AS cancelled,
  coalesce(sum(premium) FILTER (WHERE paid), 0) AS "premiumMinor"`;

/** All figures of a period, in one pass over its lines. */
export async function attachmentOverview(shop: string, range: OverviewRange): Promise<AttachmentOverview> {
  const unit = 10 ** minorDigits(range.currency);
  const starts = bandStarts.map((start) => start * unit);
  const found = await db.$queryRaw`
    WITH ${lines(shop, range)},
    banded AS (SELECT *, width_bucket("priceMinor", ${starts}::int[]) AS band FROM line)
    SELECT day, category, touchpoint, product, band, coalesce(max(title), '') AS title, ${counted}
    FROM banded
    GROUP BY GROUPING SETS ((), (day), (category), (touchpoint), (product), (band))
    ORDER BY day, band, eligible DESC, category, touchpoint, product`;
  const groups = z.array(group).parse(found);
  const by = <Key extends "day" | "category" | "touchpoint" | "product">(key: Key) =>
    groups.flatMap((row) => {
      const value = row[key];
      return value === null ? [] : [{ row, value }];
    });
  const isTotal = ({ day, category, touchpoint, product, band }: z.infer<typeof group>) =>
    [day, category, touchpoint, product, band].every((value) => value === null);
  return {
    total: figures.parse(groups.find(isTotal)),
    days: by("day").map(({ row, value }) => ({ day: value, ...figures.parse(row) })),
    categories: by("category").map(({ row, value }) => ({ category: value, ...figures.parse(row) })),
    touchpoints: by("touchpoint").map(({ row, value }) => ({ touchpoint: value, ...figures.parse(row) })),
    products: by("product")
      .slice(0, PRODUCTS)
      .map(({ row, value }) => ({ product: value, title: row.title, ...figures.parse(row) })),
    bands: groups.flatMap((row) =>
      row.band === null
        ? []
        : [
            {
              fromMinor: starts[row.band - 1] ?? 0,
              toMinor: starts[row.band] ?? null,
              ...figures.parse(row),
            },
          ],
    ),
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
  range: Omit<OverviewRange, "start" | "end">,
  today: string,
): Promise<{ today: SalesAtAGlance; month: SalesAtAGlance }> {
  const start = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10);
  const found = await db.$queryRaw`
    WITH ${lines(shop, { ...range, start, end: today })},
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
