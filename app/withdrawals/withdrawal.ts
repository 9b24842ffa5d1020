/** Pure: until when a customer may withdraw from a contract, and what becomes of the money. */
import { startOfDay, toLocalDay } from "#app/platform/day.ts";
import type { Language } from "#app/platform/locale.ts";
import type { ItemState } from "#app/orders/book/item-states.ts";

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

export interface WithdrawableItem {
  state: ItemState;
  wanted: boolean;
  withdrawnAt: Date | null;
  /** the last day of its term; null while it is not known */
  expiresOn: string | null;
  /** when its contract came into being; null while there is none */
  insuredAt: Date | null;
}

/**
 * open: the customer may withdraw. withdrawn: they did. ended: refunded, cancelled, or its term is over. late: the time is
 * over. claimed: a claim was filed, with which the right ends after the first 14 days; a person decides.
 */
export type WithdrawalState = "open" | "withdrawn" | "ended" | "late" | "claimed";

/** For how many days the customer may withdraw. @param days those that the shop gives where no claim was filed */
export const withdrawalDays = (hasClaim: boolean, days: number): number => (hasClaim ? DIRECTIVE_DAYS : days);

export function withdrawalState(
  item: WithdrawableItem,
  {
    isCancelled,
    hasClaim,
    days,
    timezone,
    now,
  }: { isCancelled: boolean; hasClaim: boolean; days: number; timezone: string; now: Date },
): WithdrawalState {
  if (item.withdrawnAt !== null) return "withdrawn";
  if (isCancelled || !item.wanted || item.state === "cancelled") return "ended";
  const today = toLocalDay(timezone, now);
  if (isOver(item, today)) return "ended";
  // Without a contract the time has not begun.
  const isWithin = (period: number) =>
    item.insuredAt === null || now < endOf(lastWithdrawalDay(item.insuredAt, period, timezone), timezone);
  if (isWithin(withdrawalDays(hasClaim, days))) return "open";
  return hasClaim ? "claimed" : "late";
}

/** Whether a contract's last day is past. */
export const isOver = ({ expiresOn }: { expiresOn: string | null }, today: string): boolean =>
  expiresOn !== null && expiresOn.slice(0, 10) < today;

/** The moment at which a day is over. */
export const endOf = (day: string, timezone: string): Date => startOfDay(timezone, dayAfter(day, 1));

export interface WithdrawalItem {
  /** `line-1`: names the item in the page's form */
  key: string;
  state: WithdrawalState;
  withdrawnAt: Date | null;
  /** no claim was filed with it, so it ends with the declaration; else a person looks first */
  isWithoutClaim: boolean;
  /** the customer withdrew, and the merchant looks for claims before it ends */
  isBeingChecked: boolean;
  planTitle: string;
  insuredTitle: string | null;
  contractId: string | null;
  /** what was paid for it; 0 while the order is not paid */
  premiumMinor: number;
  currency: string;
  /** the last day to withdraw, `YYYY-MM-DD`; null: its time has not begun */
  lastDay: string | null;
}

export interface WithdrawalView {
  shop: string;
  shopName: string;
  /** the contracts are of the test account: they insure nothing */
  isTest: boolean;
  /** the app mails the acknowledgement itself */
  isMailed: boolean;
  timezone: string;
  /** the merchant has removed the app, and sees no task */
  isRemoved: boolean;
  orderId: string;
  orderName: string;
  /** the order's, or else the shop's: for a browser that accepts none of the languages */
  language: Language;
  /** who is insured, for the acknowledgement; pages show it masked. Null: erased */
  customer: { name: string; email: string | null } | null;
  items: WithdrawalItem[];
}

/** Who declares it, and where they get the acknowledgement (directive 2011/83, article 11a). */
export interface Declarant {
  name: string;
  email: string | null;
  language: Language;
}
