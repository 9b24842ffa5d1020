/** The statement of an order: what became of each premium that its customer paid. The shares add up to the premiums. */
import type { ItemState } from "#app/orders/book/item-states.ts";

export interface StatementItem {
  lineId: string;
  itemNumber: number;
  state: ItemState;
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
  itemNumber: number | null;
  /** the items that its details name; empty where it names none */
  items: readonly { lineId: string; itemNumber: number }[];
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
  unaccounted: { lineId: string; itemNumber: number }[];
}

/** One statement for each currency of the order's premiums; none where nothing was paid. */
export function statementsOf(
  order: { paid: boolean; cancelled: boolean },
  items: readonly StatementItem[],
  tasks: readonly StatementTask[],
): Statement[] {
  if (!order.paid) return [];
  return [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const shares = { active: 0, underWay: 0, refunded: 0, kept: 0, task: 0, unaccounted: 0 };
    const unaccounted: Statement["unaccounted"] = [];
    for (const item of ofCurrency) {
      const { lineId, itemNumber, premiumMinor } = item;
      const share = shareOf(order, item, tasks);
      shares[share] += premiumMinor;
      if (share === "unaccounted" && premiumMinor > 0) unaccounted.push({ lineId, itemNumber });
    }
    const paidMinor = ofCurrency.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0);
    return { currency, paidMinor, shares, unaccounted };
  });
}

const underWay: readonly ItemState[] = ["pending", "creating", "unknown"];

function shareOf(
  { cancelled }: { cancelled: boolean },
  item: StatementItem,
  tasks: readonly StatementTask[],
): PremiumShare {
  // An item that left the order was refunded with it, or was never to be paid.
  if (!item.wanted && !item.endedInOrder) return "refunded";
  // Before the tasks: an order's new withdrawal is not about what was answered for an earlier one.
  if (item.premiumAnswer === "refunded" || item.premiumAnswer === "kept") return item.premiumAnswer;
  if (tasks.some((task) => isAbout(task, item))) return "task";
  if (!item.wanted || cancelled) return "unaccounted";
  if (item.state === "active") return "active";
  return underWay.includes(item.state) ? "underWay" : "unaccounted";
}

/** Whether a task asks about the premium of an item. */
function isAbout(task: StatementTask, item: StatementItem): boolean {
  const isSame = (each: { lineId: string | null; itemNumber: number | null }) =>
    each.lineId === item.lineId && each.itemNumber === item.itemNumber;
  switch (task.kind) {
    case "customer_data":
      return item.state === "attention" && item.reason === "missing_customer_data";
    case "withdrawal":
      return item.withdrawnAt !== null;
    case "paid_back":
      return item.wanted;
    // They are about contracts that go on or end, whose premiums are decided.
    case "manual_cancellation":
      return false;
    default:
      return isSame(task) || task.items.some(isSame);
  }
}
