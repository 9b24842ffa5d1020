/** The list of the shop's products with the insurance of each. Without its filter's schema: the page does not load zod. */

/** `rule`: the first rule that fits; `override`: the merchant's own choice; `nothing`: no rule matches. */
export const deciders = ["rule", "override", "nothing"] as const;
export type Decider = (typeof deciders)[number];

/** Means "no insurance" in the filter by category: a category's name has no blank at its start. */
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
  /** the rule's place in the list, from 1; null where it is none of the rules now */
  rule: number | null;
  /** the category key in the product's metafield */
  writtenKey: string | null;
  /** of the merchant's own choice, to be sent back with another one */
  version: string;
}
