/**
 * Sends each quote that is valid and shown on an order to the shop's workflows (Shopify Flow), once: marketing tools
 * then write to the customer, who must not get two e-mails for one quote. A trigger whose outcome is unknown is not
 * sent again.
 */
import { itemKeyOf } from "#app/orders/book/events.ts";
import { quoteLink } from "#app/customers/customer-links.server.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { isExpired } from "#app/orders/book/quote-rules.ts";
import { ON_REQUEST, type Quote } from "#app/orders/book/quotes.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { log } from "#app/platform/log.server.ts";
import { toCurrencyUnits } from "#app/platform/money.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { triggerFlow } from "#app/shopify/flow.server.ts";
import { lowestOffer, MAX_TITLE } from "./order-quotes.ts";
import { type QuoteOffer, readQuoteOffers } from "./quote-offers.server.ts";

/** As extensions/insurance-quote-ready/shopify.extension.toml names it, with the keys of its fields. */
const TRIGGER = "insurance-quote-ready";

interface Announced {
  quote: Quote;
  offers: QuoteOffer["offers"];
  numberInOrder: number;
}

/**
 * Notes the order's next quote as sent, if the order shows it and it may be used: before the request, so that no other
 * worker and no repetition sends it again. Null: there is none.
 */
async function claimUnannouncedQuote(
  shop: string,
  orderId: string,
  timezone: string,
): Promise<Announced | null> {
  let next: Announced | null = null;
  await appendToOrder(
    shop,
    orderId,
    async ({ order, now, tx }) => {
      const today = toLocalDay(timezone, now);
      if (order.quotesDigest === null || order.cancelledAt !== null || order.erasedAt !== null) return null;
      const unannounced = order.quotes.filter(
        (quote) =>
          quote.state === "open" &&
          quote.announcedAt === null &&
          quote.planned.delayHours !== ON_REQUEST &&
          !isExpired(quote, today),
      );
      if (unannounced.length === 0) return null;
      if ((await tx.order.count({ where: { shop, orderId, acceptsMarketing: true } })) === 0) return null;
      const offers = await readQuoteOffers(shop, unannounced, tx);
      const emailDigest = { in: [...offers.values()].flatMap((offer) => offer.emailDigest ?? []) };
      const refusing = await tx.quoteSuppression.findMany({ where: { shop, emailDigest } });
      const isWelcome = (offer: QuoteOffer) =>
        refusing.every((customer) => customer.emailDigest !== offer.emailDigest);
      const [found] = [...offers].filter(([, offer]) => isWelcome(offer));
      if (found === undefined) return null;
      const [quote, { offers: ofQuote }] = found;
      const numberInOrder = order.quotes.filter(({ announcedAt }) => announcedAt !== null).length + 1;
      next = { quote, offers: ofQuote, numberInOrder };
      return [{ type: "quote_announced", quote: itemKeyOf(quote) }];
    },
    { isWorker: true },
  );
  return next;
}

/** What fails here keeps no quote from being made or shown. */
export async function triggerQuoteFlow(shop: string, orderId: string, timezone: string): Promise<void> {
  const claim = () => claimUnannouncedQuote(shop, orderId, timezone);
  for (let announced = await claim(); announced; announced = await claim()) {
    try {
      await triggerFlow(shop, TRIGGER, payloadOf(shop, orderId, announced));
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
  { quote, offers, numberInOrder }: Announced,
): Record<string, string | number | boolean> {
  const { priceMinor, currencyCode: currency, billing } = lowestOffer(offers);
  const link = quoteLink(shop, quote.planned.linkId);
  return {
    // A number, as Shopify's ids are; beyond 2^53 its exact text.
    order_id: Number.isSafeInteger(Number(orderId)) ? Number(orderId) : orderId,
    Product: cutText(quote.planned.title, MAX_TITLE),
    "Quote link": link,
    "Stop link": `${link}?stop`,
    "Valid until": quote.expiresOn ?? "",
    Price: toCurrencyUnits(priceMinor, currency),
    Currency: currency,
    Monthly: billing === "monthly",
    "Number in order": numberInOrder,
    Test: quote.planned.environment === "test",
  };
}
