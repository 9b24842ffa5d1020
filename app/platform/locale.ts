/** The languages for shoppers and customers, each with its own name. The admin has two of them. */
export const languageNames = {
  en: "English",
  fr: "Français",
  de: "Deutsch",
  es: "Español",
  it: "Italiano",
  nl: "Nederlands",
  pt: "Português",
} as const;
export type Language = keyof typeof languageNames;
export const languages = ["en", "fr", "de", "es", "it", "nl", "pt"] as const satisfies Language[];

/** The language of a BCP 47 tag (`pt-BR` → `pt`); null if Parasol does not support it. */
export function readLanguage(tag: string | null): Language | null {
  const code = tag?.toLowerCase().split(/[-_]/)[0];
  return languages.find((language) => language === code) ?? null;
}

/** The languages of the admin. */
export const locales = ["en", "fr"] as const;
export type Locale = (typeof locales)[number];

/** The admin's language for a BCP 47 tag (`fr-CA` → `fr`); null if it has none. */
export function readLocale(tag: string | null): Locale | null {
  const language = tag?.toLowerCase().split(/[-_]/)[0];
  return locales.find((locale) => locale === language) ?? null;
}
