/** The list of references: its filters and its rows. */
import { z } from "zod";
import type { Billing } from "#app/insurance/fields.ts";
import { referenceSorts, referenceStates } from "./reference-states.ts";
import type { ReferenceState } from "./reference-states.ts";

const band = /^(\d{1,10})-(\d{1,10})$/;

/** From the address; what makes no sense there is no filter. */
export const referenceFilter = z.object({
  /** in the reference's id, its title or its contract's id */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
  category: z.string().min(1).nullable().catch(null),
  /** months */
  term: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .nullable()
    .catch(null),
  /** `lowest-highest`, minor units */
  band: z
    .string()
    .regex(band)
    .transform((text) => {
      const [, min, max] = band.exec(text) ?? [];
      return { minMinor: Number(min), maxMinor: Number(max) };
    })
    .nullable()
    .catch(null),
  state: z.enum(referenceStates).nullable().catch(null),
  sort: z.enum(referenceSorts).nullable().catch(null),
});
export type ReferenceFilter = z.infer<typeof referenceFilter>;

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
  /** a file brought it */
  isImported: boolean;
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
