/** Pure: which pieces of a paid order get a quote. */
import type { LineAmounts, ShopOrderLine } from "#app/shopify/order.ts";

/** A quantity is a number that anybody can type, and each quote is a request to the service: the first pieces count. */
export const MAX_ORDER_LEADS = 20;

/** What a quote needs of the catalogue. */
export interface QuotedCatalogue {
  categories: ReadonlyMap<string, string>;
  hasOffer: (categoryId: string, price: LineAmounts) => boolean;
}

export interface UninsuredPiece {
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
 * @param insuredLines the product line of each piece that has a contract or gets one; null: nobody knows which it is, so it
 * may be any of them
 */
export function uninsuredPieces(
  lines: readonly ShopOrderLine[],
  insuredLines: readonly (string | null)[],
  { categories, hasOffer }: QuotedCatalogue,
): UninsuredPiece[] {
  const pieces = lines.flatMap(({ id, productId, variantId, title, currentQuantity, amounts }) => {
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
  return pieces.slice(0, MAX_ORDER_LEADS);
}

/** A quote that a piece has or had. */
export interface QuoteOfPiece {
  lineId: string;
  unitNumber: number;
  /** it may be used, was used, or may have been made: its piece gets no second one */
  stands: boolean;
}

/** Those without a quote: as many of a line's pieces as have one are left out, the others are numbered after all there were. */
export function unquotedPieces(
  pieces: readonly UninsuredPiece[],
  quotes: readonly QuoteOfPiece[],
): UninsuredPiece[] {
  return [...Map.groupBy(pieces, ({ lineId }) => lineId)].flatMap(([lineId, ofLine]) => {
    const had = quotes.filter((quote) => quote.lineId === lineId);
    const last = Math.max(0, ...had.map(({ unitNumber }) => unitNumber));
    return ofLine
      .slice(had.filter(({ stands }) => stands).length)
      .map((piece, index) => ({ ...piece, unitNumber: last + index + 1 }));
  });
}
