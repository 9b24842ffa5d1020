/** Reconciliation runs: their kinds and counts, and what a comparison with the insurer can find. */
import { z } from "zod";
import { planStanding } from "#app/insurance/fields.ts";
import type { Reason, ItemState } from "#app/orders/book/item-states.ts";
import { isOver } from "#app/withdrawals/withdrawal.ts";
import { isIsoDay } from "#app/platform/day.ts";

export const reconciliationKinds = ["hourly", "backfill"] as const;
export type ReconciliationKind = (typeof reconciliationKinds)[number];
export const reconciliationStates = ["queued", "running", "done", "stopped"] as const;
export type ReconciliationState = (typeof reconciliationStates)[number];

const count = z.int().nonnegative().default(0);
export const reconciliationCounts = z.object({
  /** orders of the shop that were reconciled */
  orders: count,
  /** orders whose webhooks were lost */
  missed: count,
  /** orders of which a cancellation, a refund or an edit had not arrived */
  behind: count,
  /** orders whose issuing was resumed */
  resumed: count,
  /** contracts that were compared */
  contracts: count,
  /** contracts that differed from the ledger */
  different: count,
  /** tasks that were opened */
  tasks: count,
});
export type ReconciliationCounts = z.infer<typeof reconciliationCounts>;

export interface ItemToCompare {
  state: ItemState;
  contractId: string | null;
  offerReferenceId: string;
  reason: Reason | null;
  expiresOn: string | null;
}

export interface ContractToCompare {
  id: string;
  offerReferenceId: string;
  status: string;
}

/** What differs between an order's items and its contracts at the insurer. */
export type Difference<Item> =
  /** In force in the ledger, but cancelled at the insurer. */
  | { kind: "cancelled_at_insurer"; item: Item }
  /** In force in the ledger, and the insurer calls it neither active nor cancelled. */
  | { kind: "unclear_at_insurer"; item: Item; contract: ContractToCompare }
  /** In the ledger, but not at the insurer. */
  | { kind: "missing_at_insurer"; item: Item; contractId: string }
  /** Cancelled in the ledger, but in force at the insurer. */
  | { kind: "active_at_insurer"; item: Item }
  /** In force at the insurer, of no item, and this item may be waiting for it. */
  | { kind: "possible_match"; item: Item }
  /** In force at the insurer, and of no item. */
  | { kind: "unmatched_contract"; contract: ContractToCompare };

/**
 * Compares an order's items with its contracts. What issuing has under way is left out, and a contract whose last day is
 * past: what the insurer says of it then is not shown, and nothing would have to be done.
 * @param today `YYYY-MM-DD`
 */
export function findDifferences<Item extends ItemToCompare>(
  items: readonly Item[],
  contracts: readonly ContractToCompare[],
  today: string,
): Difference<Item>[] {
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  const found: Difference<Item>[] = [];
  for (const item of items) {
    if (item.contractId === null || isOver(item, today)) continue;
    const contract = byId.get(item.contractId);
    const standing = contract && planStanding(contract.status);
    const inForce = item.state === "active" || item.state === "attention";
    if (inForce && !contract) found.push({ kind: "missing_at_insurer", item, contractId: item.contractId });
    else if (inForce && standing === "cancelled") found.push({ kind: "cancelled_at_insurer", item });
    else if (item.state === "active" && contract && standing === "unclear")
      found.push({ kind: "unclear_at_insurer", item, contract });
    else if (item.state === "cancelled" && contract && standing !== "cancelled")
      found.push({ kind: "active_at_insurer", item });
  }
  const known = new Set(items.map(({ contractId }) => contractId));
  // A creation under way may be about to be assigned any of them.
  if (items.some(({ state }) => state === "creating" || state === "unknown")) return found;
  const isUnclear = ({ state, reason }: Item) => state === "attention" && reason === "contract_unclear";
  const waiting = items.filter(
    (item) =>
      item.contractId === null && (item.state === "pending" || item.state === "refused" || isUnclear(item)),
  );
  for (const contract of contracts) {
    const standing = planStanding(contract.status);
    if (known.has(contract.id) || standing === "cancelled") continue;
    const index = waiting.findIndex((item) => item.offerReferenceId === contract.offerReferenceId);
    const candidate = waiting[index];
    // Its task is about this contract already.
    if (candidate && isUnclear(candidate) && standing === "unclear") continue;
    const [item] = index < 0 ? [] : waiting.splice(index, 1);
    found.push(item ? { kind: "possible_match", item } : { kind: "unmatched_contract", contract });
  }
  return found;
}

/** Sales data goes back two years. */
const YEARS = 2;

/** Whether past orders can be sent since a day. @param today `YYYY-MM-DD` in the shop's time zone, as `since` */
export function isBackfillDay(since: string, today: string): boolean {
  const firstDay = `${Number(today.slice(0, 4)) - YEARS}${today.slice(4)}`.replace(/02-29$/, "02-28");
  return isIsoDay(since) && since >= firstDay && since <= today;
}
