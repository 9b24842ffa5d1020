import { z } from "zod";

const MONTHS_PER_UNIT: [RegExp, number][] = [
  [/^(?:mois|months?|mths?|m)$/i, 1],
  [/^(?:ans?|annees?|années?|years?|yrs?|y)$/i, 12],
];

/** The service's text is of any length; no duration is longer than this. */
const MAX_LENGTH = 40;

/** Months in a human-readable duration ("24 mois", "1 an", "3 years", "12"), or null when it is not one. */
export function parseTerm(text: string): number | null {
  if (text.length > MAX_LENGTH) return null;
  const parts = /^(\d{1,3})[\s-]*([\p{L}]*)\.?(?:\(s\))?$/u.exec(text.trim().normalize("NFC"));
  const amount = Number(parts?.[1] ?? "0");
  const unit = parts?.[2] ?? "";
  if (amount === 0) return null;
  // A bare number is months: that is what the plan's term_length is declared as.
  if (unit === "") return amount;
  const months = MONTHS_PER_UNIT.find(([name]) => name.test(unit))?.[1];
  return months === undefined ? null : amount * months;
}

/** A term given as text or as a number of months, as months. */
export const termMonths = z.union([z.string(), z.int()]).transform((value, context) => {
  const months = parseTerm(String(value));
  if (months !== null) return months;
  context.addIssue({ code: "custom", message: "not a duration in months or years" });
  return z.NEVER;
});
