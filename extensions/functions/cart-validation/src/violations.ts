/** What is wrong with a cart's plans, by the rule that the storefront and the server apply. */
import { cutPlans, findMisfits, isPlan, plansOf, splitCart } from "../../../storefront-scripts/cart-rules.ts";
import type { Line } from "../../../storefront-scripts/cart-rules.ts";
import type { Band } from "../../../storefront-scripts/offers.ts";

/** alone: its product is not in the cart; excess: more cover than pieces; price: its band is another one */
export type Violation = { plan: Line; reason: "alone" | "excess" | "price" };

/** @param bandOf the band that a plan is for, as a catalogue of that plan alone; undefined where it is not known */
export function findViolations(lines: Line[], bandOf: (plan: Line) => Band[] | undefined): Violation[] {
  return splitCart(lines).flatMap((part) => {
    const products = part.filter((line) => !isPlan(line));
    // Each plan by itself: it was sold for its own band, whatever else is in the cart.
    const misfits = part.filter(
      (plan) => isPlan(plan) && findMisfits([...products, plan], () => bandOf(plan)).length > 0,
    );
    const fitting = part.filter((line) => !misfits.includes(line));
    const cut = new Set(cutPlans(fitting).map(({ key }) => key));
    return [
      ...misfits.map((plan): Violation => ({ plan, reason: "price" })),
      ...fitting.flatMap((plan): Violation[] => {
        if (!cut.has(plan.key)) return [];
        const hasProduct = products.some((product) => plansOf(product, part).includes(plan));
        return [{ plan, reason: hasProduct ? "excess" : "alone" }];
      }),
    ];
  });
}
