/** Formats amounts, terms and days for customers, on pages and in mails, in their language. */
import type { Language } from "./locale.ts";
import { minorDigits } from "../../extensions/currency-digits.ts";
import { toCurrencyUnits } from "./money.ts";

export const termText = (months: number, language: Language): string =>
  new Intl.NumberFormat(language, { style: "unit", unit: "month", unitDisplay: "long" }).format(months);

export const priceText = (minor: number, currency: string, language: Language): string => {
  const digits = minorDigits(currency);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(toCurrencyUnits(minor, currency));
};

/** @param day YYYY-MM-DD; a time after it is ignored */
export const dayText = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(day.slice(0, 10)),
  );
