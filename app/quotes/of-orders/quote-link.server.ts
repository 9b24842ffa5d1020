/**
 * What a customer's link to a quote leads to: only the page that the insurer gave for this quote, so that a forged link
 * cannot lead elsewhere.
 */
import { isPage } from "#app/catalogue/references/reference.ts";
import { quoteLink, readQuoteLink } from "#app/customers/customer-links.server.ts";
import { type QuoteView, openQuoteCustomer } from "#app/quotes/quotes.server.ts";
import { findDataKey } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { makeOrderDue } from "#app/orders/schedule.server.ts";
import { db } from "#app/platform/db.server.ts";
import { findLinkedQuote, type LinkedQuote } from "./rows.server.ts";

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
export async function noteOpened(
  shop: string,
  { orderId, lineId, itemNumber, isOpened }: LinkedQuote,
): Promise<void> {
  if (!isOpened) {
    await db.orderQuote.updateMany({
      where: { shop, orderId, lineId, itemNumber, openedAt: null },
      data: { openedAt: new Date() },
    });
  }
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
