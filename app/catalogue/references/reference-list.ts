/**
 * The list of references: its states, sort orders and rows. The filter's schema is elsewhere, so that the page does
 * not load zod.
 */
import type { Billing } from "#app/insurance/fields.ts";

/**
 * `on_sale`: shoppers can buy it; `not_synced`: the next sync will sell it; `withheld`: it has a problem; `vanished`:
 * the insurer no longer offers it.
 */
export const referenceStates = ["on_sale", "not_synced", "withheld", "vanished"] as const;
export type ReferenceState = (typeof referenceStates)[number];

/** The sort orders; without one, the list is sorted by category, term and band. */
export const referenceSorts = ["lowest", "highest", "shortest", "longest", "state"] as const;
export type ReferenceSort = (typeof referenceSorts)[number];

export interface ListedReference {
  referenceId: string;
  title: string;
  categoryId: string;
  /** the name of its formula; null: the category has one formula alone */
  formula: string | null;
  termMonths: number;
  billing: Billing;
  /** of the product, minor units, both ends included */
  bandMinMinor: number;
  bandMaxMinor: number;
  /** of the insurance, minor units */
  priceMinor: number;
  currency: string;
  /** the number of single products with this offer; 0: it is for all products */
  forProducts: number;
  state: ReferenceState;
  /** the kind and the detail of the problem that withholds it */
  problem: string | null;
  problemDetail: string | null;
  /** the variant that sells it, or sold it last, with the price in the shop */
  variant: { variantId: string; productId: string; priceMinor: number } | null;
}

/** The references of a category by state. */
export interface CategoryCounts {
  categoryId: string;
  counts: Record<ReferenceState, number>;
  /** the offered ones that are for single products */
  forProducts: number;
}

/** The number of references in each state, of all categories. */
export function sumCounts(categories: readonly CategoryCounts[]): Record<ReferenceState, number> {
  const sum = { on_sale: 0, not_synced: 0, withheld: 0, vanished: 0 };
  for (const { counts } of categories) for (const state of referenceStates) sum[state] += counts[state];
  return sum;
}

/** The choices of the filters. */
export interface ReferenceChoices {
  /** months */
  terms: number[];
  bands: { minMinor: number; maxMinor: number; currency: string }[];
}
