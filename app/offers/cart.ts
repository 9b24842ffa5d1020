/** The cart of a headless shop or a mobile app in a request to the app proxy, and the changes in the response. */
import { z } from "zod";
import type { CartCorrections, Line } from "../../extensions/storefront-scripts/cart-rules.ts";
import { type Band, type Offer, offersFor } from "../../extensions/catalogue.ts";
import { buyer } from "./offers-response.ts";

const line = z.object({
  /** the caller's name of the line */
  key: z.string().min(1).max(500),
  variant_id: z.string().regex(/^\d{1,20}$/),
  quantity: z.int().min(1).max(1_000_000),
  /** price of one item before discounts, minor units of the shop's currency */
  price: z.int().nonnegative(),
  properties: z.record(z.string().max(200), z.string().max(2_000)).default({}),
  /** key of the parent line */
  parent: z.string().nullish(),
  /** a gift: the line and its plan stay unchanged */
  gift: z.boolean().default(false),
});

/** Checks the number of lines before it parses them: a cart of Shopify has at most 500. */
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
  /** the new quantity of each line, never more than now; 0 removes the line */
  changes: { key: string; quantity: number }[];
  /** plans to remove because they no longer fit, with the fitting offer, for the shopper's consent */
  proposals: { plan_key: string; product_key: string; offer: CartOffer | null }[];
  /**
   * Products with fewer insured items than the cart has, with the plan for the others. It needs the shopper's
   * consent, and a line of its own with the time of that consent.
   */
  missing: { plan_key: string; product_key: string; quantity: number; offer: CartOffer | null }[];
}

/** @param bandsOf the price bands of a variant's category; undefined if unknown */
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

/** The plan's own offer; null if it no longer fits. */
function planOffer({ properties }: Line, fitting: Offer[]): Offer | null {
  return fitting.find(({ reference }) => reference === properties["_parasol_reference"]) ?? null;
}

function cartOffer(offer: Offer | null): CartOffer | null {
  if (!offer) return null;
  const { term, price, billing, variant, reference } = offer;
  return { reference_id: reference, plan_variant_id: variant, term, price, billing };
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
 * Id of the first section of the cart template that takes app blocks; null if there is none. The section's schema
 * decides, because themes name the sections of their cart differently (Dawn 15 `cart-items` and `cart-footer`,
 * Horizon 4 `cart-section`).
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

/** The theme editor writes a comment above its JSON. */
function readJson(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\s*\/\*[\s\S]*?\*\//, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
