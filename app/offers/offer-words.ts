/** An offer's term and price in one line, for customers' pages and mails. */
import type { Billing } from "#app/insurance/fields.ts";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { priceText, termText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";

export interface ShownOffer {
  /** the set of guarantees; null if there is only one */
  formula: string | null;
  months: number;
  priceMinor: number;
  billing: Billing;
}

/** "24 months: €58.90, paid once" */
export function offerLine(
  { formula, months, priceMinor, billing }: ShownOffer,
  currency: string,
  language: Language,
): string {
  const line = textsOf(language, "common")(billing === "monthly" ? "offer.monthly" : "offer.once", {
    months: termText(months, language),
    price: priceText(priceMinor, currency, language),
    total: priceText(priceMinor * months, currency, language),
  });
  return formula === null ? line : `${formula}, ${line}`;
}
