/**
 * What a customer's link to a quote leads to: only the page that the insurer gave for this quote, so that a forged link
 * cannot lead elsewhere.
 */
import { z } from "zod";
import { isPage } from "#app/catalogue/references/reference.ts";
import { quoteLink, readQuoteLink } from "#app/customers/customer-links.server.ts";
import { type QuoteView, openQuoteCustomer } from "#app/quotes/quotes.server.ts";
import { findDataKey } from "#app/merchants/data-key.server.ts";
import { environment } from "#app/merchants/connection.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { shopToday, surplusQuotes } from "#app/orders/quote-conditions.server.ts";
import { makeOrderDue } from "#app/orders/schedule.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

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

const linked = z.object({
  orderId: z.string(),
  lineId: z.string(),
  itemNumber: z.int(),
  environment,
  quoteId: z.string(),
  isUsable: z.boolean(),
  isOpened: z.boolean(),
  sealedCustomer: z.string().nullable(),
});
export type LinkedQuote = z.infer<typeof linked>;

/**
 * The quote of a link in its current state: its order may have been cancelled, or its item returned, a second ago.
 * Null: there is none.
 */
async function findLinkedQuote(shop: string, linkId: string): Promise<LinkedQuote | null> {
  const surplus = surplusQuotes(Prisma.sql`linked.shop`, Prisma.sql`linked."orderId"`);
  const rows = await db.$queryRaw`
    SELECT linked."orderId", linked."lineId", linked."itemNumber", linked.environment, linked."quoteId",
      linked."openedAt" IS NOT NULL AS "isOpened", quote."sealedCustomer", (
        linked.state = 'open' AND linked."expiresOn" >= ${shopToday(Prisma.sql`linked.shop`)}
        AND NOT EXISTS (SELECT FROM (${surplus}) AS surplus
          WHERE surplus."lineId" = linked."lineId" AND surplus."itemNumber" = linked."itemNumber")
        -- Who wants no quotes may still request one.
        AND (linked.touchpoint IS NOT NULL OR NOT EXISTS (SELECT FROM "QuoteSuppression" AS s
          WHERE s.shop = linked.shop AND s."emailDigest" = quote."emailDigest"))) AS "isUsable"
    FROM "OrderQuote" AS linked
      JOIN "Quote" AS quote
        ON quote.shop = linked.shop AND quote.environment = linked.environment AND quote."quoteId" = linked."quoteId"
    WHERE linked.shop = ${shop} AND linked."linkId" = ${linkId}`;
  return z.array(linked).max(1).parse(rows)[0] ?? null;
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
