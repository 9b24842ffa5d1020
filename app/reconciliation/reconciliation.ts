/** Reconciliation runs: their kinds and counts, and what a comparison with the service can find. */
import { z } from "zod";
import { planStanding } from "#app/insurance/fields.ts";
import type { Reason, UnitState } from "#app/orders/ledger/unit-states.ts";
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

export interface UnitToCompare {
  state: UnitState;
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

/** What differs between an order's units and its contracts at the service. */
export type Difference<Unit> =
  /** In force in the ledger, but cancelled at the service. */
  | { kind: "cancelled_at_service"; unit: Unit }
  /** In force in the ledger, and the service calls it neither active nor cancelled. */
  | { kind: "unclear_at_service"; unit: Unit; contract: ContractToCompare }
  /** In the ledger, but not at the service. */
  | { kind: "missing_at_service"; unit: Unit; contractId: string }
  /** Cancelled in the ledger, but in force at the service. */
  | { kind: "active_at_service"; unit: Unit }
  /** In force at the service, of no unit, and this unit may be waiting for it. */
  | { kind: "possible_match"; unit: Unit }
  /** In force at the service, and of no unit. */
  | { kind: "unmatched_contract"; contract: ContractToCompare };

/**
 * Compares an order's units with its contracts. What issuing has under way is left out, and a contract whose last day is
 * past: what the service says of it then is not shown, and nothing would have to be done.
 * @param today `YYYY-MM-DD`
 */
export function findDifferences<Unit extends UnitToCompare>(
  units: readonly Unit[],
  contracts: readonly ContractToCompare[],
  today: string,
): Difference<Unit>[] {
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  const found: Difference<Unit>[] = [];
  for (const unit of units) {
    if (unit.contractId === null || isOver(unit, today)) continue;
    const contract = byId.get(unit.contractId);
    const standing = contract && planStanding(contract.status);
    const inForce = unit.state === "active" || unit.state === "attention";
    if (inForce && !contract) found.push({ kind: "missing_at_service", unit, contractId: unit.contractId });
    else if (inForce && standing === "cancelled") found.push({ kind: "cancelled_at_service", unit });
    else if (unit.state === "active" && contract && standing === "unclear")
      found.push({ kind: "unclear_at_service", unit, contract });
    else if (unit.state === "cancelled" && contract && standing !== "cancelled")
      found.push({ kind: "active_at_service", unit });
  }
  const known = new Set(units.map(({ contractId }) => contractId));
  // A creation under way may be about to be assigned any of them.
  if (units.some(({ state }) => state === "creating" || state === "unknown")) return found;
  const isUnclear = ({ state, reason }: Unit) => state === "attention" && reason === "contract_unclear";
  const waiting = units.filter(
    (unit) =>
      unit.contractId === null && (unit.state === "pending" || unit.state === "refused" || isUnclear(unit)),
  );
  for (const contract of contracts) {
    const standing = planStanding(contract.status);
    if (known.has(contract.id) || standing === "cancelled") continue;
    const index = waiting.findIndex((unit) => unit.offerReferenceId === contract.offerReferenceId);
    const candidate = waiting[index];
    // Its task is about this contract already.
    if (candidate && isUnclear(candidate) && standing === "unclear") continue;
    const [unit] = index < 0 ? [] : waiting.splice(index, 1);
    found.push(unit ? { kind: "possible_match", unit } : { kind: "unmatched_contract", contract });
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
