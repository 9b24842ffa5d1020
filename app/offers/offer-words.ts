/** Pure: an offer's term, price and documents on the pages that customers open by a link. */
import type { Billing } from "#app/insurance/fields.ts";
import { escapeHtml } from "#app/platform/customer-page.ts";
import type { Language } from "#app/platform/locale.ts";
import { toCurrencyUnits } from "#app/platform/money.ts";

export interface ShownOffer {
  /** the set of guarantees; null where there is one alone */
  formula: string | null;
  months: number;
  priceMinor: number;
  billing: Billing;
}

/** `{months}` and `{price}`; of a monthly offer `{total}` too. */
const words: Record<Language, Record<"once" | "monthly" | "conditions" | "ipid", string>> = {
  en: {
    once: "{months}: {price}, paid once",
    monthly: "{months}: {price} per month, {total} in all",
    conditions: "General conditions",
    ipid: "Product information (IPID)",
  },
  fr: {
    once: "{months}\u00A0: {price}, payé une fois",
    monthly: "{months}\u00A0: {price} par mois, {total} au total",
    conditions: "Conditions générales",
    ipid: "Document d’information (IPID)",
  },
  de: {
    once: "{months}: {price}, einmalig",
    monthly: "{months}: {price} pro Monat, insgesamt {total}",
    conditions: "Versicherungsbedingungen",
    ipid: "Informationsblatt (IPID)",
  },
  es: {
    once: "{months}: {price}, un solo pago",
    monthly: "{months}: {price} al mes, {total} en total",
    conditions: "Condiciones generales",
    ipid: "Documento de información (IPID)",
  },
  it: {
    once: "{months}: {price}, pagamento unico",
    monthly: "{months}: {price} al mese, {total} in tutto",
    conditions: "Condizioni generali",
    ipid: "Documento informativo (IPID)",
  },
  nl: {
    once: "{months}: {price}, eenmalig",
    monthly: "{months}: {price} per maand, {total} in totaal",
    conditions: "Algemene voorwaarden",
    ipid: "Verzekeringskaart (IPID)",
  },
  pt: {
    once: "{months}: {price}, pago uma vez",
    monthly: "{months}: {price} por mês, {total} no total",
    conditions: "Condições gerais",
    ipid: "Documento de informação (IPID)",
  },
};

/** "24 months: €58.90, paid once" */
export function offerLine(
  { formula, months, priceMinor, billing }: ShownOffer,
  currency: string,
  language: Language,
): string {
  const duration = new Intl.NumberFormat(language, { style: "unit", unit: "month", unitDisplay: "long" });
  const line = (billing === "monthly" ? words[language].monthly : words[language].once)
    .replace("{months}", duration.format(months))
    .replace("{price}", priceText(priceMinor, currency, language))
    .replace("{total}", priceText(priceMinor * months, currency, language));
  return formula === null ? line : `${formula}, ${line}`;
}

export const priceText = (minor: number, currency: string, language: Language): string =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(toCurrencyUnits(minor, currency));

/** HTML of the links to the legal documents. */
export const documentLinks = (
  { conditions, ipid }: { conditions: string; ipid: string },
  language: Language,
): string =>
  `<a href="${escapeHtml(conditions)}">${words[language].conditions}</a><br><a href="${escapeHtml(ipid)}">${words[language].ipid}</a>`;
