/**
 * An order of Shopify in one shape, from a webhook (payloads/orders.ts) or from the Admin API
 * (order-query.server.ts). Ids are numeric strings, money is in minor units.
 */
import { z } from "zod";
import { cutText } from "#app/platform/storable-text.ts";

export interface ShopOrder {
  id: string;
  /** `#1001` */
  name: string;
  createdAt: Date;
  updatedAt: Date;
  /** paid in full, also after later refunds */
  paid: boolean;
  /** the whole amount was refunded */
  isPaidBack: boolean;
  cancelledAt: Date | null;
  /** a test order without real payment */
  test: boolean;
  /** the shop's currency */
  currency: string;
  /** payment gateways, such as `shopify_payments`, `gift_card` */
  gateways: string[];
  /** the sales channel: `web`, `pos`, `shopify_draft_order`, an app's id, … */
  sourceName: string;
  /** bought for a company (B2B) */
  business: boolean;
  /** the buyer agreed to marketing e-mails at the purchase, and the report does not contradict */
  acceptsMarketing: boolean;
  email: string | null;
  phone: string | null;
  /** the language of the customer's order, a BCP 47 tag */
  language: string | null;
  /** the customer's id at Shopify; null for guests, and if the report lacks it */
  customerId: string | null;
  customer: ShopPerson | null;
  billingAddress: ShopAddress | null;
  shippingAddress: ShopAddress | null;
  lines: ShopOrderLine[];
  unreadableLines: UnreadableLine[];
  refunds: ShopRefund[];
}

export interface ShopRefund {
  id: string;
  at: Date;
  /** items that it takes out of the order. `amountMinor`: what they cost with tax, in `currency` */
  lines: { lineId: string; quantity: number; amountMinor: number }[];
  /** what pending and settled payments pay back without shipping, also as store credit or on a gift card */
  moneyMinor: number;
  /** the shop's; the customer's if Shopify reports the payments in that alone (refunds.ts) */
  currency: string;
  /** `settled`: every payment succeeded, or there is none; `failed`: all failed or were voided */
  status: "pending" | "settled" | "failed";
}

/** A line that does not match Shopify's format. The order's other lines are valid. */
export interface UnreadableLine {
  id: string | null;
  title: string | null;
  /** a short description of the problem */
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
  /** null for custom lines and for deleted variants */
  variantId: string | null;
  /** product and variant, as the customer saw it */
  title: string;
  sku: string | null;
  /** all items ever ordered, including removed ones */
  quantity: number;
  /** the remaining items after refunds and edits */
  currentQuantity: number;
  /** the number of those that were shipped or handed over */
  fulfilledQuantity: number;
  requiresShipping: boolean;
  /** in the shop's currency first, then in the customer's if it differs */
  amounts: [LineAmounts, ...LineAmounts[]];
  properties: Record<string, string>;
  /** the same id for a line and the lines nested under it in the cart, and for the components of a bundle; or null */
  groupId: string | null;
  /** the bundle whose component it is; null for other lines, and if Shopify does not describe the group */
  bundle: ShopBundle | null;
}

/** A bundle of Shopify: the order has its components as lines, and the bundle itself only as their group. */
export interface ShopBundle {
  id: string;
  title: string;
  /** the number of bundles ever ordered */
  quantity: number;
  productId: string | null;
  variantId: string;
}

export interface LineAmounts {
  currency: string;
  /** price of one item before discounts, as the shopper saw it */
  unitPriceMinor: number;
  /** the sum of all discounts on the line */
  discountsMinor: number;
}

/**
 * The discounted price of each item of a line, in minor units. The sum is exactly the line's price: the first items
 * get one cent more each until the remainder is used up.
 * @param first number of items that are needed; default: all
 */
export function pricePaidByItem(amounts: LineAmounts, quantity: number, first = quantity): number[] {
  const total = amounts.unitPriceMinor * quantity - amounts.discountsMinor;
  const base = Math.floor(total / quantity);
  const dearer = total - base * quantity;
  return Array.from({ length: Math.min(first, quantity) }, (_, index) => base + (index < dearer ? 1 : 0));
}

/** A group of lines as Shopify describes it: of nested lines, or of a bundle's components. */
export type ShopLineGroup = Omit<ShopBundle, "variantId"> & { variantId: string | null };

/**
 * Finds the lines that are components of bundles. The variant of nested lines' group is that of the line above; a
 * bundle's variant is on no line.
 */
export function addBundles(
  lines: readonly ShopOrderLine[],
  groups: readonly ShopLineGroup[],
): ShopOrderLine[] {
  const bundles = new Map<string, ShopBundle>();
  for (const { variantId, ...group } of groups) {
    const hasLine = lines.some((line) => line.groupId === group.id && line.variantId === variantId);
    if (variantId !== null && group.quantity > 0 && !hasLine) bundles.set(group.id, { ...group, variantId });
  }
  return lines.map((line) => ({ ...line, bundle: bundles.get(line.groupId ?? "") ?? null }));
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
 * Reads the lines of an order. If lines share an id, the last one counts: an order that changes between two pages may
 * list a line twice.
 * @param items as Shopify sent them
 * @param read parses one; it throws a ZodError, or a RangeError if an amount is invalid
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
