/** The building blocks of the resources' schemas: how each kind of field of the insurer is read. */
import { z } from "zod";
import { toDecimalText, toStoredMinorUnits } from "#app/platform/money.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { readDay } from "./days.ts";
import { parseTerm } from "./terms.ts";

const MAX_ID_LENGTH = 255;
/** Longer texts are cut: they go into the storefront, into every page of it. */
const MAX_TEXT_LENGTH = 5_000;
/** The insurer's text is of any length; no date and no duration is longer than this. */
const MAX_PARSED_LENGTH = 40;

/** An identifier. Ids are strings inside, also where the insurer declares or sends an integer. */
export const id = z.union([z.string().min(1).max(MAX_ID_LENGTH), z.int().transform(String)]);

/** An empty or dotted segment would lead the request to another path. */
export const isPathSegment = (id: string): boolean => !/^\.{0,2}$/.test(id);

/** An id as one segment of a path, encoded. */
export function pathSegment(id: string): string {
  if (!isPathSegment(id)) throw new TypeError("An empty or dotted id cannot be part of a path");
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

/** Yes or no, also as text or number, as services that grew out of XML write it. */
export const flag = z.union([
  z.boolean(),
  z.union([z.string(), z.int()]).transform((value, context) => {
    const written = String(value).trim().toLowerCase();
    if (["true", "1", "yes", "oui"].includes(written)) return true;
    if (["false", "0", "no", "non"].includes(written)) return false;
    context.addIssue({ code: "custom", message: "not true or false" });
    return z.NEVER;
  }),
]);

/** A word of an open list: a known one in small letters, any other as it came. */
export const openWord = (known: readonly string[]) =>
  z.string().transform((value) => {
    const word = value.trim().toLowerCase();
    return known.includes(word) ? word : value.trim();
  });

/** A closed list of words, in any letter case. */
export function word<const T extends readonly string[]>(words: T) {
  return z.string().trim().toLowerCase().pipe(z.enum(words));
}

// A comma before one or two digits is a decimal comma: three may be thousands.
const decimalText = z
  .string()
  .trim()
  .regex(/^-?\d+(?:\.\d+|,\d{1,2})?$/, "not an amount")
  .transform((text) => text.replace(",", "."));

/** An amount in currency units, as a JSON number or as decimal text; convert with `minorUnits`. */
export const amount = z.union([z.number(), decimalText]);

/** An amount that the specification has in cents: a whole number of them, or currency units with a decimal point. */
export const centsOrUnits = z.union([z.number(), decimalText]);
export type CentsOrUnits = z.output<typeof centsOrUnits>;

export const isInUnits = (value: CentsOrUnits): boolean =>
  typeof value === "string" ? value.includes(".") : !Number.isInteger(value);

const MONEY_AMOUNTS = ["amount", "value"];
const MONEY_CENTS = ["cents", "amountcents", "amountincents", "centamount", "minorunits", "amountminor"];
const MONEY_CURRENCIES = ["currency", "currencycode", "currencyiso"];

/** The amount of a money object (`{"amount": "32.90", "currency": "EUR"}`, `{"cents": 3290}`); null: it is none. */
function readMoney(value: unknown): { amount: unknown; currency: unknown } | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries = new Map<string, unknown>(
    Object.entries(value).map(([key, part]) => [key.replaceAll("_", "").toLowerCase(), part]),
  );
  const partOf = (keys: string[]) => entries.get(keys.find((key) => entries.has(key)) ?? "");
  const currency = partOf(MONEY_CURRENCIES);
  const cents = partOf(MONEY_CENTS);
  if (cents === undefined) {
    const amount = partOf(MONEY_AMOUNTS);
    return amount === undefined || currency === undefined ? null : { amount, currency };
  }
  const code = currencyCode.safeParse(currency).data ?? "EUR";
  const minor = Number(cents);
  return { amount: Number.isSafeInteger(minor) ? toDecimalText(minor, code) : cents, currency };
}

/** An object whose amounts may be money objects: their currency counts if the object names none itself. */
export function withMoney<T extends z.ZodType>(schema: T, currencyField = "currency_code") {
  return z.preprocess((row) => {
    if (typeof row !== "object" || row === null) return row;
    const plain = new Map<string, unknown>(Object.entries(row));
    for (const [key, value] of plain) {
      const money = readMoney(value);
      if (money === null) continue;
      plain.set(key, money.amount);
      if (plain.get(currencyField) == null && money.currency !== undefined)
        plain.set(currencyField, money.currency);
    }
    return Object.fromEntries(plain);
  }, schema);
}

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

/**
 * A date of the insurer (spec, "Gaps": the format is not shown, samples use day/month/year) as ISO 8601:
 * a day stays a day (`2026-03-31`), a moment becomes a UTC instant (`2026-03-31T10:00:00.000Z`; a time without zone is
 * read as UTC). Null when it is neither, or no such day exists.
 */
export function parseDate(text: string): string | null {
  if (text.length > MAX_PARSED_LENGTH) return null;
  const written = text.trim();
  if (/^(?:\d{10}|\d{13})$/.test(written)) return epochMoment(Number(written));
  const { day, rest } = readDay(written) ?? { day: null, rest: "" };
  if (day === null || rest === "") return day;
  const [, time, seconds = ":00", zone = "Z"] = TIME.exec(rest) ?? [];
  if (time === undefined) return null;
  const offset = /^(?:UTC|GMT)$/.test(zone) ? "Z" : zone.replace(/(\d{2})(\d{2})$/, "$1:$2");
  const instant = new Date(`${day}T${time}${seconds}${offset}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

const TIME = /^(?:T|,? ) *(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)? *(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/;

/** Seconds or milliseconds since 1970 that lie between 2001 and 2100; smaller numbers are no dates. */
function epochMoment(value: number): string | null {
  const epochMs = value < 1e11 ? value * 1_000 : value;
  return epochMs >= 1e12 && epochMs < 4.1e12 ? new Date(epochMs).toISOString() : null;
}

const parseDateOrEpoch = (value: string | number): string | null =>
  typeof value === "string" ? parseDate(value) : epochMoment(value);

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

/** A term given as text or as a number of months, as months. */
export const termMonths = z.union([z.string(), z.int()]).transform((value, context) => {
  const months = parseTerm(String(value));
  if (months !== null) return months;
  context.addIssue({ code: "custom", message: "not a duration in months or years" });
  return z.NEVER;
});
