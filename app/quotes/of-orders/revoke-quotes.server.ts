/** Revokes quotes that are not to be used any more, and notes the contracts that were made from such. */
import { appendToBook, appendToOrder } from "#app/orders/book/book.server.ts";
import { type BookEvent, type EventOf, itemKeyOf } from "#app/orders/book/events.ts";
import {
  quotablePaidSince,
  type QuoteTerms,
  surplusContracts,
  surplusQuotes,
} from "#app/orders/book/quote-rules.ts";
import type { Quote } from "#app/orders/book/quotes.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import { isLost } from "./order-quotes.ts";

type Revocation = EventOf<"quotes_revoked">["reason"];

const isRevocable = ({ state }: Quote): boolean => state === "due" || state === "open";

/** Revokes them also in the list of quotes. Both accounts may have a quote of the same id. */
async function revoke(
  tx: Transaction,
  shop: string,
  quotes: readonly Quote[],
  reason: Revocation,
): Promise<BookEvent> {
  for (const [environment, ofAccount] of Map.groupBy(quotes, ({ planned }) => planned.environment)) {
    const quoteId = { in: ofAccount.flatMap(({ quoteId: made }) => made ?? []) };
    await tx.quote.updateMany({ where: { shop, environment, quoteId }, data: { status: "revoked" } });
  }
  return { type: "quotes_revoked", quotes: quotes.map(itemKeyOf), reason };
}

/** What became of quotes without anybody's doing: their worker is gone, their time is over, their item is gone. */
export async function settleQuotes(shop: string, orderId: string, terms: QuoteTerms): Promise<void> {
  const { _max: restored } = await db.restore.aggregate({ _max: { at: true } });
  await appendToOrder(
    shop,
    orderId,
    async ({ order, now, tx }) => {
      const lost = order.quotes.filter((quote) => isLost(quote, { now, restoredAt: restored.at }));
      const isLate =
        !terms.acceptsMarketing || (order.paid !== null && order.paid.at <= quotablePaidSince(now));
      const dropped = isLate
        ? order.quotes.filter((quote) => quote.state === "due" && !lost.includes(quote))
        : [];
      const quotes = order.quotes
        .filter((quote) => !dropped.includes(quote))
        .map((quote) => (lost.includes(quote) ? { ...quote, state: "unknown" as const } : quote));
      const surplus = surplusQuotes({ ...order, quotes }, toLocalDay(terms.timezone, now));
      const revocable = surplus.filter(({ quote }) => isRevocable(quote));
      const events: BookEvent[] = [];
      if (lost.length > 0) events.push({ type: "quotes_lost", quotes: lost.map(itemKeyOf) });
      if (dropped.length > 0) events.push({ type: "quotes_dropped", quotes: dropped.map(itemKeyOf) });
      for (const [reason, ofReason] of Map.groupBy(revocable, (each) => each.reason))
        events.push(
          await revoke(
            tx,
            shop,
            ofReason.map(({ quote }) => quote),
            reason,
          ),
        );
      return events;
    },
    { isWorker: true },
  );
}

/** Revokes these quotes, whatever their items. The orders' jobs take them off the orders. */
export async function revokeAll(
  tx: Transaction,
  shop: string,
  which: Prisma.OrderQuoteWhereInput,
  reason: Revocation,
): Promise<void> {
  const rows = await tx.orderQuote.findMany({
    where: { ...which, shop, state: { in: ["due", "open"] } },
    select: { orderId: true, lineId: true, itemNumber: true },
    orderBy: { orderId: "asc" },
  });
  for (const [orderId, ofOrder] of Map.groupBy(rows, (row) => row.orderId)) {
    const isMeant = (quote: Quote) =>
      isRevocable(quote) &&
      ofOrder.some(({ lineId, itemNumber }) => lineId === quote.lineId && itemNumber === quote.number);
    await appendToBook(tx, shop, orderId, async ({ order }) => {
      const quotes = order.quotes.filter(isMeant);
      return quotes.length === 0 ? null : [await revoke(tx, shop, quotes, reason)];
    });
  }
}

/**
 * Each becomes a task once, and its customer sees that it is to end: the order was cancelled or the item returned after
 * the sale, or while its customer was on the insurer's page.
 */
export async function noteSurplusContracts(shop: string, orderId: string, timezone: string): Promise<void> {
  await appendToOrder(shop, orderId, ({ order, now }) => surplusContracts(order, toLocalDay(timezone, now)), {
    isWorker: true,
  });
}
