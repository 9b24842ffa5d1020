/**
 * An order of the platform in one shape, whether it came with a webhook (payloads/orders.ts) or was asked of the Admin
 * API (order-query.server.ts). Ids are the numeric ids as strings, money is minor units.
 */

export interface ShopOrder {
  id: string;
  /** `#1001` */
  name: string;
  createdAt: Date;
  updatedAt: Date;
  /** paid in full, whatever was given back since */
  paid: boolean;
  cancelledAt: Date | null;
  /** Placed to try the shop: no money was moved. */
  test: boolean;
  /** The shop's currency. */
  currency: string;
  /** The platform's names of how it was paid, e.g. `shopify_payments`, `gift_card`. */
  gateways: string[];
  /** Where it was sold: `web`, `pos`, `shopify_draft_order`, the id of an app, … */
  sourceName: string;
  /** Bought in the name of a company. */
  business: boolean;
  email: string | null;
  phone: string | null;
  customer: ShopPerson | null;
  billingAddress: ShopAddress | null;
  shippingAddress: ShopAddress | null;
  lines: ShopOrderLine[];
}

export interface ShopPerson {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
}

export interface ShopAddress {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  address1: string | null;
  address2: string | null;
  zip: string | null;
  city: string | null;
  /** ISO 3166-1 alpha-2 */
  countryCode: string | null;
  phone: string | null;
}

export interface ShopOrderLine {
  id: string;
  productId: string | null;
  /** null for custom lines and for variants that were deleted since */
  variantId: string | null;
  /** product and variant, as the customer saw it */
  title: string;
  sku: string | null;
  /** all pieces ever ordered, those taken away since included */
  quantity: number;
  /** what is left of them after refunds and edits */
  currentQuantity: number;
  /** in the shop's currency first, then in the customer's where it is another */
  amounts: [LineAmounts, ...LineAmounts[]];
  properties: Record<string, string>;
}

export interface LineAmounts {
  currency: string;
  /** price of one piece before discounts */
  unitPriceMinor: number;
  /** all discounts on the line together */
  discountsMinor: number;
}

/**
 * What each piece of a line cost after discounts, minor units, summing up to the line exactly: the cents that do not
 * divide are paid by the first pieces.
 * @param first so many pieces of the line are wanted; all where it is left out
 */
export function pricePaidByPiece(amounts: LineAmounts, quantity: number, first = quantity): number[] {
  const total = amounts.unitPriceMinor * quantity - amounts.discountsMinor;
  const base = Math.floor(total / quantity);
  const dearer = total - base * quantity;
  return Array.from({ length: Math.min(first, quantity) }, (_, index) => base + (index < dearer ? 1 : 0));
}
