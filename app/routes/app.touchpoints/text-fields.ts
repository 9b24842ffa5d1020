import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";

/** The merchant's own texts in the order of the form, with the most characters of each. */
export const textFields = [
  ["headline", 500],
  ["link", 500],
  ["buy", 500],
  ["decline", 500],
  ["modal_headline", 500],
  ["bullets_heading", 500],
  ["bullets", 2_000],
  ["modal_link", 500],
  ["cart_heading", 500],
  ["cart_button", 500],
  ["consent", 2_000],
  ["legal", 2_000],
] as const satisfies [keyof StorefrontTexts, number][];

/** The shop's languages that the form knows. */
export const languages = [
  ["fr", "Français"],
  ["en", "English"],
  ["de", "Deutsch"],
  ["es", "Español"],
  ["it", "Italiano"],
  ["nl", "Nederlands"],
  ["pt", "Português"],
] as const;

export const languageName = (code: string): string =>
  languages.find(([value]) => value === code)?.[1] ?? code;

/** A text as it is edited: what is covered has a line for each. */
export const textOf = (texts: StorefrontTexts, field: keyof StorefrontTexts): string =>
  field === "bullets" ? (texts.bullets ?? []).join("\n") : (texts[field] ?? "");
