/** What the statistics are counted from: the lines of orders that can be insured, as parts of a statement. */
import { Prisma } from "#app/platform/prisma/client.ts";

/** What a shop's days and amounts mean. */
export interface Basis {
  /** IANA; in which days begin and end */
  timezone: string;
  /** ISO 4217; amounts in another one are not counted */
  currency: string;
}

/** The beginning of a day in the shop. @param day `YYYY-MM-DD` */
export const midnight = (day: string, { timezone }: Basis): Prisma.Sql =>
  Prisma.sql`(${day}::timestamp AT TIME ZONE ${timezone})`;

export const nextMidnight = (day: string, { timezone }: Basis): Prisma.Sql =>
  Prisma.sql`((${day}::timestamp + interval '1 day') AT TIME ZONE ${timezone})`;

/**
 * The lines that count, with what became of their insurance, as the table `line` of a WITH.
 * @param orders which of the shop's orders, a condition on "Order"
 */
export function attachmentLines(shop: string, { timezone, currency }: Basis, orders: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    known AS (
      SELECT "orderId", environment, "paidAt", to_char("purchasedAt" AT TIME ZONE ${timezone}, 'YYYY-MM-DD') AS day
      FROM "Order" WHERE shop = ${shop} AND ${orders}
    ),
    insured AS (
      SELECT "orderId", "insuredLineId" AS "lineId", max(unit.touchpoint) AS touchpoint,
        bool_and(NOT wanted OR state = 'cancelled') AS over,
        sum("premiumMinor") FILTER (WHERE wanted AND state <> 'cancelled' AND currency = ${currency}) AS premium
      FROM "InsuredUnit" unit JOIN known USING ("orderId")
      WHERE shop = ${shop} GROUP BY "orderId", "insuredLineId"
    ),
    line AS (
      SELECT environment, day, "orderId", "categoryId" AS category,
        coalesce(insured.touchpoint, "offeredAt", '') AS touchpoint, coalesce("productId", '') AS product, title,
        "priceMinor", "insuranceOffered" AS seen, "insuranceSelected" AS chosen, "paidAt" IS NOT NULL AS paid,
        coalesce(over, false) AS over, premium
      FROM "OrderLine" JOIN known USING ("orderId") LEFT JOIN insured USING ("orderId", "lineId")
      WHERE shop = ${shop} AND "categoryId" <> ''
    )`;
}

/** The figures of a group of lines. */
export const counted = Prisma.sql`
  count(*) AS eligible,
  count(*) FILTER (WHERE seen) AS seen,
  count(*) FILTER (WHERE chosen) AS chosen,
  count(*) FILTER (WHERE chosen AND paid) AS paid,
  count(*) FILTER (WHERE chosen AND paid AND over) AS cancelled,
  coalesce(sum(premium) FILTER (WHERE paid), 0) AS "premiumMinor"`;
