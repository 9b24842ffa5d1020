/** One step of issuing: what it works with, and its outcome. */
import type { InsuranceClient } from "#app/insurance/client.ts";
import type { ConnectionState, PhoneNumberNeed } from "#app/merchants/connection.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";
import type { Lease } from "./lease.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";

export interface StepContext {
  shop: string;
  order: WorkingOrder;
  lease: Lease;
  client: InsuranceClient;
  /** whether contracts of this account need the customer's phone number */
  phoneNumber: PhoneNumberNeed;
  /** what is stored of the account, as the order was read */
  connectionState: ConnectionState;
}

/** The order as the step left it; or it was changed meanwhile by somebody else; or nothing can be known before a time. */
export type StepResult = { order: WorkingOrder } | "changed" | { waitUntil: Date };

/** The order with some of its units as they are now. */
export function withUnits(order: WorkingOrder, units: readonly Unit[]): WorkingOrder {
  const keyOf = ({ lineId, unitNumber }: Unit) => `${lineId} ${unitNumber}`;
  const moved = new Map(units.map((unit) => [keyOf(unit), unit]));
  return { ...order, units: order.units.map((unit) => moved.get(keyOf(unit)) ?? unit) };
}

/** The result of moving one unit; null: it was not in the expected state any more. */
export function afterTransition(order: WorkingOrder, unit: Unit | null): StepResult {
  return unit === null ? "changed" : { order: withUnits(order, [unit]) };
}
