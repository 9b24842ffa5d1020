/** The words of an offer: the merchant's, else the category's where it is in the buyer's language, else this extension's. */
import type { CheckoutCatalogue, CheckoutSettings } from "./data.ts";

export interface OfferTexts {
  headline: string;
  button: string;
  /** what the buyer agrees to, and its version */
  consent: string;
  consentVersion: string;
  legal: string;
  /** the language of the legal text where that is another than the buyer's; null: it is the buyer's, or there is none */
  legalLanguage: string | null;
}

/**
 * @param language the buyer's, `fr` or `fr-CA`
 * @param ours this extension's text of that name
 */
export function offerTexts(
  { texts, language: serviceLanguage }: CheckoutSettings,
  category: CheckoutCatalogue["texts"],
  language: string,
  ours: (name: string) => string,
): OfferTexts {
  const [base = ""] = language.split("-");
  const own = texts[language] ?? texts[base] ?? {};
  const isServices = base === serviceLanguage;
  const legal = own.legal ?? category.legal;
  return {
    headline: own.headline ?? ((isServices && category.headline) || ours("headline")),
    button: own.cart_button ?? ((isServices && category.cart_button) || ours("add")),
    consent: own.consent ?? ours("consent"),
    consentVersion: own.consent === undefined ? ours("consent_version") : (own.consent_version ?? "1"),
    legal,
    legalLanguage: own.legal === undefined && !isServices && legal !== "" ? serviceLanguage : null,
  };
}
