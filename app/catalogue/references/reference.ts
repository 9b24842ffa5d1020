/** A reference of the insurance catalogue, and its possible problems. */
import type { Billing } from "#app/insurance/fields.ts";
import type { Offer } from "#app/insurance/offers.ts";
import { minorDigits } from "../../../extensions/currency-digits.ts";
import { MAX_STORED_MINOR } from "#app/platform/money.ts";
import { refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import { findOverlaps, formulaKeyOf } from "./formula.ts";

/** One insurance reference (spec, "Offer"): money in integer minor units, the term in months. */
export interface Reference {
  referenceId: string;
  contractId: string | null;
  categoryId: string;
  termMonths: number;
  /** the insurer's text of the term, "24 mois" */
  termLength: string;
  priceMinor: number;
  currency: string;
  bandMinMinor: number;
  bandMaxMinor: number;
  billing: Billing;
  title: string;
  /** the products with this offer if offers differ by product; empty: all products */
  productReferenceIds: string[];
}

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

/** Converts an offer of the insurer. An open-ended band ends at the highest price that the database stores. */
export function referenceFromOffer(offer: Offer, productReferenceIds: string[] = []): Reference {
  return {
    referenceId: offer.referenceId,
    contractId: offer.contractId,
    categoryId: offer.categoryId,
    termMonths: offer.termMonths,
    termLength: offer.termLength,
    priceMinor: Math.min(offer.priceMinor, MAX_STORED_MINOR),
    currency: offer.currencyCode,
    bandMinMinor: Math.max(0, Math.min(offer.bandMinMinor, MAX_STORED_MINOR)),
    bandMaxMinor: Math.max(0, Math.min(offer.bandMaxMinor, MAX_STORED_MINOR)),
    billing: offer.billing,
    title: offer.title,
    productReferenceIds,
  };
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

/** An absolute http or https address, to which a browser can be redirected. */
export function isPage(address: string): boolean {
  return /^https?:\/\/[^\s"'<>]+$/.test(address) && URL.canParse(address);
}

/** An https address: the storefront links to no other. */
export function isLink(address: string): boolean {
  return address.startsWith("https:") && isPage(address);
}
