/** Checks a cart's plans by the rule that the storefront and the server apply. */
import { cutPlans, findMisfits, isPlan, plansOf, splitCart } from "../../../storefront-scripts/cart-rules.ts";
import type { Line } from "../../../storefront-scripts/cart-rules.ts";
import type { ReadCart } from "./read-cart.ts";

/**
 * stopped: the sale is paused; country, company: the rule of sale refuses the buyer; alone: its product is not in the
 * cart; excess: more plans than items; band: the plan is for another price or category; price: the shop charges another
 * price than the accepted one
 */
export type Violation = {
  plan: Line;
  reason: "stopped" | "country" | "company" | "alone" | "excess" | "band" | "price";
};

/**
 * @param bandOf the band of a plan, as a catalogue of that plan alone; undefined: not known
 * @param isForCategory whether the plan is for the category of this product
 */
export function findViolations(
  lines: Line[],
  { bandOf, isForCategory, refusal }: Pick<ReadCart, "bandOf" | "isForCategory" | "refusal">,
): Violation[] {
  if (refusal !== null) return lines.filter(isPlan).map((plan) => ({ plan, reason: refusal }));
  return splitCart(lines).flatMap((part) => {
    const products = part.filter((line) => !isPlan(line));
    // Each plan is judged alone: it was sold for its own band, whatever else is in the cart.
    const plans = part.filter(isPlan);
    const isForOther = (plan: Line) =>
      products.some(
        (product) =>
          !product.isLocked && plansOf(product, part).includes(plan) && !isForCategory(plan, product),
      );
    const misfits = plans.filter(
      (plan) => isForOther(plan) || findMisfits([...products, plan], () => bandOf(plan)).length > 0,
    );
    const fitting = part.filter((line) => !misfits.includes(line));
    const cut = new Set(cutPlans(fitting).map(({ key }) => key));
    return [
      ...misfits.map((plan): Violation => {
        const isCharged = bandOf(plan)?.some(({ offers }) =>
          offers.some(({ price }) => price === plan.price),
        );
        return { plan, reason: isCharged === true || isForOther(plan) ? "band" : "price" };
      }),
      ...fitting.flatMap((plan): Violation[] => {
        if (!cut.has(plan.key)) return [];
        const hasProduct = products.some((product) => plansOf(product, part).includes(plan));
        return [{ plan, reason: hasProduct ? "excess" : "alone" }];
      }),
    ];
  });
}
