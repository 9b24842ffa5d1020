/**
 * The list of the shop's products with their insurance. The filter's schema is elsewhere, so that the page does not
 * load zod.
 */

/**
 * `rule`: the first rule that fits; `override`: the merchant's own choice; `bundle`: an order names its components;
 * `nothing`: no rule matches.
 */
export const deciders = ["rule", "override", "bundle", "nothing"] as const;
export type Decider = (typeof deciders)[number];

/** Means "no insurance" in the filter by category: the name of a category never starts with a space. */
export const NO_CATEGORY = " none";

/** Characters of a rule's text: Shopify's own limit of titles, types, vendors and tags. */
export const MAX_CONDITION_TEXT = 255;

export interface ListedProduct {
  productId: string;
  title: string;
  productType: string;
  vendor: string;
  status: string;
  /** of the cheapest variant, minor units of the shop's currency */
  minPriceMinor: number | null;
  categoryId: string | null;
  decidedBy: Decider;
  /** the position of the rule in the list, from 1; null if no current rule decides */
  rule: number | null;
  /** the category key in the product's metafield */
  writtenKey: string | null;
  /** identifies the merchant's choice; a form sends it back with a new choice */
  version: string;
}
