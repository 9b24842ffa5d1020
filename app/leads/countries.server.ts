import { getCountries } from "libphonenumber-js";
import type { Locale } from "#app/platform/locale.ts";

/** Options of a country field, by name. Named on the server, because browsers name some countries differently. */
export function countryOptions(locale: Locale): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return getCountries()
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}
