/** One step of the work on an order with the insurance service: what it works with, and what became of it. */
import type { InsuranceClient } from "#app/insurance/client.server.ts";
import type { Lease } from "./lease.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";

export interface Work {
  shop: string;
  order: WorkingOrder;
  lease: Lease;
  client: InsuranceClient;
}

/**
 * Done (decide anew from what was returned), the order changed meanwhile (read it again), nothing can be known before a
 * moment, or it was the last step and this is to be noted with the end of the work.
 */
export type StepResult =
  | { units: Unit[]; record?: WorkingOrder["record"] }
  | "changed"
  | { waitUntil: Date }
  | { lastly: WorkingOrder["record"] };

/** A step that moved one unit, or found that it had been moved already. */
export const movedOne = (unit: Unit | null): StepResult => (unit === null ? "changed" : { units: [unit] });
