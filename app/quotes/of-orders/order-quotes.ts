/** Pure: which items of an order get a quote, which quotes were lost, and which contract came of one. */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import { toLocalDay } from "#app/platform/day.ts";
import type { LineAmounts, ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";
import { refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import type { Quote } from "#app/orders/book/quotes.ts";
import { productAgeDays, SENDING_MS } from "#app/quotes/quotes.ts";

/**
 * Whether it was being requested by a worker that is gone, or was pending before a backup was restored: it may have been
 * requested in the lost time.
 * @param restoredAt when a backup was restored last
 */
export function isLost(
  { state, sentAt, plannedAt }: Pick<Quote, "state" | "sentAt" | "plannedAt">,
  { now, restoredAt }: { now: Date; restoredAt: Date | null },
): boolean {
  if (state === "sending") return sentAt !== null && now.getTime() - sentAt.getTime() > SENDING_MS;
  return state === "due" && restoredAt !== null && restoredAt >= plannedAt;
}

/**
 * Whether an item with such a quote gets no second one: it may be used, was used, or may have been made. A customer whose
 * contract has ended is sent none either.
 */
export function blocksNewQuote(
  { state, expiresOn }: { state: string; expiresOn: string | null },
  today: string,
): boolean {
  if (state === "open") return expiresOn === null || expiresOn >= today;
  return state !== "refused" && state !== "revoked";
}

/** Why no item of an order may get a quote, by the rule of sale. */
export function quoteRefusalOf(
  { shippingAddress, business, createdAt }: ShopOrder,
  rule: SaleRule,
  timezone: string,
  now = new Date(),
): "other_country" | "company" | "too_old" | null {
  const refusal = refusalOf(rule, {
    delivery: shippingAddress && { country: shippingAddress.countryCode, postcode: shippingAddress.zip },
    isCompany: business,
    ageDays: productAgeDays(toLocalDay(timezone, createdAt), toLocalDay(timezone, now)),
  });
  if (refusal === "country") return "other_country";
  if (refusal === "product_age") return "too_old";
  return refusal === "company" ? refusal : null;
}

/** Titles are the shop's, of any length. */
export const MAX_TITLE = 120;

/** The offers of a quote as they are stored; one without is never open. */
export const quoteOffers = z
  .array(z.object({ priceMinor: z.int(), currencyCode: z.string(), billing }))
  .min(1);
type QuoteOffers = z.output<typeof quoteOffers>;

export const lowestOffer = (offers: QuoteOffers): QuoteOffers[number] =>
  offers.reduce((a, b) => (b.priceMinor < a.priceMinor ? b : a));

/**
 * Limit of items that get a quote, the first ones: a shopper can type any quantity, and each quote is a request to the
 * service.
 */
export const MAX_ORDER_QUOTES = 20;

/** What a quote needs of the catalogue. */
export interface QuotedCatalogue {
  /** of each product, its own first */
  categories: ReadonlyMap<string, readonly string[]>;
  hasOffer: (categoryId: string, price: LineAmounts) => boolean;
}

export interface UninsuredItem {
  lineId: string;
  itemNumber: number;
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
    // A quote is for one category: of several formulas the first that has an offer.
    const [offered] = (categories.get(productId ?? "") ?? []).flatMap((categoryId) => {
      const price = amounts.find((each) => hasOffer(categoryId, each));
      return price === undefined ? [] : [{ categoryId, price }];
    });
    if (variantId === null || offered === undefined) return [];
    const { categoryId, price } = offered;
    const insured = insuredLines.filter((lineId) => lineId === null || lineId === id).length;
    const count = Math.min(MAX_ORDER_QUOTES, Math.max(0, currentQuantity - insured));
    return Array.from({ length: count }, (_, index) => ({
      lineId: id,
      itemNumber: index + 1,
      productId,
      variantId,
      title,
      categoryId,
      priceMinor: price.unitPriceMinor,
      currency: price.currency,
    }));
  });
  return items.slice(0, MAX_ORDER_QUOTES);
}

/** A quote that an item has or had. */
export interface QuoteOfItem {
  lineId: string;
  /** among the quotes of the line, from 1 */
  number: number;
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
    const last = Math.max(0, ...had.map(({ number }) => number));
    return ofLine
      .slice(had.filter(({ blocksNewQuote }) => blocksNewQuote).length)
      .map((item, index) => ({ ...item, itemNumber: last + index + 1 }));
  });
}

interface PlanOfCustomer {
  id: string;
  orderReferenceId: string;
  offerReferenceId: string;
  purchaseDate: string;
  priceMinor: number;
}

interface QuoteToFind {
  quoteId: string;
  categoryId: string;
  priceMinor: number;
  /** the day on which it was made, `YYYY-MM-DD` */
  madeOn: string;
}

/** A reference of the merchant's catalogue. */
interface KnownReference {
  referenceId: string;
  categoryId: string;
  bandMinMinor: number;
  bandMaxMinor: number;
}

/**
 * The document does not say what order such a plan names. One that names the quote is its plan; else one of the same
 * customer, category and price band, made since, that no other order or quote accounts for.
 * @param plans of the quote's customer, those that orders or other quotes have left out
 */
export function planOfQuote<P extends PlanOfCustomer>(
  { quoteId, categoryId, priceMinor, madeOn }: QuoteToFind,
  plans: readonly P[],
  { references, knownOrders }: { references: readonly KnownReference[]; knownOrders: ReadonlySet<string> },
): P | null {
  const named = plans.find((plan) => plan.orderReferenceId === quoteId);
  if (named) return named;
  return (
    plans.find((plan) => {
      const reference = references.find(({ referenceId }) => referenceId === plan.offerReferenceId);
      return (
        reference !== undefined &&
        reference.categoryId === categoryId &&
        reference.bandMinMinor <= priceMinor &&
        priceMinor <= reference.bandMaxMinor &&
        plan.purchaseDate.slice(0, 10) >= madeOn &&
        !knownOrders.has(plan.orderReferenceId)
      );
    }) ?? null
  );
}
