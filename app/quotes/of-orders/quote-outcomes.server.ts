/** What became of the quotes of orders: of one, and as figures by product. */
import { z } from "zod";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db } from "#app/platform/db.server.ts";
import { touchpoints } from "#app/shopify/touchpoints.ts";

/** Null: the quote was made by hand. */
export async function findOrderQuote({ shop, environment }: Merchant, quoteId: string) {
  return db.orderQuote.findFirst({
    where: { shop, environment, quoteId },
    select: { orderId: true, openedAt: true, revokedAt: true, soldAt: true, contractId: true },
  });
}

const MOST_ROWS = 50;

const figure = z.object({
  productTitle: z.string(),
  delayHours: z.int(),
  /** where the customer requested it; null: they did not */
  touchpoint: z.enum(touchpoints).nullable(),
  made: z.int(),
  opened: z.int(),
  sold: z.int(),
  expired: z.int(),
  revoked: z.int(),
  /** requested, with an unknown outcome */
  unknown: z.int(),
  soldMinor: z.coerce.number(),
});
export type QuoteFigure = z.infer<typeof figure>;

/**
 * Those of the account in use, the product with the most first.
 * @param today `YYYY-MM-DD` in the shop's time zone
 */
export async function listQuoteFigures(
  { shop, environment }: Merchant,
  today: string,
): Promise<QuoteFigure[]> {
  const rows = await db.$queryRaw`
    SELECT max("productTitle") AS "productTitle", "delayHours", touchpoint,
      count("quoteId")::int AS made,
      count(*) FILTER (WHERE "openedAt" IS NOT NULL)::int AS opened,
      count(*) FILTER (WHERE state = 'sold')::int AS sold,
      count(*) FILTER (WHERE state = 'open' AND "expiresOn" < ${today})::int AS expired,
      count(*) FILTER (WHERE state = 'revoked' AND "quoteId" IS NOT NULL)::int AS revoked,
      count(*) FILTER (WHERE state = 'unknown')::int AS unknown,
      COALESCE(sum("soldMinor") FILTER (WHERE state = 'sold'), 0) AS "soldMinor"
    FROM "OrderQuote" WHERE shop = ${shop} AND environment = ${environment}
    GROUP BY COALESCE("productId", "productTitle"), "delayHours", touchpoint
    ORDER BY made DESC, "productTitle" LIMIT ${MOST_ROWS}`;
  return z.array(figure).parse(rows);
}
