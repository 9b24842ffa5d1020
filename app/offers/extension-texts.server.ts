/**
 * The theme extension's default texts. Shoppers read them if neither the merchant nor the category has a text. They
 * are imported from the extension, so that they exist only once.
 */
import german from "../../extensions/parasol-storefront/locales/de.json" with { type: "json" };
import english from "../../extensions/parasol-storefront/locales/en.default.json" with { type: "json" };
import spanish from "../../extensions/parasol-storefront/locales/es.json" with { type: "json" };
import french from "../../extensions/parasol-storefront/locales/fr.json" with { type: "json" };
import italian from "../../extensions/parasol-storefront/locales/it.json" with { type: "json" };
import dutch from "../../extensions/parasol-storefront/locales/nl.json" with { type: "json" };
import portuguese from "../../extensions/parasol-storefront/locales/pt-PT.json" with { type: "json" };
import type { Language } from "#app/platform/locale.ts";
import { insurerText, type StorefrontSettings, type StorefrontTexts } from "./storefront-settings.ts";

/** The merchant's texts for which the extension has a default. */
export type ExtensionTexts = Required<
  Pick<StorefrontTexts, "headline" | "link" | "buy" | "decline" | "consent" | "cart_heading" | "cart_button">
>;

const textsOf = ({ offer, cart }: Pick<typeof english, "offer" | "cart">): ExtensionTexts => ({
  headline: offer.headline,
  link: offer.more,
  buy: offer.buy,
  decline: offer.none,
  consent: offer.consent,
  cart_heading: cart.heading,
  cart_button: cart.add,
});

/**
 * By language. Shopify shows English in all other languages. Its two kinds of Portuguese have the same texts here.
 */
export const extensionTexts: Record<Language, ExtensionTexts> = {
  en: textsOf(english),
  fr: textsOf(french),
  de: textsOf(german),
  es: textsOf(spanish),
  it: textsOf(italian),
  nl: textsOf(dutch),
  pt: textsOf(portuguese),
};

const themeTexts = {
  en: english,
  fr: french,
  de: german,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

type OfferTexts = typeof english.offer;
type OfferTextName = {
  [Name in keyof OfferTexts]: OfferTexts[Name] extends string ? Name : never;
}[keyof OfferTexts];

/** The texts of an offer in the theme, with their values, for the offers on customers' pages. */
export const offerTextsOf =
  (language: Language) =>
  (name: OfferTextName, values: Record<string, string | number> = {}): string =>
    themeTexts[language].offer[name].replaceAll(/{{ (\w+) }}/g, (_, value: string) =>
      String(values[value] ?? ""),
    );

/** A sentence with a link after it. */
export interface LinkedSentence {
  before: string;
  label: string;
  to: string;
}

/** The insurer, the seller and the right to withdraw, as in the product page and the checkout. */
export function aboutInsurance(
  language: Language,
  {
    settings,
    registrationNumber,
    withdrawalDays,
    withdrawalPage,
  }: {
    settings: StorefrontSettings;
    registrationNumber: string;
    withdrawalDays: number;
    withdrawalPage: string;
  },
): (string | LinkedSentence)[] {
  const t = offerTextsOf(language);
  const insurer = insurerText(settings);
  return [
    ...(insurer === "" ? [] : [t("insured_by", { insurer })]),
    ...(settings.complaints === "" ? [] : [t("complaints", { contact: settings.complaints })]),
    t("double_cover"),
    {
      // 0 days: the legal text alone says how many.
      before: withdrawalDays === 0 ? "" : t("withdraw", { days: withdrawalDays }),
      label: themeTexts[language].withdrawal.link,
      to: `${withdrawalPage}?language=${language}`,
    },
    ...(registrationNumber === "" ? [] : [t("registration", { number: registrationNumber })]),
  ];
}
