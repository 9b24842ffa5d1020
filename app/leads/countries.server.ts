import { getCountries } from "libphonenumber-js";
import type { Locale } from "#app/platform/locale.ts";

/** Countries by name, for a choice. Named here, because browsers name some of them otherwise. */
export function countriesFor(locale: Locale): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return getCountries()
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}
