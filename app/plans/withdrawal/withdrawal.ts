/** Pure: until when a customer may withdraw from a contract, and what becomes of the money. */
import { monthsLater, startOfDay, toLocalDay } from "#app/platform/day.ts";
import type { UnitState } from "#app/plans/ledger/unit-states.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Directive 2011/83, article 9: within these days of a contract concluded at a distance a claim does not end the right. The
 * declaration is taken, and a person decides.
 */
const DIRECTIVE_DAYS = 14;

/** The customer has their money back within this many days of the declaration. */
export const REFUND_DAYS = 30;

/** The day a number of days later, `YYYY-MM-DD`. */
function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The last day, `YYYY-MM-DD` in the shop's time zone. The day of the contract does not count, and a period that would
 * end at a weekend ends on the Monday after (regulation 1182/71, article 3). Public holidays are not known here.
 */
export function lastWithdrawalDay(concludedAt: Date, days: number, timezone: string): string {
  const last = dayAfter(toLocalDay(timezone, concludedAt), days);
  const weekday = new Date(last).getUTCDay();
  return dayAfter(last, weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
}

export const refundDay = (declaredAt: Date, timezone: string): string =>
  dayAfter(toLocalDay(timezone, declaredAt), REFUND_DAYS);

/**
 * The day on which a contract ends whose customer ends it today: a month later (code des assurances, L. 113-15-2), or
 * when it ends anyway.
 */
export function endingDay(declaredAt: Date, expiresOn: string | null, timezone: string): string {
  const monthLater = monthsLater(toLocalDay(timezone, declaredAt), 1);
  return expiresOn !== null && expiresOn.slice(0, 10) < monthLater ? expiresOn.slice(0, 10) : monthLater;
}

/**
 * The first day on which a customer may end a contract: its first year is over. `YYYY-MM-DD`; null where it is over by
 * then
 */
export function firstEndingDay(insuredAt: Date, expiresOn: string | null, timezone: string): string | null {
  const first = monthsLater(toLocalDay(timezone, insuredAt), 12);
  return expiresOn !== null && expiresOn.slice(0, 10) <= first ? null : first;
}

/** What of a premium paid at once is for the days after the contract's end, minor units. */
export function unusedPremium(
  premiumMinor: number,
  {
    insuredAt,
    expiresOn,
    endsOn,
    timezone,
  }: { insuredAt: Date; expiresOn: string | null; endsOn: string; timezone: string },
): number {
  if (expiresOn === null) return 0;
  const end = Date.parse(expiresOn.slice(0, 10));
  const days = end - Date.parse(toLocalDay(timezone, insuredAt));
  const unused = end - Date.parse(endsOn);
  return days <= 0 ? 0 : Math.round((premiumMinor * Math.max(0, unused)) / days);
}

export interface WithdrawableUnit {
  state: UnitState;
  wanted: boolean;
  withdrawnAt: Date | null;
  /** its customer has ended it after its first year: its last day */
  endsOn: string | null;
  /** the last day of its term; null while it is not known */
  expiresOn: string | null;
  /** when its contract came into being; null while there is none */
  insuredAt: Date | null;
}

/**
 * open: the customer may withdraw. withdrawn: they did. ended: refunded, cancelled, or its term is over. late: the time is
 * over. claimed: a claim was filed, with which the right ends after the first 14 days; a person has to look. endable:
 * the first year is over, so the customer may end it at any time. ending: they did.
 */
export type WithdrawalState = "open" | "withdrawn" | "ended" | "late" | "claimed" | "endable" | "ending";

/** For how many days the customer may withdraw. @param days those that the shop gives where no claim was filed */
export const withdrawalDays = (hasClaim: boolean, days: number): number => (hasClaim ? DIRECTIVE_DAYS : days);

export function withdrawalState(
  unit: WithdrawableUnit,
  {
    isCancelled,
    hasClaim,
    days,
    timezone,
    now,
  }: { isCancelled: boolean; hasClaim: boolean; days: number; timezone: string; now: Date },
): WithdrawalState {
  if (unit.withdrawnAt !== null) return "withdrawn";
  if (isCancelled || !unit.wanted || unit.state === "cancelled") return "ended";
  if (unit.endsOn !== null) return "ending";
  const today = toLocalDay(timezone, now);
  if (isOver(unit, today)) return "ended";
  // Without a contract the time has not begun.
  const isWithin = (period: number) =>
    unit.insuredAt === null || now < endOf(lastWithdrawalDay(unit.insuredAt, period, timezone), timezone);
  if (isWithin(withdrawalDays(hasClaim, days))) return "open";
  const endable = unit.insuredAt && firstEndingDay(unit.insuredAt, unit.expiresOn, timezone);
  if (endable !== null && endable <= today) return "endable";
  return hasClaim ? "claimed" : "late";
}

/** Whether a contract's last day is past, as its customer declared it or by its term. */
export const isOver = (
  { endsOn, expiresOn }: { endsOn: string | null; expiresOn: string | null },
  today: string,
): boolean => {
  const last = endsOn ?? expiresOn;
  return last !== null && last.slice(0, 10) < today;
};

/** The moment at which a day is over. */
export const endOf = (day: string, timezone: string): Date => startOfDay(timezone, dayAfter(day, 1));
