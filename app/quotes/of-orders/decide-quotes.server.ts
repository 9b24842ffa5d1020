/** What is stored of an order when its quotes are decided, and the decision itself. */
import { z } from "zod";
import { environment, type Environment } from "#app/merchants/connection.ts";
import { quotablePaidSince, shopToday } from "#app/orders/quote-conditions.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { UninsuredItem } from "./order-quotes.ts";

/** Decides an order: `items` get quotes. Staff may have requested one of the same item concurrently: theirs stays. */
export async function insertDecided(
  shop: string,
  orderId: string,
  {
    environment: account,
    delayHours,
    items,
  }: { environment: string; delayHours: number; items: (UninsuredItem & { linkId: string })[] },
): Promise<void> {
  await db.$executeRaw`
    WITH decided AS (
      UPDATE "Order" SET "quotesDecidedAt" = now()
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND "quotesDecidedAt" IS NULL RETURNING shop, "orderId"
    )
    INSERT INTO "OrderQuote" (shop, "orderId", environment, "delayHours", "lineId", "itemNumber", "productId", "variantId",
      "productTitle", "priceMinor", currency, "categoryId", "linkId")
    SELECT decided.shop, decided."orderId", ${account}, ${delayHours}, item.*
    FROM decided, jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS item("lineId" text, "itemNumber" int,
      "productId" text, "variantId" text, title text, "priceMinor" int, currency text, "categoryId" text, "linkId" text)
    ON CONFLICT DO NOTHING`;
}

const orderQuoteContext = z.object({
  environment,
  timezone: z.string(),
  /** it has quotes, or had some that may be in its metafield */
  hasQuotes: z.boolean(),
  /** some of them are pending */
  hasDue: z.boolean(),
  /** its time has come, and nothing was decided */
  isTimeToDecide: z.boolean(),
  /** the merchant wants automatic quotes and lets the order show them, and the shop sells insurance now */
  canRequest: z.boolean(),
  delayHours: z.int(),
});
export type OrderQuoteContext = z.infer<typeof orderQuoteContext>;

/** Null: there is no such order, or no such shop. */
export async function readOrderQuoteContext(
  shop: string,
  orderId: string,
): Promise<OrderQuoteContext | null> {
  const rows = await db.$queryRaw`
    SELECT o.environment, m.timezone,
      o."quotesDigest" IS NOT NULL OR EXISTS (
        SELECT FROM "OrderQuote" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId") AS "hasQuotes",
      EXISTS (SELECT FROM "OrderQuote" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state = 'due')
        AS "hasDue",
      COALESCE(o."quotesDecidedAt" IS NULL AND o."paidAt" > s.since
        AND o."paidAt" <= now() - s."delayHours" * interval '1 hour'
        AND o."paidAt" > ${quotablePaidSince}, false)
        AS "isTimeToDecide",
      m."uninstalledAt" IS NULL AND m."canWriteOrders" AND s.since IS NOT NULL AND NOT EXISTS (
        SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment)
        AND m."sellingPausedAt" IS NULL AND EXISTS (SELECT FROM "Connection" AS c
          WHERE c.shop = o.shop AND c.environment = o.environment AND c.state <> 'refused') AS "canRequest",
      COALESCE(s."delayHours", 0) AS "delayHours"
    FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop LEFT JOIN "QuoteSettings" AS s ON s.shop = o.shop
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(orderQuoteContext).max(1).parse(rows)[0] ?? null;
}

const known = z.object({
  /** `YYYY-MM-DD` in the shop's time zone */
  today: z.string(),
  mayBeQuoted: z.boolean(),
  insured: z.array(z.string().nullable()),
  quotes: z.array(
    z.object({
      lineId: z.string(),
      itemNumber: z.int(),
      state: z.string(),
      expiresOn: z.string().nullable(),
    }),
  ),
  quotedByHand: z.array(z.string()),
});

/**
 * What is stored of the order and its customer. `quotes`: those that its items have or had, such as from staff;
 * `quotedByHand`: the variants that staff have quoted this customer, and that are still valid or may exist: a second
 * quote would only confuse.
 */
export async function readKnown(
  shop: string,
  orderId: string,
  environment: Environment,
  emailDigest: string,
): Promise<z.infer<typeof known> | null> {
  const rows = await db.$queryRaw`
    SELECT ${shopToday(Prisma.sql`o.shop`)} AS today,
      o."acceptsMarketing" AND o."erasedAt" IS NULL AND o."cancelledAt" IS NULL AND o."paidAt" IS NOT NULL
        -- Its quotes may have been made in the lost time, and the insurer lists no quotes.
        AND NOT EXISTS (SELECT FROM "Restore" AS r WHERE r.at >= o."paidAt")
        AND NOT EXISTS (SELECT FROM "QuoteSuppression" AS s WHERE s.shop = o.shop AND s."emailDigest" = ${emailDigest})
        AS "mayBeQuoted",
      (SELECT COALESCE(jsonb_agg(u."insuredLineId"), '[]') FROM "InsuredItem" AS u
        WHERE u.shop = o.shop AND u."orderId" = o."orderId"
          -- Who has withdrawn from insurance is not sent a quote for it.
          AND (u.wanted OR u."withdrawnAt" IS NOT NULL)) AS insured,
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', l."lineId", 'itemNumber', l."itemNumber", 'state', l.state,
          'expiresOn', l."expiresOn")), '[]') FROM "OrderQuote" AS l
        WHERE l.shop = o.shop AND l."orderId" = o."orderId") AS quotes,
      (SELECT COALESCE(jsonb_agg(l."variantId"), '[]') FROM "Quote" AS l
        WHERE l.shop = o.shop AND l.environment = ${environment} AND l."emailDigest" = ${emailDigest}
          AND (l.status IN ('sending', 'unknown')
            OR (l.status = 'active' AND l."expiresOn" >= ${shopToday(Prisma.sql`o.shop`)}))
          AND NOT EXISTS (SELECT FROM "OrderQuote" AS x
            WHERE x.shop = l.shop AND x.environment = l.environment AND x."quoteId" = l."quoteId"))
        AS "quotedByHand"
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(known).max(1).parse(rows)[0] ?? null;
}
