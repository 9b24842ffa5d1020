/** Writes the quotes of an order that may be used now into its metafield, which the order's page shows. */
import { z } from "zod";
import { quoteLink } from "#app/customers/customer-links.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { shopToday } from "#app/orders/quote-conditions.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { writeOrderMetafield } from "#app/shopify/app-data.server.ts";
import type { OrderQuotes, Quote } from "../../../extensions/cover/src/quotes.ts";
import { lowestOffer, MAX_TITLE, quoteOffers } from "./order-quotes.ts";

const quoted = z.object({
  environment,
  quotesDigest: z.string().nullable(),
  canWriteOrders: z.boolean(),
  open: z.array(
    z.object({
      linkId: z.string(),
      productTitle: z.string(),
      expiresOn: z.string(),
      offers: quoteOffers,
    }),
  ),
});

type QuotedOrder = z.infer<typeof quoted>;

/** The quotes that may be used now; null: there is no such order. */
async function readQuoted(shop: string, orderId: string): Promise<QuotedOrder | null> {
  const rows = await db.$queryRaw`
    SELECT o.environment, o."quotesDigest",
      COALESCE((SELECT m."canWriteOrders" FROM "Merchant" AS m WHERE m.shop = o.shop), false) AS "canWriteOrders", (
        SELECT COALESCE(jsonb_agg(to_jsonb(open) ORDER BY open."lineId", open."itemNumber"), '[]') FROM (
          SELECT l."lineId", l."itemNumber", l."linkId", l."productTitle", l."expiresOn", quote.offers
          FROM "OrderQuote" AS l JOIN "Quote" AS quote
            ON quote.shop = l.shop AND quote.environment = l.environment AND quote."quoteId" = l."quoteId"
          WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state = 'open'
            AND quote."sealedCustomer" IS NOT NULL AND l."expiresOn" >= ${shopToday(Prisma.sql`o.shop`)}
        ) AS open) AS open
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(quoted).max(1).parse(rows)[0] ?? null;
}

/**
 * Safe to repeat: an unchanged value is not written again. What the shop refuses, such as an order that was deleted,
 * waits for the next change.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function publishOrderQuotes(shop: string, orderId: string): Promise<void> {
  const order = await readQuoted(shop, orderId);
  if (!order?.canWriteOrders) return;
  const isEmpty = order.open.length === 0;
  if (isEmpty && order.quotesDigest === null) return;
  const metafield = {
    key: "quotes",
    content: orderQuotes(shop, order),
    written: order.quotesDigest,
  } as const;
  const quotesDigest = await writeOrderMetafield(shop, orderId, metafield);
  if (quotesDigest !== null) await db.order.updateMany({ where: { shop, orderId }, data: { quotesDigest } });
}

function orderQuotes(shop: string, { environment: account, open }: QuotedOrder): OrderQuotes {
  const [first] = open;
  return {
    isTest: account === "test",
    stopUrl: first ? `${quoteLink(shop, first.linkId)}?stop` : null,
    quotes: open.map(({ linkId, productTitle, expiresOn, offers }): Quote => {
      const lowest = lowestOffer(offers);
      return {
        product: cutText(productTitle, MAX_TITLE),
        url: quoteLink(shop, linkId),
        until: expiresOn,
        fromMinor: lowest.priceMinor,
        currency: lowest.currencyCode,
        monthly: lowest.billing === "monthly",
      };
    }),
  };
}
