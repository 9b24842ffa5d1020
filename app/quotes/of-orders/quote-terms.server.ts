/** What decides about an order's quotes beside its book: its shop's settings, and what its customer agreed to. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { shopsWithQuotes } from "#app/merchants/quote-settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

export const quoteTerms = z.object({
  since: z.coerce.date().nullable(),
  delayHours: z.int(),
  timezone: z.string(),
  acceptsMarketing: z.boolean(),
});

/** Of the order `o`, as `quoteTerms`; null: the shop does not have the app. */
export const quoteTermsColumn = Prisma.sql`(
  SELECT jsonb_build_object('since', m.since, 'delayHours', COALESCE(m."delayHours", 0), 'timezone', m.timezone,
    'acceptsMarketing', o."acceptsMarketing")
  FROM (${shopsWithQuotes}) AS m WHERE m.shop = o.shop)`;

const quoteContext = z.object({
  environment,
  terms: quoteTerms.nullable(),
  /** the shop sells insurance now, by an account that the insurer takes */
  isSelling: z.boolean(),
  canWriteOrders: z.boolean(),
});
export type QuoteContext = z.infer<typeof quoteContext>;

/** Null: there is no such order, or no such shop. */
export async function readQuoteContext(shop: string, orderId: string): Promise<QuoteContext | null> {
  const rows = await db.$queryRaw`
    SELECT o.environment, ${quoteTermsColumn} AS terms, m."canWriteOrders",
      NOT EXISTS (SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment)
        AND m."sellingPausedAt" IS NULL AND EXISTS (SELECT FROM "Connection" AS c
          WHERE c.shop = o.shop AND c.environment = o.environment AND c.state <> 'refused') AS "isSelling"
    FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(quoteContext).max(1).parse(rows)[0] ?? null;
}

/** The time zone whose days a shop's quotes are valid for. */
export async function readQuoteTimezone(shop: string): Promise<string> {
  const merchant = await db.merchant.findUnique({ where: { shop }, select: { timezone: true } });
  return merchant?.timezone ?? "UTC";
}
