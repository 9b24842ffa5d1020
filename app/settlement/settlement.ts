/**
 * The settlement of a month between the shop and the insurer: its totals, and every difference between what the books
 * of the orders hold and what the insurer shows. Pure: the same facts give the same settlement.
 */
import { z } from "zod";
import type { MovementKind } from "#app/orders/book/movements.ts";
import { commissionDifferences } from "./commission-checks.ts";
import { contractDifferences } from "./contract-checks.ts";
import type { Difference } from "./difference.ts";
import { COMMISSION_CURRENCY } from "./insurer-figures.ts";
import type { CountedCommission, Movement, SettlementFacts } from "./settlement-facts.ts";

/** The sums of one currency, minor units. */
const premiumTotal = z.object({
  currency: z.string(),
  premiumMinor: z.int(),
  /** zero or negative */
  discountMinor: z.int(),
  /** zero or negative */
  refundMinor: z.int(),
  /** what is left of the three */
  collectedMinor: z.int(),
  begunMinor: z.int(),
  /** zero or negative */
  endedMinor: z.int(),
  owedMinor: z.int(),
  contractsBegun: z.int(),
  contractsEnded: z.int(),
});
export type PremiumTotals = z.infer<typeof premiumTotal>;

/** Euro cents. */
const commissionTotal = z.object({
  frontMinor: z.int(),
  /** zero or negative */
  frontRefundedMinor: z.int(),
  airMinor: z.int(),
  /** zero or negative */
  airRefundedMinor: z.int(),
  earnedMinor: z.int(),
});
export type CommissionTotals = z.infer<typeof commissionTotal>;

/** What one side owes the other, minor units: positive, the shop owes the insurer; negative, the insurer the shop. */
const balance = z.object({ currency: z.string(), amountMinor: z.int() });
type Balance = z.infer<typeof balance>;

/** What closing a month stores. */
export const settlementTotals = z.object({
  premiums: z.array(premiumTotal),
  /** null: not known */
  commissions: commissionTotal.nullable(),
  balances: z.array(balance),
});
export type SettlementTotals = z.infer<typeof settlementTotals>;

interface Settlement {
  totals: SettlementTotals;
  differences: Difference[];
}

export function settle(facts: SettlementFacts): Settlement {
  const premiums = premiumTotals(facts.movements);
  // Without a point of sale, the commissions are unknown, not zero.
  const commissions =
    facts.insurer === null || facts.storeIds.length === 0 ? null : commissionTotals(facts.insurer.counted);
  return {
    totals: { premiums, commissions, balances: balancesOf(premiums, commissions) },
    differences: [...contractDifferences(facts), ...commissionDifferences(facts)],
  };
}

export function premiumTotals(movements: readonly Movement[]): PremiumTotals[] {
  return [...Map.groupBy(movements, ({ currency }) => currency)]
    .map(([currency, ofCurrency]) => {
      const byKind = Map.groupBy(ofCurrency, ({ kind }) => kind);
      const of = (kind: MovementKind) => byKind.get(kind) ?? [];
      const sum = (kind: MovementKind) => of(kind).reduce((total, { amountMinor }) => total + amountMinor, 0);
      const [premiumMinor, discountMinor, refundMinor] = [sum("premium"), sum("discount"), sum("refund")];
      const [begunMinor, endedMinor] = [sum("contract"), sum("contract_end")];
      return {
        currency,
        premiumMinor,
        discountMinor,
        refundMinor,
        collectedMinor: premiumMinor + discountMinor + refundMinor,
        begunMinor,
        endedMinor,
        owedMinor: begunMinor + endedMinor,
        contractsBegun: of("contract").length,
        contractsEnded: of("contract_end").length,
      };
    })
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

export function commissionTotals(counted: readonly CountedCommission[]): CommissionTotals {
  const sum = (type: "front" | "air", isRefund: boolean) =>
    counted
      .filter(
        ({ commission }) => commission.type === type && (commission.billingType === "refunded") === isRefund,
      )
      .reduce((total, { amountMinor }) => total + amountMinor, 0);
  const [frontMinor, frontRefundedMinor] = [sum("front", false), sum("front", true)];
  const [airMinor, airRefundedMinor] = [sum("air", false), sum("air", true)];
  return {
    frontMinor,
    frontRefundedMinor,
    airMinor,
    airRefundedMinor,
    earnedMinor: frontMinor + frontRefundedMinor + airMinor + airRefundedMinor,
  };
}

function balancesOf(premiums: readonly PremiumTotals[], commissions: CommissionTotals | null): Balance[] {
  const balances = new Map(premiums.map(({ currency, owedMinor }) => [currency, owedMinor]));
  if (commissions !== null)
    balances.set(COMMISSION_CURRENCY, (balances.get(COMMISSION_CURRENCY) ?? 0) - commissions.earnedMinor);
  return [...balances].map(([currency, amountMinor]) => ({ currency, amountMinor }));
}
