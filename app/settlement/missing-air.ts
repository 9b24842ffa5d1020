/**
 * The AIR commissions that a monthly contract lacks. The specification pays AIR "each month" (Commission rules on Sales,
 * rules 2 and 3) "at each monthly collection" (Rules on Commission `type`, rule 3). It does not show the day of the
 * month, nor what follows where a collection fails. So the insurer's own rhythm is read, tolerantly:
 *
 * - Two neighbouring collections that are n months apart lack n - 1 between them, and a calendar month that has a
 *   collection lacks none. The first one may be up to a month and a half after the first day of AIR.
 * - Of two that are close together, one came late: it pays what is missing before it, or it pays a month twice.
 * - After the last one, the next is missing if it has been due for more than 31 days and the contract is in force: the
 *   insurer calls it active, and its term has half a month left. A term that is not known is the shortest one.
 * - A cancelled contract lacks what was due more than 31 days before its end: what is due later may be paid back.
 * - A refund counts as a collection of its own month: it speaks of one that was undone.
 */
import { saleCommission } from "#app/analytics/commission-rules.ts";
import { daysBefore, monthsLater } from "#app/platform/day.ts";
import { byDay, type CommissionFacts, isCancelled, type SaleFacts } from "./insurer-figures.ts";
import { monthOfDay } from "./month.ts";

/** A commission is expected this many days after it is due at the latest. */
export const COMMISSION_DAYS = 31;
const HALF_A_MONTH_DAYS = 15;
/** Two monthly collections are further apart than this. */
const MIN_DAYS_BETWEEN_COLLECTIONS = 20;
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
  if (airFrom === null || sale.airMinor === 0 || readOn === "") return [];
  const airs = commissions.filter(({ type, date }) => type === "air" && date >= airFrom);
  const { missing, last: previous } = followAir(airFrom, airs);
  const last = lastDueDay(sale, termMonths, readOn);
  for (let month = previous === null ? 0 : 1; last !== null; month += 1) {
    const due = monthsLater(previous ?? airFrom, month);
    if (due > last) break;
    missing.push(due);
  }
  const paid = new Set(airs.map(({ date }) => monthOfDay(date)));
  const { cancelledOn } = sale;
  return missing
    .filter((day) => cancelledOn === null || day <= daysBefore(cancelledOn, COMMISSION_DAYS + 1))
    .filter((day) => !paid.has(monthOfDay(day)));
}

/** AIR commissions that pay a month again that was paid and not taken back. @param sale undefined: it is not known */
export function airPaidTwice(
  sale: SaleFacts | undefined,
  commissions: readonly CommissionFacts[],
): CommissionFacts[] {
  const airs = commissions.filter(({ type }) => type === "air");
  const airFrom = (sale && saleCommission(sale).airFrom) ?? "";
  const [early, due] = [
    airs.filter(({ date }) => date < airFrom),
    airs.filter(({ date }) => date >= airFrom),
  ];
  return [...followAir(null, early).twice, ...followAir(airFrom === "" ? null : airFrom, due).twice];
}

const isClose = (from: string, to: string): boolean => daysBetween(from, to) < MIN_DAYS_BETWEEN_COLLECTIONS;

export function hasCloseCollections(commissions: readonly CommissionFacts[]): boolean {
  const days = commissions.map(({ date }) => date).toSorted();
  return days.some((day, index) => index > 0 && isClose(days[index - 1] ?? day, day));
}

const monthsBetween = (from: string, to: string): number =>
  Math.round(daysBetween(from, to) / DAYS_PER_MONTH);

/** @param from the first day of AIR; null: that of the first collection */
function followAir(from: string | null, airs: readonly CommissionFacts[]) {
  const missing: string[] = [];
  const twice: CommissionFacts[] = [];
  let paidMonths = 0;
  let toTakeBack = 0;
  let start = from;
  let last: string | null = null;
  for (const ofDay of Map.groupBy(airs.toSorted(byDay), ({ date }) => date).values()) {
    // What is taken back may be paid again, also on the same day.
    const refunds = ofDay.filter(({ billingType }) => billingType === "refunded").length;
    const ofTwice = Math.min(refunds, toTakeBack);
    toTakeBack -= ofTwice;
    paidMonths -= refunds - ofTwice;
    for (const air of ofDay.filter(({ billingType }) => billingType === "collected")) {
      const { date } = air;
      start ??= date;
      if (last !== null && isClose(last, date)) {
        const paidLate = missing.pop();
        if (paidLate === undefined && paidMonths > monthsBetween(start, date)) {
          twice.push(air);
          toTakeBack += 1;
          continue;
        }
      } else {
        const previous = last ?? start;
        const months = monthsBetween(previous, date);
        for (let month = 1; month < months; month += 1) missing.push(monthsLater(previous, month));
      }
      paidMonths += 1;
      last = date;
    }
  }
  return { missing, twice, last };
}

/** The last day on which a commission that has not come is known to have been due; null: none is. */
function lastDueDay(sale: SaleFacts, termMonths: number | null, readOn: string): string | null {
  if (isCancelled(sale) ? sale.cancelledOn === null : sale.status !== "active") return null;
  const last = daysBefore(readOn, COMMISSION_DAYS + 1);
  const termEnd = monthsLater(sale.date, termMonths ?? SHORTEST_TERM_MONTHS);
  const lastOfTerm = daysBefore(termEnd, HALF_A_MONTH_DAYS);
  return last < lastOfTerm ? last : lastOfTerm;
}
