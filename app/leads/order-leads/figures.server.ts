/** Outcomes of automatic quotes, by product and delay. */
import { z } from "zod";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db } from "#app/platform/db.server.ts";

const MOST_ROWS = 50;

const figure = z.object({
  productTitle: z.string(),
  delayHours: z.int(),
  made: z.int(),
  opened: z.int(),
  sold: z.int(),
  expired: z.int(),
  withdrawn: z.int(),
  /** requested, with an unknown outcome */
  unknown: z.int(),
  soldMinor: z.coerce.number(),
});
export type LeadFigure = z.infer<typeof figure>;

/**
 * Those of the account in use, the product with the most first.
 * @param today `YYYY-MM-DD` in the shop's time zone
 */
export async function listLeadFigures({ shop, environment }: Merchant, today: string): Promise<LeadFigure[]> {
  const rows = await db.$queryRaw`
    SELECT max("productTitle") AS "productTitle", "delayHours",
      count(*) FILTER (WHERE "madeAt" IS NOT NULL)::int AS made,
      count(*) FILTER (WHERE "openedAt" IS NOT NULL)::int AS opened,
      count(*) FILTER (WHERE state = 'sold')::int AS sold,
      count(*) FILTER (WHERE state = 'open' AND left("expiresOn", 10) < ${today})::int AS expired,
      count(*) FILTER (WHERE state = 'withdrawn' AND "madeAt" IS NOT NULL)::int AS withdrawn,
      count(*) FILTER (WHERE state = 'unknown')::int AS unknown,
      COALESCE(sum("soldMinor") FILTER (WHERE state = 'sold'), 0) AS "soldMinor"
    FROM "OrderLead" WHERE shop = ${shop} AND environment = ${environment}
    GROUP BY COALESCE("productId", "productTitle"), "delayHours"
    ORDER BY made DESC, "productTitle" LIMIT ${MOST_ROWS}`;
  return z.array(figure).parse(rows);
}
