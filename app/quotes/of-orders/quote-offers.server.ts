/** What the insurer offers by the quotes of orders, of those whose customer is not erased. */
import { z } from "zod";
import type { Quote } from "#app/orders/book/quotes.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { quoteOffers } from "./order-quotes.ts";

export interface QuoteOffer {
  offers: z.output<typeof quoteOffers>;
  emailDigest: string | null;
}

export async function readQuoteOffers(
  shop: string,
  quotes: readonly Quote[],
  tx: Transaction = db,
): Promise<Map<Quote, QuoteOffer>> {
  const which = quotes.flatMap(({ planned: { environment }, quoteId }) =>
    quoteId === null ? [] : [{ environment, quoteId }],
  );
  if (which.length === 0) return new Map();
  const rows = await tx.quote.findMany({
    where: { shop, OR: which, sealedCustomer: { not: null } },
    select: { environment: true, quoteId: true, offers: true, emailDigest: true },
  });
  return new Map(
    quotes.flatMap((quote): [Quote, QuoteOffer][] => {
      const row = rows.find(
        ({ environment, quoteId }) => environment === quote.planned.environment && quoteId === quote.quoteId,
      );
      return row ? [[quote, { offers: quoteOffers.parse(row.offers), emailDigest: row.emailDigest }]] : [];
    }),
  );
}
