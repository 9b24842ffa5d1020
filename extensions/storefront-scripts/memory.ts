/** What is kept for the shopper's visit (sessionStorage), so that every page knows it. */
import type { Line } from "./cart-rules.ts";
import { pairOf } from "./offers.ts";

/**
 * `chosen`: the reference that is chosen on the product page, by variant; it stays until a plan insures the product.
 * `shown`: the variants whose offer the product page showed. `proposals`: the reference that would replace a removed
 * plan, by pair; `none` where no plan fits any more. `away`: the button or bar over the page was closed. `asked`,
 * `declined`: the products for which the dialog opened by itself, and was closed without a choice.
 */
type Name = "chosen" | "shown" | "proposals" | "away" | "asked" | "declined";

export function recall(name: Name): Record<string, string> {
  return JSON.parse((sessionStorage[`parasol-${name}`] as string | undefined) ?? "{}") as Record<
    string,
    string
  >;
}

/** Without a value it is forgotten. */
export function remember(name: Name, key = "", value?: string): void {
  sessionStorage[`parasol-${name}`] = JSON.stringify({ ...recall(name), [key]: value });
}

const pairOfLine = ({ variant, properties }: Line) =>
  properties["_parasol_pair"] ?? pairOf(variant, properties);

/** The plan to offer in place of one that was removed; undefined where none was. */
export function proposalFor(product: Line): string | undefined {
  return recall("proposals")[pairOfLine(product)];
}

/** Keeps the proposal for a product; without a reference it is deleted. */
export function propose(product: Line, reference?: string): void {
  remember("proposals", pairOfLine(product), reference);
}
