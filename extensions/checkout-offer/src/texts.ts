/** The texts of an offer: the merchant's; else the category's in the buyer's language; else this extension's. */
import type { CheckoutCatalogue, CheckoutSettings } from "./data.ts";

export interface OfferTexts {
  headline: string;
  /** the insurer's name in a sentence; empty: not known */
  insuredBy: string;
  button: string;
  /** one line: it is optional, and how long the buyer may change their mind */
  law: string;
  /** what is covered, point by point; empty without points in the buyer's language */
  cover: string[];
  /** the insurer and the seller, as far as the merchant entered them */
  about: string[];
  /** the right to withdraw, and the link to its page; null: not known */
  withdrawal: { sentence: string; label: string; page: string } | null;
  /** the consent text, and its version */
  consent: string;
  consentVersion: string;
  legal: string;
  /** the language of the legal text, if it is not the buyer's; null: it is the buyer's, or no legal text exists */
  legalLanguage: string | null;
  /** the merchant's names of formulas in the buyer's language */
  formulas: Record<string, string>;
}

/**
 * @param language the buyer's, `fr` or `fr-CA`
 * @param ours this extension's text of that name
 */
export function offerTexts(
  {
    texts,
    language: insurerLanguage,
    insurer,
    insurer_address: address,
    complaints: contact,
    registration_number: number,
    withdrawal,
  }: CheckoutSettings,
  { texts: category, cover, names }: Pick<CheckoutCatalogue, "texts" | "cover" | "names">,
  language: string,
  ours: (name: string, values?: Record<string, string | number>) => string,
): OfferTexts {
  const [base = ""] = language.split("-");
  const own = texts[language] ?? texts[base] ?? {};
  const isInsurers = base === insurerLanguage;
  const legal = own.legal ?? category.legal;
  return {
    insuredBy: insurer === "" ? "" : ours("insured_by", { insurer }),
    law: [
      ours("optional"),
      // 0 days: the legal text alone says how many.
      ...(withdrawal === null || withdrawal.days === 0
        ? []
        : [ours("change_mind", { days: withdrawal.days })]),
    ].join(" · "),
    headline: own.headline ?? ((isInsurers && category.headline) || ours("headline")),
    button: own.cart_button ?? ((isInsurers && category.cart_button) || ours("add")),
    cover: cover[language] ?? cover[base] ?? [],
    about: [
      ...(insurer === ""
        ? []
        : [ours("insured_by", { insurer: address === "" ? insurer : `${insurer}, ${address}` })]),
      ...(contact === "" ? [] : [ours("complaints", { contact })]),
      ...(number === "" ? [] : [ours("registration", { number })]),
      ours("double_cover"),
    ],
    withdrawal: withdrawal && {
      // 0 days: the legal text alone says how many.
      sentence: withdrawal.days === 0 ? "" : ours("withdraw", { days: withdrawal.days }),
      label: ours("withdraw_link"),
      page: `${withdrawal.page}?language=${base}`,
    },
    consent: own.consent ?? ours("consent"),
    consentVersion: own.consent === undefined ? ours("consent_version") : (own.consent_version ?? "1"),
    legal,
    legalLanguage: own.legal === undefined && !isInsurers && legal !== "" ? insurerLanguage : null,
    formulas: names[language] ?? names[base] ?? {},
  };
}
