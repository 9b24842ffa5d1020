/** By time zone, because creating a format takes longer than the rest of a job's computation. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError if the time zone does not exist */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const cachedFormat = formats.get(timeZone);
  if (cachedFormat) return cachedFormat;
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}

/** The day of a time in a time zone, `YYYY-MM-DD`. */
export function toLocalDay(timezone: string, moment: Date): string {
  const parts = formatIn(timezone).formatToParts(moment);
  const part = (type: "year" | "month" | "day") => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** The day in a time zone, `YYYY-MM-DD`, from a day or an ISO 8601 time. */
export const dayIn = (timezone: string, date: string): string =>
  isIsoDay(date) ? date : toLocalDay(timezone, new Date(date));

/** The time at which a day (`YYYY-MM-DD`) begins in a time zone. */
export function startOfDay(timezone: string, day: string): Date {
  const midnight = Date.parse(day);
  // Time zones are at most 14 hours ahead. The day begins at the first quarter of an hour that belongs to it.
  let moment = midnight - 15 * 3_600_000;
  while (toLocalDay(timezone, new Date(moment)) < day) moment += 15 * 60_000;
  return new Date(moment);
}

/** The same day of a later month, or the last one of a shorter month; days are `YYYY-MM-DD`. */
export function monthsLater(from: string, months: number): string {
  const [year = 0, month = 0, day = 0] = from.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

/** Whether the text is an existing day in the format `YYYY-MM-DD`. */
export function isIsoDay(text: string): boolean {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  // `Date` reads some days that do not exist as days of the next month.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/** The last day of a day's month, both `YYYY-MM-DD`. */
export function lastDayOfMonth(day: string): string {
  return daysBefore(firstDayOfMonth(daysBefore(firstDayOfMonth(day), -32)), 1);
}

/** The first day of a day's month. */
export function firstDayOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The day a number of days before another, both `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
