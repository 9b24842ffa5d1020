/** Pure: the states of the quotes of an order's uninsured items, which items get one, and which contract came of one. */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import { toLocalDay } from "#app/platform/day.ts";
import type { LineAmounts, ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";
import { refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import { productAgeDays } from "#app/quotes/quotes.ts";

/** The states of the quote of an order's uninsured item, whether automatic or made by staff. */
export const orderQuoteStates = [
  /** pending: not requested yet */
  "due",
  /** its request is being sent right now */
  "sending",
  /**
   * The request was sent and its outcome is not known. The insurer shows no quotes, so no look-up is possible; it is never sent
   * again, because a customer with two quotes is worse off than one with none.
   */
  "unknown",
  /** made: the customer may use it until it expires */
  "open",
  /** the insurer refused it, or has no offer */
  "refused",
  /** revoked: the item was returned, insured otherwise, or its customer wants none */
  "revoked",
  /** a contract of it was found among the plans */
  "sold",
] as const;
export type OrderQuoteState = (typeof orderQuoteStates)[number];

/** Why one is refused or revoked; of a sold one, that its item is gone or its contract cancelled. */
export const orderQuoteReasons = [
  "refused_by_insurer",
  "no_offer",
  "order_cancelled",
  "fewer_pieces",
  "suppressed",
  "erased",
  "contract_cancelled",
] as const;
export type OrderQuoteReason = (typeof orderQuoteReasons)[number];

/** The delay of a quote that staff or the customer requested: no workflow has to send its link. */
export const ON_REQUEST = 0;

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
  itemNumber: number;
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
    const last = Math.max(0, ...had.map(({ itemNumber }) => itemNumber));
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
