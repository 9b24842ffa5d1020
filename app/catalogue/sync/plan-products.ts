/** How the catalogue should stand in the shop: which plan products, with which variants. */
import { isLink } from "#app/catalogue/references/reference.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";
import type { Category } from "#app/insurance/category.ts";
import { categoryKey } from "./compact-catalogue.ts";
import { descriptionHtml, withOptionValues, productTypes, productTitle } from "./plan-product-texts.ts";
import type { Language } from "./plan-product-texts.ts";

/** The tag by which the app finds its products; merchants use it to keep them out of automatic collections. */
export const PLAN_TAG = "parasol-insurance";

/** The platform's limit of variants per product. */
export const MAX_VARIANTS = 2_048;

/** The currency and language in which a shop's plan products are kept. */
export interface ShopLocale {
  currency: string;
  language: Language;
}

export interface WantedVariant {
  referenceId: string;
  priceMinor: number;
  /** option values */
  duration: string;
  band: string;
  taxable: boolean;
  /** false: it is kept, because carts and orders may hold it, but cannot be bought */
  onSale: boolean;
}

export interface WantedProduct {
  categoryId: string;
  /** 1, 2, …: a category of more than MAX_VARIANTS references takes several products */
  part: number;
  handle: string;
  title: string;
  descriptionHtml: string;
  productType: string;
  image: string | null;
  /** false: the shop sells no insurance now */
  isSelling: boolean;
  variants: WantedVariant[];
}

export interface PlanProductOptions {
  environment: string;
  isSelling: boolean;
  language: Language;
  taxable: boolean;
}

/** A reference with its fate: sold, or withdrawn and only kept for those who hold it. */
export interface ReferenceOnSale extends Reference {
  onSale: boolean;
}

/**
 * The products of one category.
 * @param references those to sell, and the withdrawn ones that the shop has
 * @param parts in which part a reference stands already: it never moves, its variant id is in carts and orders
 */
export function wantedProducts(
  category: Category,
  references: readonly ReferenceOnSale[],
  parts: ReadonlyMap<string, number>,
  { environment, isSelling, language, taxable }: PlanProductOptions,
): WantedProduct[] {
  const title = productTitle(category, references);
  const image = category.marketing_data.modal.image;
  return [...distributeToParts(references, parts)].map(([part, members]) => ({
    categoryId: category.id,
    part,
    handle: handleOf(category.id, environment, part),
    title: part === 1 ? title : `${title} (${part})`,
    descriptionHtml: descriptionHtml(category, language),
    productType: productTypes[language],
    image: isLink(image) ? image : null,
    isSelling,
    variants: withOptionValues(members, language).map(({ reference, duration, band }) => ({
      referenceId: reference.referenceId,
      priceMinor: reference.priceMinor,
      duration,
      band,
      taxable,
      onSale: reference.onSale,
    })),
  }));
}

/** The handle of a category's product: the same in every run, so that a lost response never creates a second product. */
export function handleOf(categoryId: string, environment: string, part: number): string {
  const key = categoryKey(categoryId).replaceAll("_", "-");
  return [
    "parasol",
    key,
    ...(environment === "production" ? [] : [environment]),
    ...(part === 1 ? [] : [part]),
  ].join("-");
}

function distributeToParts(
  references: readonly ReferenceOnSale[],
  parts: ReadonlyMap<string, number>,
): Map<number, ReferenceOnSale[]> {
  const members = new Map<number, ReferenceOnSale[]>();
  const put = (part: number, reference: ReferenceOnSale): void => {
    const list = members.get(part);
    if (list) list.push(reference);
    else members.set(part, [reference]);
  };
  const sorted = [...references].sort(byTermAndBand);
  const fresh: ReferenceOnSale[] = [];
  for (const reference of sorted) {
    const part = parts.get(reference.referenceId);
    if (part === undefined) fresh.push(reference);
    else put(part, reference);
  }
  let part = 1;
  for (const reference of fresh) {
    while ((members.get(part)?.length ?? 0) >= MAX_VARIANTS) part += 1;
    put(part, reference);
  }
  for (const list of members.values()) list.sort(byTermAndBand);
  return new Map([...members].sort(([a], [b]) => a - b));
}

function byTermAndBand(a: Reference, b: Reference): number {
  return (
    a.termMonths - b.termMonths || a.bandMinMinor - b.bandMinMinor || (a.referenceId < b.referenceId ? -1 : 1)
  );
}
