/**
 * The offer for a line of the checkout's cart, by the storefront's own rules. Pure: it calls neither Shopify nor the
 * network.
 */
import { numberOf } from "../../parts.ts";
import { planLine } from "../../plan-line.ts";
import { isPlan, uninsuredItems } from "../../storefront-scripts/cart-rules.ts";
import type { Line } from "../../storefront-scripts/cart-rules.ts";
import { type Band, type Offer, offersFor } from "../../catalogue.ts";
import { pairOf, type Properties } from "../../storefront-scripts/plan-item.ts";

/** The fields of Shopify's line that the offer reads. */
export interface GivenLine {
  id: string;
  quantity: number;
  merchandise: { id: string };
  /** after discounts on the line */
  cost: { totalAmount: { amount: number; currencyCode: string } };
  discountAllocations: { discountedAmount: { amount: number } }[];
  attributes: { key: string; value?: string }[];
  parentRelationship: { parent: { id: string } } | null;
}

export interface LineOffer {
  offers: Offer[];
  /** number of items without a plan */
  pieces: number;
  /** connects the plan to its product */
  pair: string;
}

const cents = (amount: number): number => Math.round(amount * 100);

/**
 * An item's price before discounts, in hundredths: offers are made for this price. Shopify does not document whether a
 * line's own discounts include one on the whole order. With any discount, the variant's price in the shop decides: it
 * has to lie between the line's price with all discounts and with none.
 * @param listPrice of the variant in the shop, in hundredths; null: not known
 * @returns null: the price is unknown
 */
export function priceBeforeDiscounts(
  line: Pick<GivenLine, "quantity" | "cost" | "discountAllocations">,
  listPrice: number | null,
): number | null {
  const total = cents(line.cost.totalAmount.amount);
  const discounts = line.discountAllocations.reduce(
    (sum, { discountedAmount }) => sum + cents(discountedAmount.amount),
    0,
  );
  if (discounts === 0) return Math.round(total / line.quantity);
  if (listPrice === null) return null;
  const undiscounted = listPrice * line.quantity;
  return undiscounted >= total && undiscounted <= total + discounts ? listPrice : null;
}

/** The cart as the storefront's rule reads it. A plan of this category is also recognised by its variant. */
function linesOf(given: readonly GivenLine[], bands: Band[]): Line[] {
  const planVariants = new Set(bands.flatMap(({ offers }) => offers.map(({ variant }) => variant)));
  const lines = given.map((line): Line => {
    const { id, quantity, merchandise, attributes, parentRelationship } = line;
    const properties: Properties = Object.fromEntries(attributes.map(({ key, value }) => [key, value ?? ""]));
    return {
      key: id,
      variant: numberOf(merchandise.id),
      quantity,
      price: cents(line.cost.totalAmount.amount / quantity),
      properties,
      parent: parentRelationship?.parent.id,
    };
  });
  const isOurs = (line: Line) => isPlan(line) || planVariants.has(line.variant);
  const products = lines.filter((line) => !isOurs(line));
  return lines.map((line) => (isOurs(line) ? planLine(line, products) : line));
}

/**
 * Null, and no offer: every item is insured, or no offer fits the price.
 * @param price of an item before discounts, in hundredths
 * @param terms the merchant's order of terms
 */
export function offerFor(
  { id }: GivenLine,
  given: readonly GivenLine[],
  { bands, price, terms }: { bands: Band[]; price: number; terms: number[] },
): LineOffer | null {
  const lines = linesOf(given, bands);
  const line = lines.find(({ key }) => key === id);
  const offers = offersFor(bands, price, terms);
  // A nested line cannot have nested lines of its own.
  if (!line || isPlan(line) || line.parent !== undefined || price === 0 || offers.length === 0) return null;
  const pieces = uninsuredItems(line, lines);
  return pieces > 0 ? { offers, pieces, pair: pairFor(line, lines) } : null;
}

/**
 * The line's own pair. Without one, the nesting connects the plan to the line, and the line keeps its properties. The
 * plan's pair must then differ from every other product's, or it would insure that product.
 */
function pairFor({ variant, properties }: Line, lines: Line[]): string {
  const own = properties["_parasol_pair"];
  if (own !== undefined) return own;
  const taken = new Set(
    lines.filter((line) => !isPlan(line)).map((line) => line.properties["_parasol_pair"]),
  );
  const base = pairOf(variant, properties);
  let pair = base;
  for (let number = 2; taken.has(pair); number += 1) pair = `${base}-${number}`;
  return pair;
}
