/** Moments (milliseconds) as the insurer writes them; days are UTC days. */

export const DAY_MS = 86_400_000;

export function isoDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The specification shows no format of dates; its samples use day/month/year. */
export function formatDate(moment: number): string {
  return isoDay(moment).split("-").reverse().join("/");
}

/** The same day `months` later, or the month's last one where there is no such day (31 January → 28 February). */
export function monthsLater(moment: number, months: number): number {
  const date = new Date(moment);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** `YYYY-MM-DD` or day/month/year as the moment the day begins; null when it is neither. */
export function toLocalDay(text: string): number | null {
  const french = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  const moment = Date.parse(french ? `${french[3] ?? ""}-${french[2] ?? ""}-${french[1] ?? ""}` : text);
  return Number.isNaN(moment) ? null : moment;
}
