/**
 * The attachment statistics, counted from the shop's orders at each request (docs/decisions/0012-one-database.md).
 */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { daysBefore, startOfDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  addFigures,
  type AttachmentFigures,
  type AttachmentOverview,
  bandStartsIn,
  dimensions,
  noFigures,
  NOT_ON_PRODUCT_PAGE,
  toAttachmentOverview,
} from "./attachment.ts";
import { type Suggestion, suggestionsOf } from "./sold-insurance.ts";

/** The range of orders to count. */
export interface AttachmentRange {
  environment: Environment;
  /** IANA time zone of the days */
  timezone: string;
  /** ISO 4217; premiums in other currencies are not counted */
  currency: string;
  /** days in the shop's time zone, `YYYY-MM-DD`, both included; null leaves that side open */
  start: string | null;
  end: string | null;
}

/** A condition on "Order". Test orders of a production account have no sales record, and are not counted. */
export function isInRange({ environment, timezone, start, end }: AttachmentRange): Prisma.Sql {
  const conditions = [
    Prisma.sql`environment = ${environment} AND "salesRecordStatus" <> 'test_order'`,
    ...(start === null ? [] : [Prisma.sql`"purchasedAt" >= ${startOfDay(timezone, start)}`]),
    ...(end === null ? [] : [Prisma.sql`"purchasedAt" < ${startOfDay(timezone, daysBefore(end, -1))}`]),
  ];
  return Prisma.join(conditions, " AND ");
}

/**
 * The rules of the statistics, as conditions on "OrderLine" and on `plan`, which insures the line (null if nothing
 * does).
 */
const rules = {
  /**
   * The product could be insured. In an exchange only the replacement counts: its insurance moved away from the
   * returned product's line, and left an item without premium (app/orders/book/exchanges.ts).
   */
  eligible: Prisma.sql`"categoryId" <> ''
    AND NOT ("currentQuantity" = 0 AND "insuranceSelected" AND coalesce(plan."hasMoved", true))`,
  seen: Prisma.sql`"insuranceOffered" OR plan."lineId" IS NOT NULL`,
  chosen: Prisma.sql`"insuranceSelected" OR plan."lineId" IS NOT NULL`,
  paid: Prisma.sql`"paidAt" IS NOT NULL`,
};

/** The same, as conditions on the "InsuredItem"s of a line. */
const itemRules = {
  ended: Prisma.sql`NOT wanted OR state = 'cancelled'`,
  inForce: Prisma.sql`state = 'active'`,
  moved: Prisma.sql`NOT wanted AND "premiumMinor" = 0`,
};

/** The eligible lines of a period as the table `line` of a WITH. */
function eligibleLines(shop: string, range: AttachmentRange): Prisma.Sql {
  const { timezone, currency } = range;
  return Prisma.sql`
    sold AS (
      SELECT "orderId", "paidAt", ("purchasedAt" AT TIME ZONE ${timezone})::date AS day
      FROM "Order" WHERE shop = ${shop} AND ${isInRange(range)}
    ),
    plan AS (
      SELECT "orderId", "insuredLineId" AS "lineId", max(touchpoint) AS touchpoint,
        bool_and(${itemRules.ended}) AS "hasEnded",
        bool_or(${itemRules.inForce}) AS "isInForce",
        bool_and(${itemRules.moved}) AS "hasMoved",
        sum("premiumMinor") FILTER (
          WHERE ${itemRules.inForce} AND NOT (${itemRules.ended}) AND currency = ${currency}) AS "premiumMinor"
      FROM "InsuredItem" JOIN sold USING ("orderId")
      WHERE shop = ${shop} GROUP BY "orderId", "insuredLineId"
    ),
    line AS (
      SELECT "orderId", day, "categoryId" AS category, coalesce(plan.touchpoint, "offeredAt", '') AS touchpoint,
        CASE WHEN coalesce(plan.touchpoint, "offeredAt") = 'product_page' THEN coalesce("productFormat", '')
          ELSE ${NOT_ON_PRODUCT_PAGE} END AS format,
        coalesce("productId", '') AS product, title,
        width_bucket("priceMinor", ${bandStartsIn(currency)}::int[]) AS band,
        ${rules.seen} AS seen, ${rules.chosen} AS chosen, ${rules.paid} AS paid, plan."hasEnded", plan."isInForce",
        plan."premiumMinor"
      FROM "OrderLine" JOIN sold USING ("orderId") LEFT JOIN plan USING ("orderId", "lineId")
      WHERE shop = ${shop} AND ${rules.eligible}
    )`;
}

/** The AttachmentFigures of a group of lines. */
const figures = Prisma.sql`
  count(*) AS eligible,
  count(*) FILTER (WHERE seen) AS seen,
  count(*) FILTER (WHERE chosen) AS chosen,
  count(*) FILTER (WHERE chosen AND paid) AS paid,
  count(*) FILTER (WHERE chosen AND paid AND "hasEnded") AS cancelled,
  coalesce(sum("premiumMinor") FILTER (WHERE paid), 0) AS "premiumMinor"`;

const figuresRow = z.object({
  eligible: z.coerce.number(),
  seen: z.coerce.number(),
  chosen: z.coerce.number(),
  paid: z.coerce.number(),
  cancelled: z.coerce.number(),
  premiumMinor: z.coerce.number(),
}) satisfies z.ZodType<AttachmentFigures>;

const groupRows = z.array(
  figuresRow.extend({ dimension: z.enum(dimensions), value: z.string(), title: z.string() }),
);

const MAX_PRODUCTS = 20;

/** All figures of a period. Years of orders take up to a second, so a page streams them. */
export async function attachmentOverview(shop: string, range: AttachmentRange): Promise<AttachmentOverview> {
  const rows = await db.$queryRaw`
    WITH ${eligibleLines(shop, range)},
    figures AS (
      SELECT
        CASE WHEN day IS NOT NULL THEN 'day' WHEN category IS NOT NULL THEN 'category'
          WHEN touchpoint IS NOT NULL THEN 'touchpoint' WHEN format IS NOT NULL THEN 'format' WHEN product IS NOT NULL THEN 'product' ELSE 'band'
        END AS dimension,
        coalesce(to_char(day, 'YYYY-MM-DD'), category, touchpoint, format, product, band::text) AS value,
        CASE WHEN product IS NOT NULL THEN max(title) ELSE '' END AS title,
        ${figures}
      FROM line GROUP BY GROUPING SETS ((day), (category), (touchpoint), (format), (product), (band))
    )
    SELECT * FROM figures WHERE dimension <> 'product'
    UNION ALL
    (SELECT * FROM figures WHERE dimension = 'product' ORDER BY eligible DESC, value LIMIT ${MAX_PRODUCTS})`;
  return toAttachmentOverview(groupRows.parse(rows), range.currency);
}

export interface AttachmentSummary extends AttachmentFigures {
  /** orders with a contract in force */
  insuredOrders: number;
}

/** The last thirty days, including today, as Home shows them. */
export interface AttachmentMonth {
  today: AttachmentSummary;
  month: AttachmentSummary;
  /** premiums by day, oldest first, also of days without orders; minor units */
  days: { day: string; premiumMinor: number }[];
  /** what the statistics' rules suggest first; null: nothing */
  suggestion: Suggestion | null;
}

const monthRows = z.array(
  figuresRow.extend({
    dimension: z.enum(["day", "category", "band"]),
    value: z.string(),
    insuredOrders: z.coerce.number(),
  }),
);

const DAYS_OF_SUMMARY = 30;

/** @param today `YYYY-MM-DD` in the shop's time zone */
export async function attachmentMonth(
  shop: string,
  settings: Pick<AttachmentRange, "environment" | "timezone" | "currency">,
  today: string,
): Promise<AttachmentMonth> {
  const range = { ...settings, start: daysBefore(today, DAYS_OF_SUMMARY - 1), end: today };
  const rows = await db.$queryRaw`
    WITH ${eligibleLines(shop, range)}
    SELECT
      CASE WHEN day IS NOT NULL THEN 'day' WHEN category IS NOT NULL THEN 'category' ELSE 'band' END AS dimension,
      coalesce(to_char(day, 'YYYY-MM-DD'), category, band::text) AS value, ${figures},
      count(DISTINCT "orderId") FILTER (WHERE "isInForce") AS "insuredOrders"
    FROM line GROUP BY GROUPING SETS ((day), (category), (band))`;
  const groups = monthRows.parse(rows);
  const overview = toAttachmentOverview(
    groups.map((group) => ({ ...group, title: "" })),
    range.currency,
  );
  const byDay = new Map(
    groups.flatMap(({ dimension, value, ...group }) => (dimension === "day" ? [[value, group]] : [])),
  );
  return {
    today: byDay.get(today) ?? nothingSold,
    month: sumOf([...byDay.values()]),
    days: Array.from({ length: DAYS_OF_SUMMARY }, (_, index) => {
      const day = daysBefore(range.end, DAYS_OF_SUMMARY - 1 - index);
      return { day, premiumMinor: byDay.get(day)?.premiumMinor ?? 0 };
    }),
    suggestion: suggestionsOf(overview)[0] ?? null,
  };
}

const nothingSold: AttachmentSummary = { ...noFigures, insuredOrders: 0 };

/** The sum of parts without common orders. */
function sumOf(parts: AttachmentSummary[]): AttachmentSummary {
  return parts.reduce<AttachmentSummary>(
    (sum, part) => ({ ...addFigures(sum, part), insuredOrders: sum.insuredOrders + part.insuredOrders }),
    nothingSold,
  );
}
