/** The cart of a headless shop or a mobile app as it is sent to the app proxy, and the response: what to change. */
import { z } from "zod";
import type { CartCorrections, Line } from "../../extensions/storefront-scripts/cart-rules.ts";
import { offersFor } from "../../extensions/storefront-scripts/offers.ts";
import type { Band, Offer } from "../../extensions/storefront-scripts/offers.ts";
import { buyer } from "./offers-response.ts";

const line = z.object({
  /** the caller's own name of the line */
  key: z.string().min(1).max(500),
  variant_id: z.string().regex(/^\d{1,20}$/),
  quantity: z.int().min(1).max(1_000_000),
  /** of one item before discounts, minor units of the shop's currency */
  price: z.int().nonnegative(),
  properties: z.record(z.string().max(200), z.string().max(2_000)).default({}),
  /** key of the line that this one is nested under */
  parent: z.string().nullish(),
  /** a gift: neither it nor its plan is touched */
  gift: z.boolean().default(false),
});

/** How many lines a cart has is known before any is read: Shopify's hold at most 500. */
export const sentCart = z.object({ lines: z.array(z.unknown()).max(500), buyer: buyer.default({}) });
export const cartLines = z.array(line);
export type CartLine = z.infer<typeof line>;

interface CartOffer {
  reference_id: string;
  plan_variant_id: string;
  term: number;
  price: number;
  billing: "monthly" | "annually";
}

export interface CartResponse {
  /** the quantity that each of these lines is to have, never more than now; 0 takes it out */
  changes: { key: string; quantity: number }[];
  /** plans that go because they no longer fit, with what would fit now: for the shopper to agree to */
  proposals: { plan_key: string; product_key: string; offer: CartOffer | null }[];
  /**
   * Products of which a plan insures fewer items than the cart has, with the plan that would insure the others: for the
   * shopper to agree to, as a line of its own with the time of that consent.
   */
  missing: { plan_key: string; product_key: string; quantity: number; offer: CartOffer | null }[];
}

/** @param bandsOf the price bands of a variant's category; undefined where they are not known */
export function cartResponse(
  { changes, misfits, gaps }: CartCorrections,
  bandsOf: (variant: string) => Band[] | undefined,
): CartResponse {
  return {
    changes,
    proposals: misfits.map(({ key, product, offer }) => ({
      plan_key: key,
      product_key: product.key,
      offer: cartOffer(offer),
    })),
    missing: gaps.map(({ plan, product, quantity }) => ({
      plan_key: plan.key,
      product_key: product.key,
      quantity,
      offer: cartOffer(planOffer(plan, offersFor(bandsOf(product.variant) ?? [], product.price))),
    })),
  };
}

/** The plan's own offer; null where it is not among those that fit now. */
function planOffer({ properties }: Line, fitting: Offer[]): Offer | null {
  return fitting.find((offer) => offer[4] === properties["_parasol_reference"]) ?? null;
}

function cartOffer(offer: Offer | null): CartOffer | null {
  if (!offer) return null;
  const [term, price, billing, variantId, referenceId] = offer;
  return { reference_id: referenceId, plan_variant_id: variantId, term, price, billing };
}

export interface ThemeFile {
  filename: string;
  content: string;
}

const template = z.object({
  sections: z.record(z.string(), z.object({ type: z.string(), disabled: z.boolean().optional() })),
  order: z.array(z.string()),
});

/**
 * Id of the cart template's first section that takes app blocks; null where none was found. Themes name the sections of
 * their cart as they like (Dawn 15 `cart-items` and `cart-footer`, Horizon 4 `cart-section`), and only some take app
 * blocks: the section's own schema says so.
 */
export function cartSectionIn(files: ThemeFile[]): string | null {
  const contentOf = (name: string) => files.find(({ filename }) => filename === name)?.content ?? "";
  const cart = template.safeParse(readJson(contentOf("templates/cart.json")));
  if (!cart.success) return null;
  const { sections, order } = cart.data;
  const takesAppBlocks = (id: string) => {
    const section = sections[id];
    if (section === undefined || section.disabled === true) return false;
    return /"type"\s*:\s*"@app"/.test(contentOf(`sections/${section.type}.liquid`));
  };
  return order.find(takesAppBlocks) ?? null;
}

/** The editor puts a comment above the JSON that it writes. */
function readJson(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\s*\/\*[\s\S]*?\*\//, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
