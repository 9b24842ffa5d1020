import { getCountries } from "libphonenumber-js";
import type { Locale } from "#app/platform/locale.ts";

export interface CountryOption {
  /** ISO 3166-1 alpha-2 */
  value: string;
  label: string;
}

/** Options of a country field, by name. Named on the server, because browsers name some countries differently. */
export function countryOptions(locale: Locale): CountryOption[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return getCountries()
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}
