/** The app proxy's response with offers, or with the reason for none. */
import { z } from "zod";
import type { Category } from "#app/insurance/categories.ts";
import {
  categoryKey,
  coverKey,
  coverKeyOf,
  type SoldReference,
} from "#app/catalogue/sync/compact-catalogue.ts";
import { namesInUniverse } from "#app/catalogue/references/formula.ts";
import { isLink } from "#app/platform/web-address.ts";
import { orderedTerms } from "./term-order.ts";

/** The buyer and the delivery, as far as a headless shop or a mobile app sends them. */
export const buyer = z.object({
  /** the delivery's country, ISO 3166-1 alpha-2 */
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .optional(),
  postcode: z.string().max(20).optional(),
  company: z.stringbool().or(z.boolean()).optional(),
  /** ISO 4217 */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
});
export type Buyer = z.infer<typeof buyer>;

export const noOfferReasons = [
  /** the variant is unknown; products are read when they change and once a day */
  "product_unknown",
  /** it is a plan product */
  "insurance_product",
  /** no category rule matches its product */
  "no_category",
  /** a rule or the merchant's override excludes the product, or it is a bundle, whose components an order names */
  "excluded",
  /** the insurer does not offer the category */
  "category_unknown",
  /** the category has no offer at this price */
  "no_offer_at_price",
  /** the insurer has offers that the shop does not sell yet */
  "not_in_shop",
  /** the sale rule (extensions/sale-rule.ts) refuses this buyer */
  "other_country",
  "company",
  "other_currency",
  "not_connected",
  /** the sale is paused, or the insurer refuses the account */
  "not_selling",
  "insurer_unreachable",
] as const;
export type NoOfferReason = (typeof noOfferReasons)[number];

export interface OfferView {
  reference_id: string;
  /** the shop's variant to put into the cart */
  plan_variant_id: string;
  /** months */
  term: number;
  /** minor units of the response's currency: the price in the cart */
  price: number;
  billing: "monthly" | "annually";
  title: string;
  /** the name of the set of guarantees; null if the product has only one */
  formula: string | null;
  /** the formula's name in the requested language */
  formula_name: string | null;
}

export interface ProductOffers {
  variant_id: string;
  /** key into `categories`; null if the product has none */
  category: string | null;
  offers: OfferView[];
  /** null if there are offers */
  reason: NoOfferReason | null;
}

export interface CategoryView {
  /**
   * for each formula with documents of its own, by the name that shoppers read; one without a name if there is only
   * one
   */
  documents: { name: string; cg: string; ipid: string }[];
  /** `cover`: the coverage, in one line */
  texts: { headline: string; cover: string; legal: string; cart_button: string };
}

export interface OffersResponse {
  currency: string;
  /** the merchant's number as an insurance intermediary, to be shown with the offers; null: none */
  registration_number: string | null;
  products: ProductOffers[];
  categories: Record<string, CategoryView>;
}

/** The name that shoppers read for a formula, by its coverage key and the insurer's name (`formulaName`). */
export type NameFormula = (formula: { key: string; name: string }) => string;

export const asTheInsurer: NameFormula = ({ name }) => name;

/** The names that shoppers read for the categories of one universe, by category id. */
export function namesOfCategories(
  categories: readonly Pick<Category, "id">[],
  nameFormula: NameFormula,
): Map<string, string> {
  const names = namesInUniverse(categories.map(({ id }) => id));
  return new Map(
    categories.map(({ id }) => [id, nameFormula({ key: coverKey(id, null), name: names.get(id) ?? id })]),
  );
}

/** @param order the merchant's order of terms */
export function productOffers(
  variantId: string,
  categoryId: string | null,
  result: readonly SoldReference[] | NoOfferReason,
  nameFormula = asTheInsurer,
  order: readonly number[] = [],
): ProductOffers {
  const category = categoryId === null ? null : categoryKey(categoryId);
  if (typeof result === "string") return { variant_id: variantId, category, offers: [], reason: result };
  return {
    variant_id: variantId,
    category,
    offers: byFormula(result, order).map((sold) => ({
      reference_id: sold.referenceId,
      plan_variant_id: sold.variantId,
      term: sold.termMonths,
      price: sold.shopPriceMinor,
      billing: sold.billing,
      title: sold.title,
      formula: sold.formula,
      formula_name: shownFormula(sold, nameFormula),
    })),
    reason: null,
  };
}

/** The set of guarantees of a reference; null if there is only one. */
export const shownFormula = (sold: SoldReference, nameFormula: NameFormula): string | null =>
  sold.formula === null ? null : nameFormula({ key: coverKeyOf(sold), name: sold.formula });

/**
 * Sorts like the compact catalogue: in the universe's order, the formula with the lowest price first. Within a
 * formula, in the merchant's order of terms, then by price.
 */
function byFormula(result: readonly SoldReference[], order: readonly number[]): SoldReference[] {
  const groups = Map.groupBy(result.toSorted(byTermAndPrice), ({ formula }) => formula);
  const terms = orderedTerms(
    result.map(({ termMonths }) => termMonths),
    order,
  );
  const rank = ({ termMonths }: SoldReference) => terms.indexOf(termMonths);
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => rank(a) - rank(b)));
}

function byTermAndPrice(a: SoldReference, b: SoldReference): number {
  return (
    (a.place ?? 0) - (b.place ?? 0) ||
    a.termMonths - b.termMonths ||
    a.shopPriceMinor - b.shopPriceMinor ||
    (a.referenceId < b.referenceId ? -1 : 1)
  );
}

/** @param others further categories of its universe, which are formulas beside it */
export function categoryView(
  category: Category,
  others: readonly Category[] = [],
  nameFormula = asTheInsurer,
): CategoryView {
  const { buttons, modal, cart } = category.marketing;
  return {
    documents: documentsOf(category, others, nameFormula),
    texts: {
      headline: buttons.headline,
      cover: others.length === 0 ? modal.bulletPoints.slice(0, 3).join(", ") : "",
      legal: modal.legalText,
      cart_button: cart.buttonText,
    },
  };
}

/** Links to general conditions and IPID, or empty: a formula without its documents is not sold. */
export function documentsOf(
  category: Category,
  others: readonly Category[],
  nameFormula = asTheInsurer,
): CategoryView["documents"] {
  const link = (address: string) => (isLink(address) ? address : "");
  const linksOf = ({ legal }: Category) => ({ cg: link(legal.conditionsUrl), ipid: link(legal.ipidUrl) });
  if (others.length === 0) return [{ name: "", ...linksOf(category) }];
  const universe = [category, ...others];
  const names = namesOfCategories(universe, nameFormula);
  return universe
    .map((each) => ({ name: names.get(each.id) ?? "", ...linksOf(each) }))
    .filter(({ cg, ipid }) => cg !== "" && ipid !== "");
}
