/**
 * Formats money, numbers and times in the admin's language and the shop's time zone. Server and browser may use
 * different spaces and separators in dates; both are normalised to the same text.
 */
import { minorDigits } from "../../extensions/currency-digits.ts";
import type { Locale } from "#app/platform/locale.ts";

export interface Formats {
  /** Minor units (1290) as "12,90 €". */
  money: (minor: number, currency: string) => string;
  number: (value: number) => string;
  /** A share between 0 and 1 as "12.5%". */
  percent: (share: number) => string;
  /** A moment as its day in the shop's time zone; a day (`2026-03-31`) stays the same day. */
  date: (value: Date | string) => string;
  /** A month (`2026-03`) as "March 2026". */
  month: (value: string) => string;
  /** A moment's time of day in the shop's time zone. */
  time: (value: Date | string) => string;
  /** A moment in the shop's time zone. */
  dateTime: (value: Date | string) => string;
}

const isDay = /^\d{4}-\d{2}-\d{2}$/;

/** Creates each format at its first use: creating one costs more than a hundred uses. */
export function formatsFor(locale: Locale, timezone: string): Formats {
  const language = locale === "fr" ? "fr-FR" : "en-GB";
  const currencies = new Map<string, { format: Intl.NumberFormat; minorUnits: number }>();
  const dates = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(language, options));
  const number = once(() => new Intl.NumberFormat(language));
  const percent = once(() => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }));
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  const dayInShop = dates({ ...day, timeZone: timezone });
  const plainDay = dates({ ...day, timeZone: "UTC" });
  const plainMonth = dates({ month: "short", year: "numeric", timeZone: "UTC" });
  const time = dates({ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: timezone });
  const date = (value: Date | string) =>
    typeof value === "string" && isDay.test(value)
      ? plainDay().format(new Date(value))
      : dayInShop().format(new Date(value));
  return {
    money: (minor, currency) => {
      let known = currencies.get(currency);
      if (!known) {
        const digits = minorDigits(currency);
        const format = new Intl.NumberFormat(language, {
          style: "currency",
          currency,
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
        known = { format, minorUnits: 10 ** digits };
        currencies.set(currency, known);
      }
      // For display only: a double is exact enough for the division, and the format rounds to cents.
      return known.format.format(minor / known.minorUnits);
    },
    number: (value) => number().format(value),
    percent: (share) => percent().format(share),
    date,
    month: (value) => plainMonth().format(new Date(`${value}-01`)),
    time: (value) => time().format(new Date(value)),
    dateTime: (value) => `${date(value)} ${time().format(new Date(value))}`,
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
