/** What was sold in a period, counted from the shop's items at each request. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { type AttachmentRange, isInRange } from "./attachment.server.ts";
import { type SoldInsurance, toEndSpans } from "./sold-insurance.ts";

const groups = z.array(
  z.object({ value: z.string(), lines: z.coerce.number(), premiumMinor: z.coerce.number() }),
);
const ends = z.array(z.object({ days: z.int(), isWithdrawn: z.boolean(), items: z.coerce.number() }));
const orders = z.tuple([z.object({ insuredOrders: z.coerce.number(), premiumMinor: z.coerce.number() })]);

export async function soldInsurance(shop: string, range: AttachmentRange): Promise<SoldInsurance> {
  const { environment, timezone, currency } = range;
  const day = (column: Prisma.Sql) => Prisma.sql`(${column} AT TIME ZONE ${timezone})::date`;
  // An exchange leaves an item without premium: its replacement is the sale.
  const items = Prisma.sql`
    sold AS (
      SELECT "orderId", "purchasedAt" FROM "Order"
      WHERE shop = ${shop} AND "paidAt" IS NOT NULL AND ${isInRange(range)}
    ),
    item AS (
      SELECT i.*, sold."purchasedAt" FROM "InsuredItem" AS i JOIN sold USING ("orderId")
      WHERE i.shop = ${shop} AND i.currency = ${currency} AND (i.wanted OR i."premiumMinor" > 0)
    )`;
  const sums = Prisma.sql`
    count(DISTINCT (item."orderId", coalesce(item."insuredLineId", item."lineId"))) AS lines,
    coalesce(sum(item."premiumMinor"), 0) AS "premiumMinor"`;
  const [terms, formulas, ended, total] = await Promise.all([
    db.$queryRaw`
      WITH ${items} SELECT coalesce("termMonths"::text, '') AS value, ${sums} FROM item
      GROUP BY "termMonths" ORDER BY "termMonths"`,
    db.$queryRaw`
      WITH ${items} SELECT coalesce(r."categoryId", '') AS value, ${sums}
      FROM item LEFT JOIN "Reference" AS r
        ON r.shop = ${shop} AND r.environment = ${environment} AND r."referenceId" = item."offerReferenceId"
      GROUP BY 1 ORDER BY 2 DESC, 1`,
    db.$queryRaw`
      WITH ${items} SELECT ${day(Prisma.sql`m."happenedAt"`)} - ${day(Prisma.sql`item."purchasedAt"`)} AS days,
        item."withdrawnAt" IS NOT NULL AS "isWithdrawn", count(*) AS items
      FROM item JOIN "PremiumMovement" AS m ON m.shop = ${shop} AND m."orderId" = item."orderId"
        AND m."lineId" = item."lineId" AND m."itemNumber" = item."itemNumber" AND m.kind = 'contract_end'
      GROUP BY 1, 2`,
    db.$queryRaw`
      WITH ${items} SELECT count(DISTINCT "orderId") AS "insuredOrders",
        coalesce(sum("premiumMinor"), 0) AS "premiumMinor"
      FROM item`,
  ]);
  return {
    terms: groups.parse(terms),
    formulas: groups.parse(formulas),
    ends: toEndSpans(ends.parse(ended)),
    ...orders.parse(total)[0],
  };
}
