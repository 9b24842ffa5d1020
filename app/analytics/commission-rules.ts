/**
 * The insurer's rules on commissions (spec, "Commission rules on Sales" and "Rules on Commission `type`"), in their only
 * place: the import applies them to every row and stores the result (rows.server.ts), so that queries only add up.
 *
 * FRONT is paid once, AIR again each month, so the two are never one sum.
 */

/** Amounts are euro cents; `date` is `YYYY-MM-DD`. */
interface Sale {
  date: string;
  monthly: boolean;
  frontMinor: number | null;
  airMinor: number | null;
}

export interface SaleCommission {
  /** The first day of AIR, `YYYY-MM-DD`; null where none is paid. */
  airFrom: string | null;
  /** The sale has AIR, which the rules exclude. That AIR counts for nothing. */
  isContradiction: boolean;
}

export function saleCommission({ date, monthly, frontMinor, airMinor }: Sale): SaleCommission {
  // Rule 1, annual: FRONT is the whole commission, AIR is always null.
  if (!monthly) return { airFrom: null, isContradiction: airMinor !== null };
  if (airMinor === null) return { airFrom: null, isContradiction: false };
  // Rule 3, monthly without an advance (FRONT is null): AIR from year 1.
  if (frontMinor === null) return { airFrom: date, isContradiction: false };
  // Rule 2, monthly with an advance: FRONT is the advance on year 1, AIR follows from year 2.
  return { airFrom: oneYearAfter(date), isContradiction: false };
}

/** The same day a year later; 28 February for 29 February. */
export function oneYearAfter(day: string): string {
  const later = `${String(Number(day.slice(0, 4)) + 1).padStart(4, "0")}${day.slice(4)}`;
  // The year after a leap year is none.
  return later.replace("-02-29", "-02-28");
}

interface Commission {
  monthly: boolean;
  billingType: "collected" | "refunded";
  type: "front" | "air";
  amountMinor: number;
}

/**
 * What a commission adds to the total of its type, euro cents; a refund takes away. The specification does not show the
 * sign of a refund's amount, so `billingType` decides. Null: a contradiction to the rules, which counts for nothing.
 */
export function commissionEffect({ monthly, billingType, type, amountMinor }: Commission): number | null {
  // Rule 4: AIR on an annual contract is never present. Rules 1 to 3: FRONT on both kinds of contract and AIR on a
  // monthly one count once for each collection.
  if (type === "air" && !monthly) return null;
  return billingType === "refunded" ? -Math.abs(amountMinor) : amountMinor;
}
