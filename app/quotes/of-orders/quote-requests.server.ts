/** Which quotes of an order are planned, and which of them are requested. */
import { randomBytes } from "node:crypto";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { type EventOf, type ItemKey, itemKeyOf } from "#app/orders/book/events.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { mayBeAsked } from "#app/orders/book/quote-rules.ts";
import type { Quote } from "#app/orders/book/quotes.ts";
import { toLocalDay } from "#app/platform/day.ts";
import type { UninsuredItem } from "./order-quotes.ts";

type Planned = EventOf<"quote_planned">;

export const planQuote = (
  { lineId, itemNumber: number, ...item }: UninsuredItem,
  origin: Pick<Planned, "environment" | "delayHours" | "touchpoint">,
): Planned => ({
  type: "quote_planned",
  quote: { lineId, number },
  ...item,
  ...origin,
  linkId: randomBytes(16).toString("base64url"),
});

export const findQuote = (order: Order, { lineId, number }: ItemKey): Quote | undefined =>
  order.quotes.find((quote) => quote.lineId === lineId && quote.number === number);

/**
 * Notes that a planned quote is being sent, unless it is another worker's, or not to be made any more: right before the
 * request, because the order may have been cancelled, refunded or insured meanwhile.
 * @returns null: it is not to be sent
 */
export async function askQuote(
  shop: string,
  orderId: string,
  planned: Quote,
  { timezone, emailDigest }: { timezone: string; emailDigest: string },
): Promise<Quote | null> {
  const appended = await appendToOrder(
    shop,
    orderId,
    async ({ order, now, tx }) => {
      const quote = findQuote(order, planned);
      if (quote?.attempt !== planned.attempt || !mayBeAsked(order, quote, toLocalDay(timezone, now)))
        return null;
      const [accepting, suppressed] = await Promise.all([
        tx.order.count({ where: { shop, orderId, acceptsMarketing: true } }),
        tx.quoteSuppression.count({ where: { shop, emailDigest } }),
      ]);
      if (accepting === 0 || suppressed > 0) return null;
      return [{ type: "quote_asked", quote: itemKeyOf(quote), attempt: quote.attempt + 1 }];
    },
    { isWorker: true },
  );
  return (appended && findQuote(appended.order, planned)) ?? null;
}
