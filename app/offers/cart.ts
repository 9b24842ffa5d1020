/** The cart of a headless shop or a mobile app as it is sent to the app proxy, and the response: what to change. */
import { z } from "zod";
import type { CartCorrections, Line } from "../../extensions/storefront-scripts/cart-rules.ts";
import { offersFor } from "../../extensions/storefront-scripts/offers.ts";
import type { Band, Offer } from "../../extensions/storefront-scripts/offers.ts";

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

/** How many lines a cart has is known before any is read: the platform's hold at most 500. */
export const sentCart = z.object({ lines: z.array(z.unknown()).max(500) });
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
