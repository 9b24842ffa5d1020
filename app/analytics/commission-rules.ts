/**
 * The insurer's rules on commissions (spec, "Commission rules on Sales" and "Rules on Commission `type`"). The import
 * applies them to every row and stores the result, so that queries only add up.
 *
 * FRONT is paid once and AIR every month, so they are never added together.
 */

/** Amounts are euro cents; `date` is `YYYY-MM-DD`. */
interface Sale {
  date: string;
  monthly: boolean;
  frontMinor: number | null;
  airMinor: number | null;
}

export interface SaleCommission {
  /** The first day of AIR, `YYYY-MM-DD`; null if none is paid. */
  airFrom: string | null;
  /** The sale has AIR against the rules. No figure includes this AIR. */
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
  // The following year may have no 29 February.
  return later.replace("-02-29", "-02-28");
}

interface Commission {
  monthly: boolean;
  /** open-ended: collected, refunded */
  billingType: string;
  type: "front" | "air";
  amountMinor: number;
}

/**
 * The amount that a commission adds to the total of its type, euro cents; negative for a refund. The specification
 * does not show the sign of a refund's amount, so `billingType` decides; any other type counts with its own sign. Null: it contradicts the rules, and no
 * figure includes it.
 */
export function commissionEffect(commission: Commission): number | null {
  const { monthly, type } = commission;
  // Rule 4: an annual contract never has AIR. Rules 1 to 3: FRONT on both kinds of contract, and AIR on a monthly
  // one, count once for each collection.
  if (type === "air" && !monthly) return null;
  return signedMinor(commission, "amountMinor");
}

/** An amount of a commission as tables and files show it: negative for a refund, so that their sum is the total's. */
export function signedMinor<Field extends "amountMinor" | "priceMinor">(
  commission: { billingType: string } & Record<Field, number>,
  field: Field,
): number {
  const minor: number = commission[field];
  return commission.billingType === "refunded" ? -Math.abs(minor) : minor;
}
