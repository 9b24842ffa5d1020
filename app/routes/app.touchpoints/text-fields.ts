import { languageNames, readLanguage } from "#app/platform/locale.ts";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";

/** The merchant's own texts in the order of the form, with the most characters of each. */
export const textFields = [
  ["headline", 500],
  ["link", 500],
  ["buy", 500],
  ["decline", 500],
  ["modal_headline", 500],
  ["bullets_heading", 500],
  ["modal_link", 500],
  ["cart_heading", 500],
  ["cart_button", 500],
  ["consent", 2_000],
  ["legal", 2_000],
] as const satisfies [keyof StorefrontTexts, number][];

export const languageName = (code: string): string => {
  const language = readLanguage(code);
  return language === null ? code : languageNames[language];
};
