/**
 * Sends each quote that is valid and shown on an order to the shop's workflows (Shopify Flow), once: marketing tools
 * then write to the customer, who must not get two e-mails for one quote. A trigger whose outcome is unknown is not
 * sent again.
 */
import { z } from "zod";
import { quoteLink } from "#app/customers/customer-links.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { shopToday } from "#app/orders/quote-conditions.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { toCurrencyUnits } from "#app/platform/money.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { triggerFlow } from "#app/shopify/flow.server.ts";
import { lowestOffer, MAX_TITLE, ON_REQUEST, quoteOffers } from "./order-quotes.ts";

/** As extensions/insurance-quote-ready/shopify.extension.toml names it, with the keys of its fields. */
const TRIGGER = "insurance-quote-ready";

const unannouncedQuote = z.object({
  linkId: z.string(),
  environment,
  productTitle: z.string(),
  expiresOn: z.string(),
  numberInOrder: z.coerce.number(),
  offers: quoteOffers,
});
type UnannouncedQuote = z.output<typeof unannouncedQuote>;

/**
 * Marks the order's next quote as sent, if the order shows it and it may be used. In one
 * statement and before the request, so that no other worker and no repetition sends it again. Materialised: as a part
 * of the update it would be read again for each row, and skip the rows that it has locked.
 */
async function claimUnannouncedQuote(shop: string, orderId: string): Promise<UnannouncedQuote | null> {
  const rows = await db.$queryRaw`
    WITH next AS MATERIALIZED (
      SELECT l."lineId", l."itemNumber", quote.offers, (
        SELECT count(*) + 1 FROM "OrderQuote" AS other
        WHERE other.shop = l.shop AND other."orderId" = l."orderId" AND other."flowAt" IS NOT NULL) AS "numberInOrder"
      FROM "OrderQuote" AS l
        JOIN "Order" AS o ON o.shop = l.shop AND o."orderId" = l."orderId"
        JOIN "Quote" AS quote
          ON quote.shop = l.shop AND quote.environment = l.environment AND quote."quoteId" = l."quoteId"
      WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l.state = 'open' AND l."flowAt" IS NULL
        AND l."delayHours" <> ${ON_REQUEST}
        AND l."expiresOn" >= ${shopToday(Prisma.sql`l.shop`)}
        AND o."quotesDigest" IS NOT NULL AND o."acceptsMarketing" AND o."cancelledAt" IS NULL AND o."erasedAt" IS NULL
        AND quote."sealedCustomer" IS NOT NULL
        AND NOT EXISTS (SELECT FROM "QuoteSuppression" AS x
          WHERE x.shop = l.shop AND x."emailDigest" = quote."emailDigest")
      ORDER BY l."lineId", l."itemNumber" LIMIT 1 FOR UPDATE OF l SKIP LOCKED
    )
    UPDATE "OrderQuote" AS sent SET "flowAt" = now() FROM next
    WHERE sent.shop = ${shop} AND sent."orderId" = ${orderId}
      AND sent."lineId" = next."lineId" AND sent."itemNumber" = next."itemNumber"
    RETURNING sent."linkId", sent.environment, sent."productTitle", sent."expiresOn", next.offers, next."numberInOrder"`;
  return z.array(unannouncedQuote).max(1).parse(rows)[0] ?? null;
}

/** What fails here keeps no quote from being made or shown. */
export async function triggerQuoteFlow(shop: string, orderId: string): Promise<void> {
  for (
    let quote = await claimUnannouncedQuote(shop, orderId);
    quote;
    quote = await claimUnannouncedQuote(shop, orderId)
  ) {
    try {
      await triggerFlow(shop, TRIGGER, payloadOf(shop, orderId, quote));
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      log.warn(
        { err: error, shop, orderId },
        "Failed to confirm a quote's Shopify Flow trigger; it is not sent again",
      );
    }
  }
}

function payloadOf(
  shop: string,
  orderId: string,
  quote: UnannouncedQuote,
): Record<string, string | number | boolean> {
  const { priceMinor, currencyCode: currency, billing } = lowestOffer(quote.offers);
  const link = quoteLink(shop, quote.linkId);
  return {
    // A number, as Shopify's ids are; beyond 2^53 its exact text.
    order_id: Number.isSafeInteger(Number(orderId)) ? Number(orderId) : orderId,
    Product: cutText(quote.productTitle, MAX_TITLE),
    "Quote link": link,
    "Stop link": `${link}?stop`,
    "Valid until": quote.expiresOn,
    Price: toCurrencyUnits(priceMinor, currency),
    Currency: currency,
    Monthly: billing === "monthly",
    "Number in order": quote.numberInOrder,
    Test: quote.environment === "test",
  };
}
