/** What a person can do about a plan in its state. The actions themselves: order-actions.server.ts. */
import type { Reason } from "#app/plans/ledger/reasons.ts";
import type { UnitState } from "#app/plans/ledger/unit-states.ts";

export const unitActions = ["retry", "end", "confirm_cancelled", "keep"] as const;
export type UnitAction = (typeof unitActions)[number];

export interface ActionableUnit {
  state: UnitState;
  wanted: boolean;
  contractId: string | null;
  reason: Reason | null;
  /** the merchant alone ended it, and its contract is not cancelled yet */
  canBeKept: boolean;
}

/** Trying again cannot help: the order's page has a form for the one, and there is nothing to do about the other. */
const notRetryable: readonly (Reason | null)[] = ["missing_customer_data", "customer_erased"];

export function availableUnitActions({
  state,
  wanted,
  contractId,
  reason,
  canBeKept,
}: ActionableUnit): UnitAction[] {
  const stuck = state === "refused" || state === "attention";
  return [
    ...(stuck && contractId === null && !notRetryable.includes(reason) ? (["retry"] as const) : []),
    ...(state === "attention" && contractId !== null ? (["confirm_cancelled"] as const) : []),
    ...(canBeKept ? (["keep"] as const) : []),
    ...(wanted && state !== "cancelled" ? (["end"] as const) : []),
  ];
}
