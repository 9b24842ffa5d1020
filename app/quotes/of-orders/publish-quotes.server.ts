/** Writes the quotes of an order that may be used now into its metafield, which the order's page shows. */
import { quoteLink } from "#app/customers/customer-links.server.ts";
import { appendToOrder, readOrderBook } from "#app/orders/book/book.server.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { isExpired } from "#app/orders/book/quote-rules.ts";
import type { Quote } from "#app/orders/book/quotes.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { writeOrderMetafield } from "#app/shopify/app-data.server.ts";
import type { OrderQuotes, Quote as ShownQuote } from "../../../extensions/cover/src/quotes.ts";
import { lowestOffer, MAX_TITLE } from "./order-quotes.ts";
import { type QuoteOffer, readQuoteOffers } from "./quote-offers.server.ts";

/**
 * Safe to repeat: an unchanged value is not written again. What the shop refuses, such as an order that was deleted,
 * waits for the next change.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function publishOrderQuotes(shop: string, orderId: string, timezone: string): Promise<void> {
  const book = await readOrderBook(shop, orderId);
  if (book === null) return;
  const { quotes, quotesDigest: written, placed } = book.order;
  const today = toLocalDay(timezone, new Date());
  const open = quotes.filter((quote) => quote.state === "open" && !isExpired(quote, today));
  const offers = await readQuoteOffers(shop, open);
  const usable = open.flatMap((quote): [Quote, QuoteOffer][] => {
    const offer = offers.get(quote);
    return offer === undefined ? [] : [[quote, offer]];
  });
  if (usable.length === 0 && written === null) return;
  const metafield = { key: "quotes", content: orderQuotes(shop, placed, usable), written } as const;
  const digest = await writeOrderMetafield(shop, orderId, metafield);
  if (digest === null || digest === written) return;
  await appendToOrder(shop, orderId, () => [{ type: "quotes_shown", digest }], { isWorker: true });
}

function orderQuotes(
  shop: string,
  placed: Order["placed"],
  usable: readonly [Quote, QuoteOffer][],
): OrderQuotes {
  const [first] = usable;
  return {
    isTest: placed?.environment === "test",
    stopUrl: first ? `${quoteLink(shop, first[0].planned.linkId)}?stop` : null,
    quotes: usable.map(([{ planned, expiresOn }, { offers }]): ShownQuote => {
      const lowest = lowestOffer(offers);
      return {
        product: cutText(planned.title, MAX_TITLE),
        url: quoteLink(shop, planned.linkId),
        until: expiresOn ?? "",
        fromMinor: lowest.priceMinor,
        currency: lowest.currencyCode,
        monthly: lowest.billing === "monthly",
      };
    }),
  };
}
