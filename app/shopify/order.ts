/**
 * An order of Shopify in one shape, whether it came with a webhook (payloads/orders.ts) or from a query of the
 * Admin API (order-query.server.ts). Ids are the numeric ids as strings, money is minor units.
 */
import { z } from "zod";
import { cutText } from "#app/platform/storable-text.ts";

export interface ShopOrder {
  id: string;
  /** `#1001` */
  name: string;
  createdAt: Date;
  updatedAt: Date;
  /** paid in full, whatever was refunded since */
  paid: boolean;
  /** all that was paid was paid back */
  isPaidBack: boolean;
  cancelledAt: Date | null;
  /** a test order: no money was moved */
  test: boolean;
  /** the shop's currency */
  currency: string;
  /** payment gateways, such as `shopify_payments`, `gift_card` */
  gateways: string[];
  /** the sales channel: `web`, `pos`, `shopify_draft_order`, an app's id, … */
  sourceName: string;
  /** bought for a company (B2B) */
  business: boolean;
  /** the buyer agreed to marketing e-mails at the purchase, and nothing in the report says otherwise */
  acceptsMarketing: boolean;
  email: string | null;
  phone: string | null;
  /** the language in which the customer ordered, a BCP 47 tag */
  language: string | null;
  /** the customer's id at Shopify; null for guests, and where the report does not say */
  customerId: string | null;
  customer: ShopPerson | null;
  billingAddress: ShopAddress | null;
  shippingAddress: ShopAddress | null;
  lines: ShopOrderLine[];
  unreadableLines: UnreadableLine[];
}

/** A line that is not what Shopify promises. The rest of its order is. */
export interface UnreadableLine {
  id: string | null;
  title: string | null;
  /** what is wrong with it, in a few words */
  problem: string;
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
  /** all items ever ordered, removed ones included */
  quantity: number;
  /** what is left of them after refunds and edits */
  currentQuantity: number;
  /** how many of those were sent or handed over */
  fulfilledQuantity: number;
  requiresShipping: boolean;
  /** in the shop's currency first, then in the customer's where it is another */
  amounts: [LineAmounts, ...LineAmounts[]];
  properties: Record<string, string>;
  /** the same for a line and those that were nested under it in the cart; null where none was */
  groupId: string | null;
}

export interface LineAmounts {
  currency: string;
  /** price of one item before discounts, as the shopper saw it */
  unitPriceMinor: number;
  /** all discounts on the line together */
  discountsMinor: number;
}

/**
 * The discounted price of each item of a line, in minor units. They add up to the line exactly: the remainder of the
 * division goes to the first items, a cent each.
 * @param first number of items of the line that are needed; all where it is left out
 */
export function pricePaidByItem(amounts: LineAmounts, quantity: number, first = quantity): number[] {
  const total = amounts.unitPriceMinor * quantity - amounts.discountsMinor;
  const base = Math.floor(total / quantity);
  const dearer = total - base * quantity;
  return Array.from({ length: Math.min(first, quantity) }, (_, index) => base + (index < dearer ? 1 : 0));
}

/** A number of items that the database can store. */
export const itemCount = z.int().min(0).max(2_147_483_647);

type ReadLines = Pick<ShopOrder, "lines" | "unreadableLines">;

const TWICE = "The order has two different lines with this id";

const known = z.object({
  id: z.union([z.string(), z.number().transform(String)]).catch(""),
  name: z.string().nullable().catch(null),
});

/**
 * Of several lines with one id the last counts: an order that changes between two pages may name a line twice.
 * @param items as Shopify sent them
 * @param read parses one; it throws a ZodError, or a RangeError where an amount of money is none
 * @returns lines that ever had an item, and those that cannot be read
 */
export function readOrderLines<Item>(items: readonly Item[], read: (item: Item) => ShopOrderLine): ReadLines {
  const byId = new Map<string, ShopOrderLine>();
  const unreadableLines: ReadLines["unreadableLines"] = [];
  for (const item of items) {
    try {
      const line = read(item);
      const previous = byId.get(line.id);
      if (previous && JSON.stringify(previous) !== JSON.stringify(line))
        unreadableLines.push({ id: line.id, title: cutText(previous.title, 200), problem: TWICE });
      byId.set(line.id, line);
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error;
      const { id, name } = known.safeParse(item).data ?? { id: "", name: null };
      const problem = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
      unreadableLines.push({
        // `gid://shopify/LineItem/1` → `1`
        id: /\d+$/.exec(id)?.[0] ?? null,
        title: name === null ? null : cutText(name, 200),
        problem: cutText(problem, 500),
      });
    }
  }
  return { lines: [...byId.values()].filter(({ quantity }) => quantity > 0), unreadableLines };
}
