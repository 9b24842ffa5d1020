/** Pure: which items of a paid order get a quote. */
import type { LineAmounts, ShopOrderLine } from "#app/shopify/order.ts";

/**
 * Limit of items that get a quote, the first ones: a shopper can type any quantity, and each quote is a request to the
 * service.
 */
export const MAX_ORDER_LEADS = 20;

/** What a quote needs of the catalogue. */
export interface QuotedCatalogue {
  categories: ReadonlyMap<string, string>;
  hasOffer: (categoryId: string, price: LineAmounts) => boolean;
}

export interface UninsuredItem {
  lineId: string;
  unitNumber: number;
  productId: string | null;
  variantId: string;
  title: string;
  categoryId: string;
  priceMinor: number;
  currency: string;
}

/**
 * @param lines the order's lines, those of plans left out
 * @param insuredLines the product line of each item that has a contract or gets one; null: it is unknown, so it may be
 * any of them
 */
export function uninsuredItems(
  lines: readonly ShopOrderLine[],
  insuredLines: readonly (string | null)[],
  { categories, hasOffer }: QuotedCatalogue,
): UninsuredItem[] {
  const items = lines.flatMap(({ id, productId, variantId, title, currentQuantity, amounts }) => {
    const categoryId = categories.get(productId ?? "");
    const price = amounts.find((each) => categoryId !== undefined && hasOffer(categoryId, each));
    if (variantId === null || categoryId === undefined || price === undefined) return [];
    const insured = insuredLines.filter((lineId) => lineId === null || lineId === id).length;
    const count = Math.min(MAX_ORDER_LEADS, Math.max(0, currentQuantity - insured));
    return Array.from({ length: count }, (_, index) => ({
      ...{ lineId: id, unitNumber: index + 1, productId, variantId, title, categoryId },
      priceMinor: price.unitPriceMinor,
      currency: price.currency,
    }));
  });
  return items.slice(0, MAX_ORDER_LEADS);
}

/** A quote that an item has or had. */
export interface QuoteOfItem {
  lineId: string;
  unitNumber: number;
  /** it may be used, was used, or may have been made: its item gets no second one */
  blocksNewQuote: boolean;
}

/**
 * Those without a quote: as many of a line's items as have one are left out, the others are numbered after all previous
 * ones.
 */
export function unquotedItems(
  items: readonly UninsuredItem[],
  quotes: readonly QuoteOfItem[],
): UninsuredItem[] {
  return [...Map.groupBy(items, ({ lineId }) => lineId)].flatMap(([lineId, ofLine]) => {
    const had = quotes.filter((quote) => quote.lineId === lineId);
    const last = Math.max(0, ...had.map(({ unitNumber }) => unitNumber));
    return ofLine
      .slice(had.filter(({ blocksNewQuote }) => blocksNewQuote).length)
      .map((item, index) => ({ ...item, unitNumber: last + index + 1 }));
  });
}
