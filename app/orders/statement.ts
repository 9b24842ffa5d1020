/** The statement of an order: what became of each premium that its customer paid. The shares add up to the premiums. */
import type { Order } from "#app/orders/book/evolve.ts";
import { premiumOf, splitPremiums } from "#app/orders/book/money.ts";

export const premiumShares = [
  /** a contract is in force */
  "covered",
  /** a contract is being created, or a refund is on its way */
  "underWay",
  /** paid back to the customer */
  "refunded",
  /** the merchant decided that it stays paid */
  "kept",
  /** none of these: a task asks about it */
  "open",
] as const;
export type PremiumShare = (typeof premiumShares)[number];

export interface Statement {
  currency: string;
  /** what customers paid for insurance, minor units */
  paidMinor: number;
  shares: Record<PremiumShare, number>;
}

/** One statement for each currency of the order's premiums; none where nothing was paid. */
export function statementsOf(order: Order, now: Date): Statement[] {
  if (order.paid === null) return [];
  const { premiums } = splitPremiums(order, now);
  return [...Map.groupBy(order.items, ({ sold }) => sold.currency)].map(([currency, items]) => {
    const shares = { covered: 0, underWay: 0, refunded: 0, kept: 0, open: 0 };
    let paidMinor = 0;
    for (const item of items) {
      paidMinor += premiumOf(order, item);
      const premium = premiums.get(item);
      shares.covered += premium?.coveredMinor ?? 0;
      shares.underWay += premium?.underWayMinor ?? 0;
      shares.refunded += premium?.refundedMinor ?? 0;
      shares.kept += premium?.keptMinor ?? 0;
      shares.open += premium?.openMinor ?? 0;
    }
    return { currency, paidMinor, shares };
  });
}
