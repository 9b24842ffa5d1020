/** A reference of the insurance catalogue, and what can be wrong with one. */
import type { Billing } from "#app/insurance/fields.ts";
import type { Offer } from "#app/insurance/offers.ts";
import { MAX_STORED_MINOR, minorDigits } from "#app/platform/money.ts";
import { refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import { findOverlaps, formulaKeyOf } from "./formula.ts";

/** One insurance reference (spec, "Offer"): money in integer minor units, the term in months. */
export interface Reference {
  referenceId: string;
  contractId: string | null;
  categoryId: string;
  termMonths: number;
  /** the term as the insurer words it, "24 mois" */
  termLength: string;
  priceMinor: number;
  currency: string;
  bandMinMinor: number;
  bandMaxMinor: number;
  billing: Billing;
  title: string;
  /** the products it was offered for, where offers differ by product; empty: it is for all */
  productReferenceIds: string[];
}

/**
 * Why a reference is not sold. `not_written`: Shopify refused it. `currency`, `yearly_premium`, `monthly`: the rule of
 * sale refuses it. `no_cents`: its currency has no two decimals. `variant_limit`: the shop may create no more variants
 * today.
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
  /** what it is with: the other reference, the currency, Shopify's message */
  detail: string;
}

/** An offer of the insurer as a reference of the catalogue. An open-ended band is as good as one that ends at the most that is stored. */
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
  /** links to general conditions and IPID are there: nothing is sold without them (EU rules on insurance) */
  hasDocuments: boolean;
}

/**
 * What is wrong with the references of one category, by reference id; the others can be sold. Of references that
 * overlap (same formula, term and billing, prices in both bands) the one with the lower band stays.
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
  // Offers made for one product take the place of the general ones: they overlap on purpose.
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
  // The spec gives prices and bands in cents and says nothing of currencies without: a guess may be wrong a hundredfold.
  if (minorDigits(reference.currency) !== 2) return { problem: "no_cents", detail: reference.currency };
  if (refusal === "yearly_premium" || refusal === "monthly") return { problem: refusal, detail: "" };
  return hasDocuments ? null : { problem: "no_documents", detail: "" };
}

/** A page that a browser can be led to: absolute, http or https. */
export function isPage(address: string): boolean {
  return /^https?:\/\/[^\s"'<>]+$/.test(address) && URL.canParse(address);
}

/** An address that customers are shown: https, as the storefront takes no other. */
export function isLink(address: string): boolean {
  return address.startsWith("https:") && isPage(address);
}
