import { z } from "zod";
import { category } from "./category.ts";
import { billing, currencyCode, id } from "./fields.ts";
import { termMonths } from "./term.ts";

/** Spec, "Offer (response of the offers query)". */
export const offer = z
  .object({
    /** Reference of the insurance product; what is added to the shop's cart. */
    reference_id: id,
    /** Contract identifier; null when the service leaves it out (there is no contract yet). */
    contract_id: id.nullish().transform((value) => value ?? null),
    /** The duration as text, e.g. "24 mois". */
    term_length: z.union([z.string(), z.int().transform(String)]),
    /** Integer minor units (euro cents). */
    price: z.int().nonnegative(),
    currency_code: currencyCode,
    /** Lowest product price the offer applies to, inclusive, minor units. */
    price_band_min: z.int(),
    /** Highest product price the offer applies to, inclusive, minor units. */
    price_band_max: z.int(),
    billing,
    title: z.string(),
    /** The category's name. */
    category_id: id,
    category,
  })
  .transform((value, context) => {
    const term = termMonths.safeParse(value.term_length);
    if (term.success) return { ...value, /** The duration in months. */ term_months: term.data };
    context.addIssue({
      code: "custom",
      path: ["term_length"],
      message: term.error.issues[0]?.message ?? "not a duration",
    });
    return z.NEVER;
  });
export type Offer = z.infer<typeof offer>;

/** The query parameters. Which of them the service requires is not shown: all that are known are sent. */
export interface OfferQuery {
  /** The category's name. */
  categoryId?: string;
  /** Reference of the product to insure (the variant's id: docs/decisions/0003-references.md). */
  productReferenceId?: string;
  /** Price of the product, integer minor units. */
  productPriceMinor?: number;
}
