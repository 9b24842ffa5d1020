/**
 * What to do next for an order, given all that is stored of it. Issuing is level-triggered: it does not matter which
 * webhook, job or person started it. Every mix of states is a row in test/plans/issuing/next-step.test.ts.
 */
import type { Reason } from "#app/plans/ledger/reasons.ts";
import { mayHaveContract } from "#app/plans/ledger/unit-states.ts";
import type { UnitState } from "#app/plans/ledger/unit-states.ts";

export interface UnitSituation {
  state: UnitState;
  wanted: boolean;
  contractId: string | null;
  reason: Reason | null;
}

export interface OrderState<Unit extends UnitSituation> {
  paid: boolean;
  cancelled: boolean;
  salesRecordStatus: SalesRecordStatus;
  units: readonly Unit[];
  /** the sales record is not to be sent now */
  salesRecordDeferred?: true;
}

/** Whether the service has the order's sales record: not yet; recorded; it refused it; the order is cancelled there. */
export const salesRecordStatuses = ["none", "recorded", "refused", "cancelled"] as const;
export type SalesRecordStatus = (typeof salesRecordStatuses)[number];

export type Step<Unit> =
  /** Its creation was interrupted: the worker is gone. */
  | { do: "mark_worker_lost"; unit: Unit }
  /** Their creation was sent; find out what became of it. */
  | { do: "look_up"; units: Unit[] }
  /** It is to end, and the service has not said whether it has a contract. */
  | { do: "recheck"; unit: Unit }
  /** It has no contract and is not to get one. */
  | { do: "withdraw"; unit: Unit }
  | { do: "create"; unit: Unit }
  /** Send the order's sales record. */
  | { do: "record" }
  /** Cancel the order at the service, with all its contracts. */
  | { do: "cancel"; units: Unit[] }
  /** The service only cancels whole orders: a task requests that the merchant have this one contract cancelled. */
  | { do: "request_manual_cancellation"; unit: Unit }
  | { do: "nothing" };

export function nextStep<Unit extends UnitSituation>(order: OrderState<Unit>): Step<Unit> {
  const { units } = order;
  const interrupted = units.find(({ state }) => state === "creating");
  if (interrupted) return { do: "mark_worker_lost", unit: interrupted };
  // Nothing else is sent while an outcome is unknown: two equal units could not be distinguished afterwards.
  const unknown = units.filter(({ state }) => state === "unknown");
  if (unknown.length > 0) return { do: "look_up", units: unknown };

  const wanted = units.filter((unit) => unit.wanted && !order.cancelled);
  const ending = units.filter((unit) => !wanted.includes(unit) && unit.state !== "cancelled");
  const unclear = ending.find(({ state, reason }) => state === "attention" && reason === "contract_unclear");
  if (unclear) return { do: "recheck", unit: unclear };
  const toWithdraw = ending.find((unit) => !mayHaveContract(unit));
  if (toWithdraw) return { do: "withdraw", unit: toWithdraw };

  const toCreate = order.paid ? wanted.find(({ state }) => state === "pending") : undefined;
  if (toCreate) return { do: "create", unit: toCreate };
  if (order.paid && order.salesRecordStatus === "none" && order.salesRecordDeferred !== true) {
    return { do: "record" };
  }

  const stillInsured = wanted.some(({ state }) => state !== "cancelled");
  if (!stillInsured && isToCancel(order, ending)) return { do: "cancel", units: ending };
  const alone = ending.find(({ state }) => state === "active" || state === "cancelling");
  return alone ? { do: "request_manual_cancellation", unit: alone } : { do: "nothing" };
}

/**
 * Whether a cancellation has to be sent. Where the service refused one (the order's status is cancelled all the same),
 * the merchant cancels what is left, and repeating the request would never end.
 */
function isToCancel<Unit extends UnitSituation>(order: OrderState<Unit>, ending: readonly Unit[]): boolean {
  if (order.salesRecordStatus === "cancelled") return ending.some(({ state }) => state !== "attention");
  return ending.length > 0 || (order.cancelled && order.salesRecordStatus === "recorded");
}
