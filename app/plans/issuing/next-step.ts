/**
 * What to do next for an order, given all that is known of it. Pure: every mix of facts is a row in
 * test/plans/issuing/next-step.test.ts. Work is level-triggered: it does not matter which event, job or person started it.
 */
import { mayHaveContract } from "#app/plans/ledger/unit-states.ts";
import type { UnitState } from "#app/plans/ledger/unit-states.ts";

export interface UnitFacts {
  state: UnitState;
  wanted: boolean;
  contractId: string | null;
}

export interface OrderFacts<Unit extends UnitFacts> {
  paid: boolean;
  cancelled: boolean;
  /** what the service knows of the order */
  record: OrderRecord;
  units: readonly Unit[];
}

/** What the service knows of an order: nothing yet; recorded; it refused the record; cancelled. */
export const orderRecords = ["none", "recorded", "refused", "cancelled"] as const;
export type OrderRecord = (typeof orderRecords)[number];

export type Step<Unit> =
  /** Whoever was creating this one is gone. */
  | { do: "abandon"; unit: Unit }
  /** Its creation was asked; find out what became of it. */
  | { do: "look"; units: Unit[] }
  /** It has no contract and is not to get one. */
  | { do: "drop"; unit: Unit }
  | { do: "create"; unit: Unit }
  /** Tell the service of the order. */
  | { do: "record" }
  /** Cancel the order at the service, with all its contracts. */
  | { do: "cancel"; units: Unit[] }
  /** The service only cancels whole orders: ask the merchant to have this one contract cancelled. */
  | { do: "ask_to_cancel"; unit: Unit }
  | { do: "nothing" };

export function nextStep<Unit extends UnitFacts>(order: OrderFacts<Unit>): Step<Unit> {
  const { units } = order;
  const abandoned = units.find(({ state }) => state === "creating");
  if (abandoned) return { do: "abandon", unit: abandoned };
  // Nothing else is asked while an answer is open: two equal units could not be told apart afterwards.
  const unknown = units.filter(({ state }) => state === "unknown");
  if (unknown.length > 0) return { do: "look", units: unknown };

  const wanted = units.filter((unit) => unit.wanted && !order.cancelled);
  const ending = units.filter((unit) => !wanted.includes(unit) && unit.state !== "cancelled");
  const toDrop = ending.find((unit) => !mayHaveContract(unit));
  if (toDrop) return { do: "drop", unit: toDrop };

  const toCreate = order.paid ? wanted.find(({ state }) => state === "pending") : undefined;
  if (toCreate) return { do: "create", unit: toCreate };
  if (order.paid && order.record === "none") return { do: "record" };

  const stillInsured = wanted.some(({ state }) => state !== "cancelled");
  if (!stillInsured && isToCancel(order, ending)) return { do: "cancel", units: ending };
  const alone = ending.find(({ state }) => state === "active" || state === "cancelling");
  return alone ? { do: "ask_to_cancel", unit: alone } : { do: "nothing" };
}

/**
 * Whether the service has to be asked to cancel the order. Where it was asked and would not (its record says so), what
 * is left is in the merchant's hands, and asking again would not end.
 */
function isToCancel<Unit extends UnitFacts>(order: OrderFacts<Unit>, ending: readonly Unit[]): boolean {
  if (order.record === "cancelled") return ending.some(({ state }) => state !== "attention");
  return ending.length > 0 || (order.cancelled && order.record === "recorded");
}
