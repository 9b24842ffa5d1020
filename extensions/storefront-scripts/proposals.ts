/** Plans for the shopper to accept in place of ones that no longer fit. */
import type { Line } from "./cart-rules.ts";
import { pairOf } from "./offers.ts";

/**
 * The plans that would replace removed ones, by pair: a reference, or `none` where no plan fits any more. Kept for the
 * visit, so that every page shows them.
 */
const proposals = "parasol-proposals";
const proposed = () => JSON.parse(sessionStorage.getItem(proposals) ?? "{}") as Record<string, string>;
const pairOfLine = ({ variant, properties }: Line) =>
  properties["_parasol_pair"] ?? pairOf(variant, properties);

/** undefined where no plan was removed */
export function proposalFor(product: Line): string | undefined {
  return proposed()[pairOfLine(product)];
}

/** Saves the proposal for a product; without a reference it is deleted. */
export function propose(product: Line, reference?: string): void {
  sessionStorage[proposals] = JSON.stringify({ ...proposed(), [pairOfLine(product)]: reference });
}
