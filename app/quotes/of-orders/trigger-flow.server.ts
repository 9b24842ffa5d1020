/**
 * Sends each quote that is valid and shown on an order to the shop's workflows (Shopify Flow), once: marketing tools
 * then write to the customer, who must not get two e-mails for one quote. A trigger whose outcome is unknown is not
 * sent again.
 */
import { quoteLink } from "#app/customers/customer-links.server.ts";
import { log } from "#app/platform/log.server.ts";
import { toCurrencyUnits } from "#app/platform/money.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { triggerFlow } from "#app/shopify/flow.server.ts";
import { lowestOffer, MAX_TITLE } from "./order-quotes.ts";
import { claimUnannouncedQuote, type UnannouncedQuote } from "./rows.server.ts";

/** As extensions/insurance-quote-ready/shopify.extension.toml names it, with the keys of its fields. */
const TRIGGER = "insurance-quote-ready";

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
