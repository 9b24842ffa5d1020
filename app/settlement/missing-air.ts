/**
 * The AIR commissions that a monthly contract lacks. The specification pays AIR "each month" (Commission rules on Sales,
 * rules 2 and 3) "at each monthly collection" (Rules on Commission `type`, rule 3). It does not show the day of the
 * month, nor what follows where a collection fails. So the insurer's own rhythm is read, tolerantly:
 *
 * - Two neighbouring collections that are n months apart lack n - 1 between them, and a calendar month that has a
 *   collection lacks none. The first one may be up to a month and a half after the first day of AIR.
 * - After the last one, the next is missing if it has been due for more than 31 days and the contract is in force: the
 *   insurer calls it active, and its term has half a month left. A term that is not known is the shortest one.
 * - A cancelled contract lacks what was due more than 31 days before its end: what is due later may be paid back.
 * - A refund counts as a collection: it speaks of one that was undone.
 */
import { saleCommission } from "#app/analytics/commission-rules.ts";
import { daysBefore, monthsLater } from "#app/platform/day.ts";
import { type CommissionFacts, isCancelled, type SaleFacts } from "./insurer-figures.ts";
import { monthOfDay } from "./month.ts";

/** A commission is expected this many days after it is due at the latest. */
export const COMMISSION_DAYS = 31;
const HALF_A_MONTH_DAYS = 15;
/** Spec, "Limits": 12, 24 or 36. */
const SHORTEST_TERM_MONTHS = 12;
const DAYS_PER_MONTH = 365.25 / 12;
const DAY_MS = 86_400_000;

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/**
 * @param commissions of the sale
 * @param termMonths of its contract; null: not known
 * @param readOn the day on which the sale was read last; empty: never
 * @returns the days on which each was due, `YYYY-MM-DD`
 */
export function missingAirDays(
  sale: SaleFacts,
  commissions: readonly CommissionFacts[],
  termMonths: number | null,
  readOn: string,
): string[] {
  const { airFrom } = saleCommission(sale);
  if (airFrom === null || readOn === "") return [];
  const collections = commissions
    .filter(({ type, date }) => type === "air" && date >= airFrom)
    .map(({ date }) => date)
    .toSorted();
  const missing: string[] = [];
  let previous = airFrom;
  for (const date of collections) {
    const months = Math.round(daysBetween(previous, date) / DAYS_PER_MONTH);
    for (let month = 1; month < months; month += 1) missing.push(monthsLater(previous, month));
    previous = date;
  }
  const last = lastDueDay(sale, termMonths, readOn);
  const isFirst = collections.length === 0;
  for (let month = isFirst ? 0 : 1; last !== null; month += 1) {
    const due = monthsLater(previous, month);
    if (due > last) break;
    missing.push(due);
  }
  const paid = new Set(collections.map(monthOfDay));
  return missing.filter((day) => !paid.has(monthOfDay(day)));
}

/** The last day on which a commission that has not come is known to have been due; null: none is. */
function lastDueDay(sale: SaleFacts, termMonths: number | null, readOn: string): string | null {
  if (!isCancelled(sale) && sale.status !== "active") return null;
  const end = isCancelled(sale) ? sale.cancelledOn : readOn;
  if (end === null) return null;
  const last = daysBefore(end < readOn ? end : readOn, COMMISSION_DAYS + 1);
  const termEnd = monthsLater(sale.date, termMonths ?? SHORTEST_TERM_MONTHS);
  const lastOfTerm = daysBefore(termEnd, HALF_A_MONTH_DAYS);
  return last < lastOfTerm ? last : lastOfTerm;
}
