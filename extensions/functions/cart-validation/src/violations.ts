/** What is wrong with a cart's plans, by the rule that the storefront and the server apply. */
import { cutPlans, findMisfits, isPlan, plansOf, splitCart } from "../../../storefront-scripts/cart-rules.ts";
import type { Line } from "../../../storefront-scripts/cart-rules.ts";
import type { ReadCart } from "./read-cart.ts";

/**
 * stopped: no insurance is sold now; country, company: not to this buyer; alone: its product is not in the cart; excess: more cover than items; band: it is
 * for products of another price or category; price: the shop charges another price for it than the one that was agreed to
 */
export type Violation = {
  plan: Line;
  reason: "stopped" | "country" | "company" | "alone" | "excess" | "band" | "price";
};

/**
 * @param bandOf the band that a plan is for, as a catalogue of that plan alone; undefined where it is not known
 * @param isForCategory whether a plan is sold for products of this one's category
 */
export function findViolations(
  lines: Line[],
  { bandOf, isForCategory, refusal }: Pick<ReadCart, "bandOf" | "isForCategory" | "refusal">,
): Violation[] {
  if (refusal !== null) return lines.filter(isPlan).map((plan) => ({ plan, reason: refusal }));
  return splitCart(lines).flatMap((part) => {
    const products = part.filter((line) => !isPlan(line));
    // Each plan by itself: it was sold for its own band, whatever else is in the cart.
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
        const isCharged = bandOf(plan)?.some(([, , offers]) =>
          offers.some((offer) => offer[1] === plan.price),
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
