/** What was sold in a period, how soon it ended, and what that suggests. Amounts are minor units of the shop's currency. */
import { daysBefore } from "#app/platform/day.ts";
import {
  addFigures,
  type AttachmentFigures,
  type AttachmentOverview,
  attachmentRate,
  noFigures,
} from "./attachment.ts";

export interface SoldGroup {
  /** months of the term, or the formula's name; "": not known */
  value: string;
  /** lines of orders, as the attachment rate counts them: one with three insured items is one */
  lines: number;
  premiumMinor: number;
}

/** Days since the sale, both included; `to` is null for the last span. */
export const endSpans = [
  { from: 0, to: 1 },
  { from: 2, to: 7 },
  { from: 8, to: 14 },
  { from: 15, to: 30 },
  { from: 31, to: null },
] as const;

export interface SoldInsurance {
  terms: SoldGroup[];
  formulas: SoldGroup[];
  /** by span: contracts from which customers withdrew, and those that ended otherwise */
  ends: { from: number; to: number | null; withdrawn: number; cancelled: number }[];
  /** paid orders with insurance */
  insuredOrders: number;
  premiumMinor: number;
}

/** @param ends how many ended how many days after the sale */
export function toEndSpans(
  ends: readonly { days: number; isWithdrawn: boolean; items: number }[],
): SoldInsurance["ends"] {
  return endSpans.map(({ from, to }) => {
    const ofSpan = ends.filter(({ days }) => days >= from && (to === null || days <= to));
    const count = (isWithdrawn: boolean) =>
      ofSpan.filter((each) => each.isWithdrawn === isWithdrawn).reduce((sum, { items }) => sum + items, 0);
    return { from, to, withdrawn: count(true), cancelled: count(false) };
  });
}

interface Days {
  /** `YYYY-MM-DD`, both included */
  start: string;
  end: string;
}

const DAY_MS = 86_400_000;
const lengthOf = ({ start, end }: Days) => Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1;

/** The days before a period, as many as it has; null: it has no beginning. */
export function previousPeriod(
  { start, end }: { start: string | null; end: string | null },
  today: string,
): Days | null {
  if (start === null) return null;
  const days = lengthOf({ start, end: end ?? today });
  return days < 1 ? null : { start: daysBefore(start, days), end: daysBefore(start, 1) };
}

/** Periods up to this length are drawn by day, longer ones by week. */
const MAX_DAYS_DRAWN = 45;

export interface CoursePoint {
  /** the first day of the point */
  at: string;
  current: AttachmentFigures;
  previous: AttachmentFigures;
}

export interface Course {
  by: "day" | "week";
  points: CoursePoint[];
}

type DayFigures = AttachmentFigures & { day: string };

/** A period beside the one before it, day by day or week by week. */
export function courseOf(
  period: Days,
  days: readonly DayFigures[],
  previous: Days,
  previousDays: readonly DayFigures[],
): Course {
  const length = lengthOf(period);
  const by = length <= MAX_DAYS_DRAWN ? "day" : "week";
  const size = by === "day" ? 1 : 7;
  const sumOf = (figures: readonly DayFigures[], start: string, index: number) =>
    figures
      .filter(({ day }) => Math.floor((Date.parse(day) - Date.parse(start)) / DAY_MS / size) === index)
      .reduce<AttachmentFigures>(addFigures, noFigures);
  const points = Array.from({ length: Math.ceil(length / size) }, (_, index) => ({
    at: daysBefore(period.start, -index * size),
    current: sumOf(days, period.start, index),
    previous: sumOf(previousDays, previous.start, index),
  }));
  return { by, points };
}

/** A rule that found something, with the numbers it rests on. */
export type Suggestion =
  | { kind: "few_seen"; seen: number; eligible: number }
  | { kind: "weak_category"; category: string; paid: number; eligible: number; rate: number }
  | {
      kind: "weak_band";
      fromMinor: number;
      toMinor: number | null;
      paid: number;
      eligible: number;
      rate: number;
    }
  | { kind: "many_ended"; cancelled: number; paid: number };

/** Fewer cases say nothing. */
const MIN_CASES = 30;
const MAX_SUGGESTIONS = 3;
/** An offer that fewer than half of the insurable products show is not placed where they are bought. */
const FEW_SEEN = 0.5;
/** A group is weak at half of the shop's rate. */
const WEAK = 0.5;
const MANY_ENDED = 0.2;

/** At most three, those about most contracts first. */
export function suggestionsOf({ total, categories, bands }: AttachmentOverview): Suggestion[] {
  const rate = attachmentRate(total) ?? 0;
  const found: { contracts: number; suggestion: Suggestion }[] = [];
  if (total.eligible >= MIN_CASES && total.seen < total.eligible * FEW_SEEN)
    found.push({
      contracts:
        total.seen === 0 ? total.eligible : ((total.eligible - total.seen) * total.paid) / total.seen,
      suggestion: { kind: "few_seen", seen: total.seen, eligible: total.eligible },
    });
  const missedIn = (group: AttachmentFigures) => group.eligible * rate - group.paid;
  const weakest = <Group extends AttachmentFigures>(groups: readonly Group[]) =>
    groups
      .filter((group) => group.eligible >= MIN_CASES && group.paid < group.eligible * rate * WEAK)
      .toSorted((a, b) => missedIn(b) - missedIn(a))[0];
  const category = weakest(categories);
  if (category)
    found.push({
      contracts: missedIn(category),
      suggestion: {
        kind: "weak_category",
        category: category.category,
        paid: category.paid,
        eligible: category.eligible,
        rate,
      },
    });
  const band = weakest(bands);
  if (band) {
    const { fromMinor, toMinor, paid, eligible } = band;
    found.push({
      contracts: missedIn(band),
      suggestion: { kind: "weak_band", fromMinor, toMinor, paid, eligible, rate },
    });
  }
  if (total.paid >= MIN_CASES && total.cancelled >= total.paid * MANY_ENDED)
    found.push({
      contracts: total.cancelled,
      suggestion: { kind: "many_ended", cancelled: total.cancelled, paid: total.paid },
    });
  return found
    .toSorted((a, b) => b.contracts - a.contracts)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ suggestion }) => suggestion);
}
