/** Why references of the insurance catalogue cannot be sold. */
import { MAX_STORED_MINOR } from "#app/platform/money.ts";
import { minorDigits } from "../../../extensions/currency-digits.ts";
import { refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import { findOverlaps, formulaKeyOf } from "./formula.ts";
import type { Reference } from "./reference.ts";

/**
 * Why a reference is not sold. `not_written`: Shopify refused it. `currency`, `yearly_premium`, `monthly`: the sale
 * rule refuses it. `no_cents`: its currency does not have two decimals. `variant_limit`: the shop may not create more
 * variants today.
 */
export const referenceProblemKinds = [
  "price_zero",
  "band_inverted",
  "amount_too_large",
  "currency",
  "no_cents",
  "yearly_premium",
  "monthly",
  "no_documents",
  "overlap",
  "not_written",
  "variant_limit",
] as const;
export type ReferenceProblemKind = (typeof referenceProblemKinds)[number];

export interface ReferenceProblem {
  problem: ReferenceProblemKind;
  /** the subject of the problem: the other reference, the currency, or Shopify's message */
  detail: string;
}

export interface SaleConditions {
  /** the shop's currency */
  currency: string;
  rule: Partial<SaleRule>;
  /** the general conditions and the IPID have links: EU insurance rules forbid a sale without them */
  hasDocuments: boolean;
}

/**
 * Finds the problems of one category's references, by reference id; all others can be sold. Of two overlapping
 * references (same formula, term and billing) the one with the lower band is sold.
 */
export function findReferenceProblems(
  references: readonly Reference[],
  conditions: SaleConditions,
): Map<string, ReferenceProblem> {
  const problems = new Map<string, ReferenceProblem>();
  const sound: Reference[] = [];
  for (const reference of references) {
    const problem = ownProblem(reference, conditions);
    if (problem) problems.set(reference.referenceId, problem);
    else sound.push(reference);
  }
  // Offers for a single product replace the general ones, so an overlap with them is intended.
  const general = sound.filter(({ productReferenceIds }) => productReferenceIds.length === 0);
  for (const [referenceId, other] of findOverlaps(general, formulaKeyOf(general))) {
    problems.set(referenceId, { problem: "overlap", detail: other });
  }
  return problems;
}

function ownProblem(
  reference: Reference,
  { currency, rule, hasDocuments }: SaleConditions,
): ReferenceProblem | null {
  if (reference.priceMinor === 0) return { problem: "price_zero", detail: "" };
  if (reference.priceMinor === MAX_STORED_MINOR) return { problem: "amount_too_large", detail: "" };
  if (reference.bandMaxMinor < reference.bandMinMinor) {
    return { problem: "band_inverted", detail: `${reference.bandMinMinor} > ${reference.bandMaxMinor}` };
  }
  const refusal = refusalOf(rule, { cover: reference, currency });
  if (refusal === "currency") return { problem: refusal, detail: reference.currency };
  // The spec gives amounts in cents and does not mention currencies without cents: a guess could be wrong by a factor
  // of 100.
  if (minorDigits(reference.currency) !== 2) return { problem: "no_cents", detail: reference.currency };
  if (refusal === "yearly_premium" || refusal === "monthly") return { problem: refusal, detail: "" };
  return hasDocuments ? null : { problem: "no_documents", detail: "" };
}
