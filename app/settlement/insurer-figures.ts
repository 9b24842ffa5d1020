/** What the insurer shows of the organisation's sales and commissions, as it was imported. Amounts are euro cents. */

/** A sale (spec, "Sales"). */
export interface SaleFacts {
  saleId: string;
  date: string;
  status: string;
  cancelledOn: string | null;
  monthly: boolean;
  store: string;
  storeId: string;
  priceMinor: number;
  frontMinor: number | null;
  airMinor: number | null;
}

/** A commission (spec, "Commission"). */
export interface CommissionFacts {
  commissionId: string;
  date: string;
  store: string;
  storeId: string;
  saleId: string;
  monthly: boolean;
  billingType: string;
  type: "front" | "air";
  amountMinor: number;
}

/** Commissions are paid in euros (spec, "Commission"). */
export const COMMISSION_CURRENCY = "EUR";

export const isCancelled = ({ status, cancelledOn }: Pick<SaleFacts, "status" | "cancelledOn">): boolean =>
  status === "cancelled" || cancelledOn !== null;

/** Oldest first. */
export function byDay(a: CommissionFacts, b: CommissionFacts): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return a.commissionId < b.commissionId ? -1 : 1;
}
