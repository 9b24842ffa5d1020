/** The building blocks of the resources' schemas: how each kind of field of the insurer is read. */
import { z } from "zod";
import { toStoredMinorUnits } from "#app/platform/money.ts";
import { cutText } from "#app/platform/storable-text.ts";

const MAX_ID_LENGTH = 255;
/** Longer texts are cut: they go into the storefront, into every page of it. */
const MAX_TEXT_LENGTH = 5_000;
/** The insurer's text is of any length; no date and no duration is longer than this. */
const MAX_PARSED_LENGTH = 40;

/** An identifier. Ids are strings inside, also where the insurer declares or sends an integer. */
export const id = z.union([z.string().min(1).max(MAX_ID_LENGTH), z.int().transform(String)]);

/** An id as one segment of a path: encoded, and never one that would lead the request to another path. */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError("An empty or dotted id cannot be part of a path");
  return encodeURIComponent(id);
}

/** Presentation text: missing and null read as "", so that a poor text never hides an offer. */
export const text = z
  .string()
  .nullish()
  .transform((value) => cutText(value ?? "", MAX_TEXT_LENGTH));

/** Text that may be missing: null then. */
export const textOrNull = z
  .string()
  .nullish()
  .transform((value) => (value == null ? null : cutText(value, MAX_TEXT_LENGTH)));

/** A field that may be missing: null then. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

/** ISO 4217 code, e.g. EUR, in any letter case. */
export const currencyCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, "not a currency code");

/** A closed list of words, in any letter case. */
export function word<const T extends readonly string[]>(words: T) {
  return z.string().trim().toLowerCase().pipe(z.enum(words));
}

/** An amount in integer cents, as a JSON number or as digits. */
export const cents = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/, "not an amount in cents")
    .transform(Number),
]);

/** An amount in currency units, as a JSON number or as decimal text; convert with `minorUnits`. */
export const amount = z.union([
  z.number(),
  // A comma before one or two digits is a decimal comma: three may be thousands.
  z
    .string()
    .regex(/^-?\d+(?:\.\d+|,\d{1,2})?$/, "not an amount")
    .transform((text) => text.replace(",", ".")),
]);

/** How an offer is billed (spec, Offer): `monthly`, or `annually`, which is billed once. */
export const billing = word(["monthly", "annually"]);
export type Billing = z.output<typeof billing>;

/**
 * For an object's transform: an amount in currency units as integer minor units; what cannot be converted becomes an
 * issue of that field.
 */
export function minorUnits(
  value: number | string,
  currency: string,
  field: string,
  context: z.RefinementCtx,
): number {
  try {
    return toStoredMinorUnits(value, currency);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({ code: "custom", path: [field], message: error.message });
    return z.NEVER;
  }
}

const DAY = /^(\d{4})([-/])(\d{2})\2(\d{2})$/;
const FRENCH_DAY = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;
const MOMENT = /^([\d/.-]+)(?:[T ] *(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)? *(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A date of the insurer (spec, "Gaps": the format is not shown, samples use day/month/year) as ISO 8601:
 * a day stays a day (`2026-03-31`), a moment becomes a UTC instant (`2026-03-31T10:00:00.000Z`; a time without zone is
 * read as UTC). Null when it is neither, or no such day exists.
 */
export function parseDate(text: string): string | null {
  if (text.length > MAX_PARSED_LENGTH) return null;
  const [, day = "", time, seconds = ":00", zone = "Z"] = MOMENT.exec(text.trim()) ?? [];
  const iso = isoDay(day);
  if (iso === null || time === undefined) return iso;
  const offset = zone === "UTC" ? "Z" : zone.replace(/(\d{2})(\d{2})$/, "$1:$2");
  const instant = new Date(`${iso}T${time}${seconds}${offset}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

function isoDay(text: string): string | null {
  const iso = DAY.exec(text);
  const french = FRENCH_DAY.exec(text);
  const [year, month, day] = iso ? [iso[1], iso[3], iso[4]] : french ? [french[4], french[3], french[1]] : [];
  if (year === undefined || month === undefined || day === undefined) return null;
  // Date.UTC rolls 31 February over to March: then it was no date. (Formatting a Date would cost ten times as much.)
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (rolled.getUTCMonth() !== Number(month) - 1) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Seconds or milliseconds since 1970 that lie between 2001 and 2100; smaller numbers are no dates. */
function parseDateOrEpoch(value: string | number): string | null {
  if (typeof value === "string") return parseDate(value);
  const epochMs = value < 1e11 ? value * 1_000 : value;
  return epochMs >= 1e12 && epochMs < 4.1e12 ? new Date(epochMs).toISOString() : null;
}

/** A date field that may be missing or unreadable: null then. */
export const dateOrNull = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null ? null : parseDateOrEpoch(value)));

/** A required date field, see parseDate. */
export const date = z.union([z.string(), z.number()]).transform((value, context) => {
  const iso = parseDateOrEpoch(value);
  if (iso !== null) return iso;
  context.addIssue({ code: "custom", message: "not a date (day/month/year or ISO 8601)" });
  return z.NEVER;
});

/** Without accents, in French, English, German, Spanish, Italian, Dutch and Portuguese. */
const MONTHS_PER_UNIT: [RegExp, number][] = [
  [/^(?:mois|months?|mths?|m|monate?n?|mes(?:es)?|mes[ei]|maand(?:en)?)$/i, 1],
  [/^(?:ans?|annees?|years?|yrs?|y|jahre?n?|anos?|ann[oi]|jaar|jaren)$/i, 12],
];

/** Months in a human-readable duration ("24 mois", "1 an", "3 years", "12"), or null when it is not one. */
export function parseTerm(text: string): number | null {
  if (text.length > MAX_PARSED_LENGTH) return null;
  const parts = /^(\d{1,3})[\s-]*([\p{L}]*)\.?(?:\(s\))?$/u.exec(
    text.trim().normalize("NFD").replace(/\p{M}/gu, ""),
  );
  const count = Number(parts?.[1] ?? "0");
  const unit = parts?.[2] ?? "";
  if (count === 0) return null;
  // A bare number is months: that is what the plan's term_length is declared as.
  if (unit === "") return count;
  const months = MONTHS_PER_UNIT.find(([name]) => name.test(unit))?.[1];
  return months === undefined ? null : count * months;
}

/** A term given as text or as a number of months, as months. */
export const termMonths = z.union([z.string(), z.int()]).transform((value, context) => {
  const months = parseTerm(String(value));
  if (months !== null) return months;
  context.addIssue({ code: "custom", message: "not a duration in months or years" });
  return z.NEVER;
});

/** What a plan's status says. The spec names two and shows no others, so any other is `unclear`. */
export function planStanding(status: string): "active" | "cancelled" | "unclear" {
  const word = status.trim().toLowerCase();
  return word === "active" || word === "cancelled" ? word : "unclear";
}
