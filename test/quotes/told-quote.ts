/** The events of quotes, for tests that need an order with one. */
import type { BookEvent, EventOf, ItemKey } from "#app/orders/book/events.ts";

export const planned = (
  quote: ItemKey,
  changes: Partial<EventOf<"quote_planned">> = {},
): EventOf<"quote_planned"> => ({
  type: "quote_planned",
  quote,
  environment: "production",
  productId: "800",
  variantId: "1",
  title: "Nova",
  priceMinor: 57_900,
  currency: "EUR",
  categoryId: "Smartphones",
  delayHours: 24,
  touchpoint: null,
  linkId: `link of ${quote.lineId}-${quote.number}`,
  ...changes,
});

/** It was planned, requested and made. */
export const madeQuote = (
  quote: ItemKey,
  changes: Partial<EventOf<"quote_planned">> = {},
  { quoteId = "LD-1", expiresOn = "2026-12-24" }: { quoteId?: string; expiresOn?: string } = {},
): BookEvent[] => [
  planned(quote, changes),
  { type: "quote_asked", quote, attempt: 1 },
  { type: "quote_answered", quote, attempt: 1, outcome: "made", quoteId, expiresOn },
];

export const soldBy = (
  quote: ItemKey,
  status: EventOf<"quote_contract">["status"] = "active",
  contractId = "CT-1",
): BookEvent => ({
  type: "quote_contract",
  quote,
  contractId,
  status,
  title: "Casse",
  priceMinor: 490,
  expiresOn: "2028-11-24",
});
