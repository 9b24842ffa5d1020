/** The statement of an order: what became of each premium that its customer paid. The shares add up to the premiums. */
import type { UnitState } from "#app/orders/ledger/unit-states.ts";

export interface StatementUnit {
  lineId: string;
  unitNumber: number;
  state: UnitState;
  reason: string | null;
  wanted: boolean;
  /** not wanted any more, and its item is still in the order */
  endedInOrder: boolean;
  premiumMinor: number;
  currency: string;
  withdrawnAt: Date | null;
  /** what the merchant said of the premium of insurance that ended */
  premiumAnswer: string | null;
}

/** An open task, as far as it is about premiums. */
export interface StatementTask {
  kind: string;
  lineId: string | null;
  unitNumber: number | null;
  /** the units that its details name; empty where it names none */
  units: readonly { lineId: string; unitNumber: number }[];
}

export const premiumShares = [
  /** a contract is in force */
  "active",
  /** a contract is being created */
  "underWay",
  /** paid back to the customer, or refunded with its item */
  "refunded",
  /** the merchant decided that it stays paid */
  "kept",
  /** an open task asks about it */
  "task",
  /** none of these: something is wrong */
  "unaccounted",
] as const;
export type PremiumShare = (typeof premiumShares)[number];

export interface Statement {
  currency: string;
  /** what customers paid for insurance, minor units */
  paidMinor: number;
  shares: Record<PremiumShare, number>;
  /** the plans of the share `unaccounted` */
  unaccounted: { lineId: string; unitNumber: number }[];
}

/** One statement for each currency of the order's premiums; none where nothing was paid. */
export function statementsOf(
  order: { paid: boolean; cancelled: boolean },
  units: readonly StatementUnit[],
  tasks: readonly StatementTask[],
): Statement[] {
  if (!order.paid) return [];
  return [...Map.groupBy(units, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const shares = { active: 0, underWay: 0, refunded: 0, kept: 0, task: 0, unaccounted: 0 };
    const unaccounted: Statement["unaccounted"] = [];
    for (const unit of ofCurrency) {
      const { lineId, unitNumber, premiumMinor } = unit;
      const share = shareOf(order, unit, tasks);
      shares[share] += premiumMinor;
      if (share === "unaccounted" && premiumMinor > 0) unaccounted.push({ lineId, unitNumber });
    }
    const paidMinor = ofCurrency.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0);
    return { currency, paidMinor, shares, unaccounted };
  });
}

const underWay: readonly UnitState[] = ["pending", "creating", "unknown"];

function shareOf(
  { cancelled }: { cancelled: boolean },
  unit: StatementUnit,
  tasks: readonly StatementTask[],
): PremiumShare {
  // An item that left the order was refunded with it, or was never to be paid.
  if (!unit.wanted && !unit.endedInOrder) return "refunded";
  // Before the tasks: an order's new withdrawal is not about what was answered for an earlier one.
  if (unit.premiumAnswer === "refunded" || unit.premiumAnswer === "kept") return unit.premiumAnswer;
  if (tasks.some((task) => isAbout(task, unit))) return "task";
  if (!unit.wanted || cancelled) return "unaccounted";
  if (unit.state === "active") return "active";
  return underWay.includes(unit.state) ? "underWay" : "unaccounted";
}

/** Whether a task asks about the premium of a unit. */
function isAbout(task: StatementTask, unit: StatementUnit): boolean {
  const isSame = (each: { lineId: string | null; unitNumber: number | null }) =>
    each.lineId === unit.lineId && each.unitNumber === unit.unitNumber;
  switch (task.kind) {
    case "customer_data":
      return unit.state === "attention" && unit.reason === "missing_customer_data";
    case "withdrawal":
      return unit.withdrawnAt !== null;
    case "paid_back":
      return unit.wanted;
    // They are about contracts that go on or end, whose premiums are decided.
    case "manual_cancellation":
      return false;
    default:
      return isSame(task) || task.units.some(isSame);
  }
}
