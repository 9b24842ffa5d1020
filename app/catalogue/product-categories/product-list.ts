/** The list of the shop's products with the insurance of each. */
import { z } from "zod";
import { deciders } from "./product-choices.ts";
import type { Decider } from "./product-choices.ts";

/** From the address; what makes no sense there is no filter. */
export const productFilter = z.object({
  /** in the product's title */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
  category: z.string().min(1).nullable().catch(null),
  decided: z.enum(deciders).nullable().catch(null),
});
export type ProductFilter = z.infer<typeof productFilter>;

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
