/** What a step works with, and how it leaves the order. */
import type { InsuranceClient } from "#app/insurance/client.ts";
import type { ConnectionState, PhoneNumberNeed } from "#app/merchants/connection.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";
import { noteConnectionRecovery } from "./account.server.ts";
import { type Lease, withUnits, type WorkingOrder } from "./working-order.server.ts";

/** What a request to the service works with. */
export interface StepContext {
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

/** The result of moving one unit; null: it was not in the expected state any more. */
export function afterTransition(order: WorkingOrder, unit: Unit | null): StepResult {
  return unit === null ? "changed" : { order: withUnits(order, [unit]) };
}

/** The service has carried out, or decided, a request of this step: a state that says otherwise is over. */
export async function noteServiceResponse({ order, connectionState }: StepContext): Promise<void> {
  if (connectionState !== "accepted") await noteConnectionRecovery(order.shop, order.environment);
}
