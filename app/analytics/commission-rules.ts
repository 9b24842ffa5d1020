/**
 * The document's rules on commissions (spec, "Commission rules on Sales", "Rules on Commission `type`").
 */

/** What a sale earns. FRONT is paid once; AIR is paid again each month, so the two are never one sum. */
export interface SaleCommission {
  /** Euro cents, paid once: the whole commission of an annual sale, the year-1 advance of a monthly one. */
  frontCents: number | null;
  /** Euro cents a month, or null where none is paid. */
  airCentsPerMonth: number | null;
  /** The first day of AIR: at the sale, or a year later where an advance was paid. `YYYY-MM-DD`. */
  airFrom: string | null;
  /** The sale says something that the rules exclude: AIR on an annual sale. It counts for nothing. */
  contradiction: boolean;
}

interface Sale {
  date: string;
  monthly: boolean;
  frontCents: number | null;
  airCents: number | null;
}

export function saleCommission({ date, monthly, frontCents, airCents }: Sale): SaleCommission {
  if (!monthly) {
    // Rule 1: annual, the total is paid once, AIR is always null.
    return { frontCents, airCentsPerMonth: null, airFrom: null, contradiction: airCents !== null };
  }
  // Rule 2: with an advance, AIR begins with year 2. Rule 3: without one, with year 1.
  const airFrom = airCents === null ? null : frontCents === null ? date : oneYearAfter(date);
  return { frontCents, airCentsPerMonth: airCents, airFrom, contradiction: false };
}

/** The same day a year later; 29 February becomes 28 February, as PostgreSQL's `+ interval '1 year'` has it. */
export function oneYearAfter(day: string): string {
  const later = `${String(Number(day.slice(0, 4)) + 1).padStart(4, "0")}${day.slice(4)}`;
  return later.endsWith("02-29") && new Date(later).getUTCDate() !== 29
    ? later.replace("02-29", "02-28")
    : later;
}

/** The last day whose first year is over at `today`: the last one that `oneYearAfter` takes no further than today. */
export function lastDayOfYearBefore(today: string): string {
  const year = Number(today.slice(0, 4)) - 1;
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
  const day =
    today.endsWith("02-28") && isLeap ? "-02-29" : today.endsWith("02-29") ? "-02-28" : today.slice(4);
  return `${String(year).padStart(4, "0")}${day}`;
}

interface Commission {
  monthly: boolean;
  billingType: "collected" | "refunded";
  type: "front" | "air";
  amountCents: number;
}

/**
 * What a commission adds to its total (FRONT or AIR), euro cents; a refund takes away. The sign of a refund's amount is
 * not shown by the specification, so `billing_type` decides. Null: AIR on an annual contract, which is never present
 * (rule 4); it is shown as a contradiction and counted nowhere.
 */
export function commissionEffect({ monthly, billingType, type, amountCents }: Commission): number | null {
  if (type === "air" && !monthly) return null;
  return billingType === "refunded" ? -Math.abs(amountCents) : amountCents;
}
