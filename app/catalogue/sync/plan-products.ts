/**
 * How the catalogue should stand in the shop: which products, which variants, with which texts.
 */
import type { Category } from "#app/insurance/category.ts";
import { minorDigits, toCurrencyUnits } from "#app/platform/money.ts";
import { categoryKey } from "./compact-catalogue.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";

/** The tag by which the app finds its products; merchants use it to keep them out of automatic collections. */
export const PLAN_TAG = "parasol-insurance";
/** The platform's limit of variants per product. */
export const MAX_VARIANTS = 2_048;

export type Language = "en" | "fr";

/** The options of a plan product, in their order. */
export const optionNames: Record<Language, { duration: string; band: string }> = {
  en: { duration: "Duration", band: "Product price" },
  fr: { duration: "Durée", band: "Prix du produit" },
};
const productTypes: Record<Language, string> = { en: "Insurance", fr: "Assurance" };
const linkTexts: Record<Language, { conditions: string; ipid: string }> = {
  en: { conditions: "General conditions", ipid: "Insurance product information document (IPID)" },
  fr: { conditions: "Conditions générales", ipid: "Document d’information (IPID)" },
};
const openEnded: Record<Language, string> = { en: "from", fr: "dès" };

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
  variants: WantedVariant[];
}

export interface PlanProductOptions {
  environment: string;
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
  { environment, language, taxable }: PlanProductOptions,
): WantedProduct[] {
  const title = titleOf(category, references);
  const image = category.marketing_data.modal.image;
  return [...distribute(references, parts)].map(([part, members]) => ({
    categoryId: category.id,
    part,
    handle: handleOf(category.id, environment, part),
    title: part === 1 ? title : `${title} (${part})`,
    descriptionHtml: describe(category, language),
    productType: productTypes[language],
    image: isLink(image) ? image : null,
    variants: labelled(members, language).map(({ reference, duration, band }) => ({
      referenceId: reference.referenceId,
      priceMinor: reference.priceMinor,
      duration,
      band,
      taxable,
      onSale: reference.onSale,
    })),
  }));
}

/** The handle of a category's product: the same in every run, so that a lost answer never makes a second product. */
export function handleOf(categoryId: string, environment: string, part: number): string {
  const key = categoryKey(categoryId).replaceAll("_", "-");
  return [
    "parasol",
    key,
    ...(environment === "production" ? [] : [environment]),
    ...(part === 1 ? [] : [part]),
  ].join("-");
}

function distribute(
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

/** Option values, unique as a pair: where two references share theirs, or one is withdrawn, the reference is added. */
function labelled(
  references: readonly ReferenceOnSale[],
  language: Language,
): { reference: ReferenceOnSale; duration: string; band: string }[] {
  const taken = new Set<string>();
  const onSaleFirst = [...references].sort((a, b) => Number(b.onSale) - Number(a.onSale));
  const labels = new Map<string, { duration: string; band: string }>();
  for (const reference of onSaleFirst) {
    const duration = reference.termLength.trim().slice(0, 100) || String(reference.termMonths);
    let band = bandLabel(reference, language);
    const pair = () => `${duration}|${band}`.toLowerCase();
    if (!reference.onSale || taken.has(pair())) band = `${band} · ${reference.referenceId}`.slice(0, 255);
    taken.add(pair());
    labels.set(reference.referenceId, { duration, band });
  }
  return references.flatMap((reference) => {
    const label = labels.get(reference.referenceId);
    return label ? [{ reference, ...label }] : [];
  });
}

/** `100,00 – 199,99 €` */
export function bandLabel(
  { bandMinMinor, bandMaxMinor, currency }: Pick<Reference, "bandMinMinor" | "bandMaxMinor" | "currency">,
  language: Language,
): string {
  const digits = minorDigits(currency);
  const plain = new Intl.NumberFormat(language, { minimumFractionDigits: digits });
  const money = new Intl.NumberFormat(language, { style: "currency", currency });
  const label =
    bandMaxMinor >= 100_000_000
      ? `${openEnded[language]} ${money.format(toCurrencyUnits(bandMinMinor, currency))}`
      : `${plain.format(toCurrencyUnits(bandMinMinor, currency))} – ${money.format(toCurrencyUnits(bandMaxMinor, currency))}`;
  // Option values are compared and typed: plain spaces only.
  return label.replace(/\s/gu, " ");
}

/** What the titles of all its offers begin with; the category's name where they have nothing in common. */
function titleOf(category: Category, references: readonly Reference[]): string {
  const [first, ...others] = references
    .filter(({ title }) => title !== "")
    .map(({ title }) => title.split(/\s+/));
  let shared = first ?? [];
  for (const words of others) {
    const end = shared.findIndex((word, index) => word !== words[index]);
    if (end >= 0) shared = shared.slice(0, end);
  }
  const title = shared.join(" ").replace(/[\s,;:(–-]+$/u, "");
  return (title.length >= 8 ? title : category.id).slice(0, 250);
}

/** Marketing texts are plain text from outside: every character of them is escaped. */
function describe(
  { marketing_data: { modal }, legal_documents: legal }: Category,
  language: Language,
): string {
  const texts = linkTexts[language];
  const links: [string, string][] = [
    [legal.cg_url, texts.conditions],
    [legal.ipid_url, texts.ipid],
  ];
  return [
    modal.headline && `<p><strong>${escape(modal.headline)}</strong></p>`,
    modal.coverage_bullets_heading && `<p>${escape(modal.coverage_bullets_heading)}</p>`,
    modal.bullet_points.length > 0 &&
      `<ul>${modal.bullet_points.map((text) => `<li>${escape(text)}</li>`).join("")}</ul>`,
    modal.legal_text && `<p>${escape(modal.legal_text)}</p>`,
    ...links.map(([url, text]) => isLink(url) && `<p><a href="${escape(url)}">${text}</a></p>`),
  ]
    .filter((part) => part !== false && part !== "")
    .join("");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
