/** The languages of the admin. */
export const locales = ["en", "fr"] as const;
export type Locale = (typeof locales)[number];

/** The admin's language for a BCP 47 tag (`fr-CA` → `fr`); null where there is none. */
export function readLocale(tag: string | null): Locale | null {
  const language = tag?.toLowerCase().split(/[-_]/)[0];
  return locales.find((locale) => locale === language) ?? null;
}
