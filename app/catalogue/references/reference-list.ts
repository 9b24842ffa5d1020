/** The list of references: its states, orders and rows. Without its filter's schema: the page does not load zod. */
import type { Billing } from "#app/insurance/fields.ts";

/**
 * `on_sale`: shoppers can buy it; `not_synced`: the next sync will sell it; `withheld`: something is wrong with it;
 * `vanished`: the insurer no longer offers it.
 */
export const referenceStates = ["on_sale", "not_synced", "withheld", "vanished"] as const;
export type ReferenceState = (typeof referenceStates)[number];

/** How the list is sorted; by category, term and band where the address says nothing. */
export const referenceSorts = ["lowest", "highest", "shortest", "longest", "state"] as const;
export type ReferenceSort = (typeof referenceSorts)[number];

export interface ListedReference {
  referenceId: string;
  title: string;
  categoryId: string;
  termMonths: number;
  billing: Billing;
  /** of the product, minor units, both ends included */
  bandMinMinor: number;
  bandMaxMinor: number;
  /** of the insurance, minor units */
  priceMinor: number;
  currency: string;
  /** of how many single products it is; 0: it is for all */
  forProducts: number;
  state: ReferenceState;
  /** why it is withheld, and what it is with */
  problem: string | null;
  problemDetail: string | null;
  /** what sells it in the shop, or sold it last, at the shop's price */
  variant: { variantId: string; productId: string; priceMinor: number } | null;
}

/** What the filters can be set to. */
export interface ReferenceChoices {
  categories: string[];
  /** months */
  terms: number[];
  bands: { minMinor: number; maxMinor: number; currency: string }[];
}
