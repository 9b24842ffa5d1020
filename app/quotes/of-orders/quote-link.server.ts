/**
 * What a customer's link to a quote leads to: only the page that the insurer gave for this quote, so that a forged link
 * cannot lead elsewhere.
 */
import { isPage } from "#app/platform/web-address.ts";
import { quoteLink, readQuoteLink } from "#app/customers/customer-links.server.ts";
import { type QuoteView, openQuoteCustomer } from "#app/quotes/quotes.server.ts";
import { findDataKey } from "#app/merchants/data-key.server.ts";
import { environment as environmentOf, type Environment } from "#app/merchants/connection.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { appendToOrder, readOrderBook } from "#app/orders/book/book.server.ts";
import { type ItemKey, itemKeyOf } from "#app/orders/book/events.ts";
import { isUsable } from "#app/orders/book/quote-rules.ts";
import { makeOrderDue } from "#app/orders/schedule.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { findQuote } from "./quote-requests.server.ts";
import { readQuoteTimezone } from "./quote-terms.server.ts";

/**
 * Quotes with the app's own links where they are quotes of orders: such a link ends with its order, and its opening is
 * counted.
 */
export async function withOwnLinks<T extends Pick<QuoteView, "quoteId" | "subscriptionLink">>(
  { shop, environment }: Merchant,
  quotes: readonly T[],
): Promise<T[]> {
  const rows = await db.orderQuote.findMany({
    where: { shop, environment, quoteId: { in: quotes.map(({ quoteId }) => quoteId) } },
    select: { quoteId: true, linkId: true },
  });
  const linkIds = new Map(rows.map(({ quoteId, linkId }) => [quoteId, linkId]));
  return quotes.map((quote) => {
    const linkId = linkIds.get(quote.quoteId);
    const isUsable = linkId !== undefined && quote.subscriptionLink !== "";
    return isUsable ? { ...quote, subscriptionLink: quoteLink(shop, linkId) } : quote;
  });
}

export interface LinkedQuote {
  orderId: string;
  item: ItemKey;
  environment: Environment;
  quoteId: string;
  isUsable: boolean;
  isOpened: boolean;
  sealedCustomer: string | null;
}

/**
 * The quote of a link in its current state: its order may have been cancelled, or its item returned, a second ago.
 * Null: there is none.
 */
async function findLinkedQuote(shop: string, linkId: string): Promise<LinkedQuote | null> {
  const row = await db.orderQuote.findUnique({ where: { shop_linkId: { shop, linkId } } });
  if (row?.quoteId == null) return null;
  const { orderId, quoteId, lineId, itemNumber: number } = row;
  const environment = environmentOf.parse(row.environment);
  const [book, made, timezone] = await Promise.all([
    readOrderBook(shop, orderId),
    db.quote.findUnique({ where: { shop_environment_quoteId: { shop, environment, quoteId } } }),
    readQuoteTimezone(shop),
  ]);
  const quote = book && findQuote(book.order, { lineId, number });
  if (!quote || made === null) return null;
  const { emailDigest, sealedCustomer } = made;
  // Who wants no quotes may still request one.
  const isWanted =
    quote.planned.touchpoint !== null ||
    emailDigest === null ||
    (await db.quoteSuppression.count({ where: { shop, emailDigest } })) === 0;
  return {
    orderId,
    item: itemKeyOf(quote),
    environment,
    quoteId,
    isUsable: isWanted && isUsable(book.order, quote, toLocalDay(timezone, new Date())),
    isOpened: quote.openedAt !== null,
    sealedCustomer,
  };
}

/** The insurer's page for the customer; null: the quote cannot be used any more. */
export async function subscriptionPage(
  shop: string,
  { isUsable, sealedCustomer }: LinkedQuote,
): Promise<string | null> {
  const key = await findDataKey(shop);
  if (!isUsable || sealedCustomer === null || !key) return null;
  const { subscriptionLink } = openQuoteCustomer(key, sealedCustomer);
  // A header takes no letters beyond Latin, and an address in its normal form has none.
  return isPage(subscriptionLink) ? new URL(subscriptionLink).href : null;
}

/** After its link was opened, a contract may follow: looked for in some minutes. */
const LOOK_AFTER_MS = 10 * 60_000;

/** Counts the first opening, and looks for a contract soon. Of who opened it nothing is kept. */
export async function noteOpened(shop: string, { orderId, item, isOpened }: LinkedQuote): Promise<void> {
  if (!isOpened)
    await appendToOrder(
      shop,
      orderId,
      ({ order }) =>
        findQuote(order, item)?.openedAt === null ? [{ type: "quote_opened", quote: item }] : null,
      { sendsJob: false },
    );
  await makeOrderDue(shop, orderId, new Date(Date.now() + LOOK_AFTER_MS));
}

/**
 * The quote of a link's address. Null: there is none.
 * @throws TooManyRequests
 */
export async function findSignedQuote(params: {
  shop?: string;
  link?: string;
}): Promise<(LinkedQuote & { shop: string }) | null> {
  const taken = await readQuoteLink(params);
  const quote = taken && (await findLinkedQuote(taken.shop, taken.linkId));
  return quote && { ...quote, shop: taken.shop };
}
