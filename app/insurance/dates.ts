import { z } from "zod";

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const FRENCH_DAY = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;
const MOMENT = /^([\d/.-]+)(?:[T ] *(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)? *(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

/** The service's text is of any length; no moment is longer than this. */
const MAX_LENGTH = 40;

/**
 * A date of the service (spec, "Gaps": the format is not shown, samples use day/month/year) as ISO 8601:
 * a day stays a day (`2026-03-31`), a moment becomes a UTC instant (`2026-03-31T10:00:00.000Z`; a time without zone is
 * read as UTC). Null when it is neither, or no such day exists.
 */
export function parseDate(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const [, day = "", time, seconds = ":00", zone = "Z"] = MOMENT.exec(text.trim()) ?? [];
  const iso = isoDay(day);
  if (iso === null || time === undefined) return iso;
  const offset = zone === "UTC" ? "Z" : zone.replace(/(\d{2})(\d{2})$/, "$1:$2");
  const instant = new Date(`${iso}T${time}${seconds}${offset}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

/** Whether the text is an existing day written `YYYY-MM-DD`, as the analytics queries want it. */
export function isIsoDay(text: string): boolean {
  return DAY.test(text) && isoDay(text) !== null;
}

function isoDay(text: string): string | null {
  const iso = DAY.exec(text);
  const french = FRENCH_DAY.exec(text);
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : french ? [french[4], french[3], french[1]] : [];
  if (year === undefined || month === undefined || day === undefined) return null;
  // Date.UTC rolls 31 February over to March: then it was no date. (Formatting a Date would cost ten times as much.)
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (rolled.getUTCMonth() !== Number(month) - 1) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** A date field that may be missing or unreadable: null then. */
export const dateOrNull = z
  .string()
  .nullish()
  .transform((text) => (text == null ? null : parseDate(text)));

/** A required date field, see parseDate. */
export const date = z.string().transform((text, context) => {
  const iso = parseDate(text);
  if (iso !== null) return iso;
  context.addIssue({ code: "custom", message: "not a date (day/month/year or ISO 8601)" });
  return z.NEVER;
});
