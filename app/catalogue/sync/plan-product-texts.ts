/** The texts of plan products: title, description, option names and option values. */
import { isLink } from "#app/catalogue/references/reference.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";
import type { Category } from "#app/insurance/category.ts";
import { escapeHtml } from "#app/platform/html.ts";
import { toCurrencyUnits } from "#app/platform/money.ts";
import type { ReferenceOnSale } from "./plan-products.ts";
import { cutText } from "#app/platform/storable-text.ts";

export type Language = "en" | "fr";

/** The options of a plan product, in their order. */
export const optionNames: Record<Language, { duration: string; band: string }> = {
  en: { duration: "Duration", band: "Product price" },
  fr: { duration: "Durée", band: "Prix du produit" },
};

export const productTypes: Record<Language, string> = { en: "Insurance", fr: "Assurance" };

const linkTexts: Record<Language, { conditions: string; ipid: string }> = {
  en: { conditions: "General conditions", ipid: "Insurance product information document (IPID)" },
  fr: { conditions: "Conditions générales", ipid: "Document d’information (IPID)" },
};

/** For people and for agents that read the shop's catalogue: what holds for every sale of a plan. */
const duties: Record<Language, string> = {
  en: "This insurance is optional and sold only with the product that it covers: one per piece, of the band that holds the product’s price. The buyer agrees to it after having seen its price, the general conditions and the information document.",
  fr: "Cette assurance est facultative et vendue uniquement avec l’article qu’elle couvre : une par article, de la tranche où se trouve son prix. L’acheteur y consent après avoir vu son prix, les conditions générales et le document d’information.",
};

/** Carts and receipts show it beside the plan's own price: it says whose price it is. */
const bands: Record<Language, { closed: [string, string]; open: string }> = {
  en: { closed: ["product of", "to"], open: "product from" },
  fr: { closed: ["produit de", "à"], open: "produit dès" },
};

/** Option values, unique as a pair: where two references share theirs, or one is withdrawn, the reference is added. */
export function withOptionValues(
  references: readonly ReferenceOnSale[],
  language: Language,
): { reference: ReferenceOnSale; duration: string; band: string }[] {
  const taken = new Set<string>();
  return references.map((reference) => {
    const duration = cutText(reference.termLength.trim(), 100) || String(reference.termMonths);
    let band = bandLabel(reference, language);
    const pair = () => `${duration}|${band}`.toLowerCase();
    if (!reference.onSale || taken.has(pair())) band = cutText(`${band} · ${reference.referenceId}`, 255);
    taken.add(pair());
    return { reference, duration, band };
  });
}

/** Making a format takes far longer than formatting, and a catalogue has thousands of references. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, language: Language): Intl.NumberFormat {
  const key = `${language} ${currency}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { style: "currency", currency });
    formats.set(key, format);
  }
  return format;
}

/** `produit de 100,00 € à 199,99 €` */
export function bandLabel(
  { bandMinMinor, bandMaxMinor, currency }: Pick<Reference, "bandMinMinor" | "bandMaxMinor" | "currency">,
  language: Language,
): string {
  const { closed, open } = bands[language];
  const [of, to] = closed;
  const money = (minor: number) => formatOf(currency, language).format(toCurrencyUnits(minor, currency));
  const label =
    bandMaxMinor >= 100_000_000
      ? `${open} ${money(bandMinMinor)}`
      : `${of} ${money(bandMinMinor)} ${to} ${money(bandMaxMinor)}`;
  // Option values are compared and typed: plain spaces only.
  return label.replace(/\s/gu, " ");
}

/** What the titles of all its offers begin with; the category's name where they have nothing in common. */
export function productTitle(category: Category, references: readonly Reference[]): string {
  const [first, ...others] = references
    .filter(({ title }) => title !== "")
    .map(({ title }) => title.split(/\s+/));
  let shared = first ?? [];
  for (const words of others) {
    const end = shared.findIndex((word, index) => word !== words[index]);
    if (end >= 0) shared = shared.slice(0, end);
  }
  const title = shared.join(" ").replace(/[\s,;:(–-]+$/u, "");
  return cutText(title.length >= 8 ? title : category.id, 250);
}

/** Marketing texts are plain text from outside: every character of them is escaped. */
export function descriptionHtml(
  { marketing_data: { modal }, legal_documents: legal }: Category,
  language: Language,
): string {
  const texts = linkTexts[language];
  const links: [string, string][] = [
    [legal.cg_url, texts.conditions],
    [legal.ipid_url, texts.ipid],
  ];
  return [
    modal.headline && `<p><strong>${escapeHtml(modal.headline)}</strong></p>`,
    modal.coverage_bullets_heading && `<p>${escapeHtml(modal.coverage_bullets_heading)}</p>`,
    modal.bullet_points.length > 0 &&
      `<ul>${modal.bullet_points.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`,
    modal.legal_text && `<p>${escapeHtml(modal.legal_text)}</p>`,
    `<p>${duties[language]}</p>`,
    ...links.map(([url, text]) => isLink(url) && `<p><a href="${escapeHtml(url)}">${text}</a></p>`),
  ]
    .filter((part) => part !== false)
    .join("");
}
