/** The terms by which insurance was offered when an item was sold. */
import { z } from "zod";

const document = z.object({
  address: z.string(),
  /** of what the address answered last before the sale; null: it never did */
  sha256: z.string().nullable(),
});

export const offerTerms = z.object({
  referenceId: z.string(),
  category: z.string(),
  formula: z.string().nullable(),
  termMonths: z.int(),
  billing: z.string(),
  /** of each payment, minor units */
  priceMinor: z.int(),
  currency: z.string(),
  /** of the customer's order, BCP 47 */
  language: z.string(),
  headline: z.string(),
  /** what is covered, in the words in which the shop offered it */
  covers: z.array(z.string()),
  legalText: z.string(),
  /** null: the offer named none */
  conditions: document.nullable(),
  ipid: document.nullable(),
});
export type OfferTerms = z.infer<typeof offerTerms>;
