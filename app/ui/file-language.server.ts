import type { FileLanguage } from "#app/platform/csv.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import * as files from "./locales/files.ts";

/** How files are written for a merchant who reads this language. */
export function fileLanguage(locale: Locale, timezone: string): FileLanguage {
  return { locale, timezone, ...files[locale] };
}
