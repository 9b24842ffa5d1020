/** A difference between the books and the insurer's figures. Its texts are in settlement.json of app/locales. */

export const differenceKinds = [
  "missing_there",
  "missing_here",
  "price",
  "currency",
  "cancelled_only_here",
  "cancelled_only_there",
  "refunded_without_cancellation",
  "wrong_store",
  "wrong_period",
  "commission_missing",
  "commission_twice",
  // Spec, "Commission rules on Sales": annual, monthly with an advance, monthly without.
  "sale_rule_1",
  "sale_rule_2",
  "sale_rule_3",
  // Spec, "Rules on Commission `type`": front monthly, front annual, air monthly, air annual.
  "commission_rule_1",
  "commission_rule_2",
  "commission_rule_3",
  "commission_rule_4",
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** What one side shows: an amount in minor units, a day, or a word such as a point of sale. */
export type Shown = { minor: number; currency: string } | { day: string } | { text: string };

export interface Difference {
  kind: DifferenceKind;
  contractId: string;
  /** null: no order here has the contract */
  order: { id: string; name: string } | null;
  /** what is in question, minor units */
  amountMinor: number;
  currency: string;
  /** `YYYY-MM-DD` */
  day: string;
  here: Shown | null;
  there: Shown | null;
}

export interface DifferenceGroup {
  kind: DifferenceKind;
  count: number;
  /** by currency, minor units */
  amounts: { currency: string; minor: number }[];
  /** the first of them */
  shown: Difference[];
}

/** The differences by kind, in the order of the kinds. @param limit of those that are shown of each kind */
export function groupDifferences(differences: readonly Difference[], limit: number): DifferenceGroup[] {
  const byKind = Map.groupBy(differences, ({ kind }) => kind);
  return differenceKinds.flatMap((kind) => {
    const ofKind = byKind.get(kind);
    if (ofKind === undefined) return [];
    const amounts = [...Map.groupBy(ofKind, ({ currency }) => currency)].map(([currency, each]) => ({
      currency,
      minor: each.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    }));
    return { kind, count: ofKind.length, amounts, shown: ofKind.slice(0, limit) };
  });
}
