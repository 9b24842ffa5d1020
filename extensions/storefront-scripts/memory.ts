/** Values of the shopper's visit (sessionStorage), shared by all pages. */
import type { Line } from "./cart-rules.ts";
import { pairOf } from "./plan-item.ts";

/**
 * `chosen`: the reference chosen on the product page, by variant, until a plan insures the product; `none` if the shopper
 * said no, which is not asked again. `shown`: the variants whose offer the product page showed. `proposals`: the
 * replacement reference for a removed plan, by pair; `none` if no plan fits. `away`: the shopper closed the floating
 * button or bar. `asked`: the products whose dialog opened automatically, and `any`. `said`: what the page announced
 * before it was reloaded.
 */
type Name = "said" | "chosen" | "shown" | "proposals" | "away" | "asked";

export function recall(name: Name): Record<string, string> {
  return JSON.parse((sessionStorage[`parasol-${name}`] as string | undefined) ?? "{}") as Record<
    string,
    string
  >;
}

/** Deletes the key if the value is missing. */
export function remember(name: Name, key = "", value?: string): void {
  sessionStorage[`parasol-${name}`] = JSON.stringify({ ...recall(name), [key]: value });
}

/** How often the shopper has closed the dialog that opened automatically without a choice, also in former visits. */
export const refusals = () => Number(localStorage["parasol-refusals"] ?? 0);

export const countRefusal = () => {
  localStorage["parasol-refusals"] = refusals() + 1;
};

/** The shopper said no to the insurance of this variant. */
export const isDeclined = (variant: string) => recall("chosen")[variant] === "none";

/** The shopper said no to some insurance in this visit. */
export const hasDeclined = () => Object.values(recall("chosen")).includes("none");

const pairOfLine = ({ variant, properties }: Line) =>
  properties["_parasol_pair"] ?? pairOf(variant, properties);

/** The plan to offer instead of a removed one; undefined: no plan was removed. */
export function proposalFor(product: Line): string | undefined {
  return recall("proposals")[pairOfLine(product)];
}

/** Stores the proposal for a product, or deletes it if no reference is given. */
export function propose(product: Line, reference?: string): void {
  remember("proposals", pairOfLine(product), reference);
}
