/** The expected plan products of the shop, with their variants. */
import { sharedWords } from "#app/catalogue/references/formula.ts";
import { type Reference } from "#app/catalogue/references/reference.ts";
import { isLink } from "#app/platform/web-address.ts";
import { textsOf } from "#app/locales/customers/index.server.ts";
import type { Category } from "#app/insurance/categories.ts";
import { escapeHtml } from "#app/platform/escape-html.ts";
import { type Language, languages } from "#app/platform/locale.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { categoryKey } from "./compact-catalogue.ts";

/** The tag by which the app finds its products. Merchants use it to exclude them from automatic collections. */
export const PLAN_TAG = "parasol-insurance";

/** The currency of a shop's plan products, and the language in which new ones are written. */
export interface ShopLocale {
  currency: string;
  language: Language;
}

export interface WantedVariant {
  referenceId: string;
  priceMinor: number;
  termMonths: number;
  /** the name of a new variant: `24 months` */
  termName: string;
  /** the formula name; null if the category has only one formula */
  formula: string | null;
  taxable: boolean;
  /** false: it cannot be bought, and stays because carts and orders may contain it */
  onSale: boolean;
}

export interface WantedProduct {
  categoryId: string;
  /** 1, 2, …: roughly one for each price band, so that a variant's name is only its term and formula */
  part: number;
  handle: string;
  /** written once, when the product is created */
  texts: {
    title: string;
    descriptionHtml: string;
    productType: string;
    /** the insurer, whose premium it is; empty: its name is not known, and Shopify takes the shop's */
    vendor: string;
    optionName: string;
    formulaOptionName: string;
    /** address of the picture */
    image: string;
  };
  /** false: the shop does not sell insurance now */
  isSelling: boolean;
  variants: WantedVariant[];
}

export interface PlanProductOptions {
  environment: string;
  isSelling: boolean;
  /** address of the products' picture */
  image: string;
  /** the insurer's name; empty: not known */
  insurer: string;
  language: Language;
  taxable: boolean;
}

/** A reference that is sold, or retired and kept for carts and orders. */
export interface ReferenceOnSale extends Reference {
  onSale: boolean;
  /** the formula name; null if the category has only one formula */
  formula: string | null;
}

/**
 * The expected products of one category.
 * @param references those to sell, and the retired ones that the shop has
 * @param parts the current part of each reference: it never moves, because carts and orders contain its variant id
 */
export function wantedProducts(
  category: Category,
  references: readonly ReferenceOnSale[],
  parts: ReadonlyMap<string, number>,
  { environment, isSelling, image, insurer, language, taxable }: PlanProductOptions,
): WantedProduct[] {
  const t = textsOf(language, "planProduct");
  const texts = {
    title: productTitle(category, references),
    descriptionHtml: descriptionHtml(category, language),
    productType: t("type"),
    vendor: insurer,
    optionName: t("term"),
    formulaOptionName: t("formula"),
    image,
  };
  return [...distributeToParts(references, parts)].map(([part, members]) => ({
    categoryId: category.id,
    part,
    handle: handleOf(category.id, environment, part),
    texts,
    isSelling,
    variants: members.map(({ referenceId, priceMinor, termMonths, formula, onSale }) => ({
      referenceId,
      priceMinor,
      termMonths,
      termName: termName(termMonths, language),
      formula,
      taxable,
      onSale,
    })),
  }));
}

/**
 * The handle of a category's product. It is the same in every run, so a lost response never creates a second product.
 */
export function handleOf(categoryId: string, environment: string, part: number): string {
  const key = categoryKey(categoryId).replaceAll("_", "-");
  return [
    "parasol",
    key,
    ...(environment === "production" ? [] : [environment]),
    ...(part === 1 ? [] : [part]),
  ].join("-");
}

/**
 * Distributes references so that two of the same formula and term never share a product. The lowest band goes into
 * the first product, the next band into the second.
 */
function distributeToParts(
  references: readonly ReferenceOnSale[],
  parts: ReadonlyMap<string, number>,
): Map<number, ReferenceOnSale[]> {
  const members = new Map<number, ReferenceOnSale[]>();
  const taken = new Set<string>();
  const put = (part: number, reference: ReferenceOnSale): void => {
    const list = members.get(part);
    if (list) list.push(reference);
    else members.set(part, [reference]);
    taken.add(`${part} ${groupOf(reference)}`);
  };
  const newReferences: ReferenceOnSale[] = [];
  for (const reference of [...references].sort(byTermAndBand)) {
    const part = parts.get(reference.referenceId);
    if (part === undefined) newReferences.push(reference);
    else put(part, reference);
  }
  const nextParts = new Map<string, number>();
  for (const reference of newReferences) {
    const group = groupOf(reference);
    let part = nextParts.get(group) ?? 1;
    while (taken.has(`${part} ${group}`)) part += 1;
    put(part, reference);
    nextParts.set(group, part + 1);
  }
  for (const list of members.values()) list.sort(byTermAndBand);
  return new Map([...members].sort(([a], [b]) => a - b));
}

const groupOf = ({ termMonths, formula }: ReferenceOnSale): string => `${termMonths} ${formula ?? ""}`;

function byTermAndBand(a: Reference, b: Reference): number {
  return (
    a.termMonths - b.termMonths || a.bandMinMinor - b.bandMinMinor || (a.referenceId < b.referenceId ? -1 : 1)
  );
}

// The texts of plan products: title, description, option names and option values.

/** Creating a format takes far longer than formatting, and a catalogue has thousands of references. */
const monthFormats = new Map<Language, Intl.NumberFormat>();

/** The name of a variant: only its term, `24 months`. */
export function termName(months: number, language: Language): string {
  let format = monthFormats.get(language);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { style: "unit", unit: "month", unitDisplay: "long" });
    monthFormats.set(language, format);
  }
  // Option values are compared and typed, so they contain plain spaces only.
  return format.format(months).replace(/\s/gu, " ");
}

/** Whether a variant's name, in any language, is another term: the insurer has changed the reference's term. */
export function namesAnotherTerm(name: string, months: number): boolean {
  const [label = ""] = name.split(" · ");
  const named = Number.parseInt(label, 10);
  return named > 0 && named !== months && languages.some((language) => termName(named, language) === label);
}

/** The common beginning of the offers' titles, or the category's name if they have none. */
export function productTitle(category: Category, references: readonly Reference[]): string {
  const title = sharedWords(references.map(({ title: own }) => own));
  return cutText(title.length >= 8 ? title : category.id, 250);
}

/** Marketing texts are external plain text, so every character is escaped. */
export function descriptionHtml({ marketing: { modal }, legal }: Category, language: Language): string {
  const t = textsOf(language, "planProduct");
  const links: [string, string][] = [
    [legal.conditionsUrl, textsOf(language, "common")("conditions")],
    [legal.ipidUrl, t("ipid")],
  ];
  return [
    modal.headline && `<p><strong>${escapeHtml(modal.headline)}</strong></p>`,
    modal.bulletsHeading && `<p>${escapeHtml(modal.bulletsHeading)}</p>`,
    modal.bulletPoints.length > 0 &&
      `<ul>${modal.bulletPoints.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`,
    modal.legalText && `<p>${escapeHtml(modal.legalText)}</p>`,
    `<p>${t("duties")}</p>`,
    ...links.map(([url, text]) => isLink(url) && `<p><a href="${escapeHtml(url)}">${text}</a></p>`),
  ]
    .filter((part) => part !== false)
    .join("");
}
