/** Cancels at the service, which only cancels whole orders with all their contracts (spec, "Endpoints" note 6). */
import { AppError } from "#app/platform/app-error.ts";
import { NotFound, Rejected } from "#app/insurance/errors.ts";
import { transitionUnit } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";
import { closeUnitTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { db } from "#app/platform/db.server.ts";
import { afterTransition, noteServiceResponse } from "./run-step.server.ts";
import type { StepContext, StepResult } from "./run-step.server.ts";
import { withUnits } from "./working-order.server.ts";

/**
 * Cancels the order and its contracts. Safe to repeat: cancelled twice is cancelled.
 * @throws InsuranceError where later may be better
 */
export async function cancelOrderPlans(context: StepContext, units: Unit[]): Promise<StepResult> {
  const { order, client } = context;
  const cancelling: Unit[] = [];
  for (const unit of units) {
    const moved = unit.state === "cancelling" ? unit : await transitionUnit(unit, "cancel");
    if (!moved) return "changed";
    cancelling.push(moved);
  }
  // The store that is connected now does not know the order: whatever it answers, nothing is cancelled by it.
  if (order.isOfStoreBefore) return requestManualCancellations(context, cancelling, "");
  try {
    await client.orders.cancel(order.orderId);
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Rejected)) throw error;
    // It does not know the order, or refuses: then each contract is cancelled by hand.
    return requestManualCancellations(context, cancelling, error.message);
  }
  await noteServiceResponse(context);
  const cancelled: Unit[] = [];
  for (const unit of cancelling) {
    const moved = await transitionUnit(unit, "cancelled");
    if (!moved) return "changed";
    await closeUnitTasks(moved);
    cancelled.push(moved);
  }
  return { order: { ...withUnits(order, cancelled), salesRecordStatus: "cancelled" } };
}

async function requestManualCancellations(
  context: StepContext,
  units: Unit[],
  serviceMessage: string,
): Promise<StepResult> {
  let { order } = context;
  for (const unit of units) {
    const result = await requestManualCancellation({ ...context, order }, unit, serviceMessage);
    if (result === "changed" || "waitUntil" in result) return result;
    order = result.order;
  }
  return { order: { ...order, salesRecordStatus: "cancelled" } };
}

/**
 * One contract has to end and others stay: a task names it to the merchant, unless it is cancelled already.
 * @param serviceMessage why the service refused to cancel, where it did
 * @throws InsuranceError
 */
export async function requestManualCancellation(
  { order, client }: StepContext,
  unit: Unit,
  serviceMessage = "",
): Promise<StepResult> {
  const { shop, orderId, lineId, unitNumber, planTitle, contractId } = unit;
  if (contractId === null)
    throw new AppError(`Unit ${orderId}/${lineId}/${unitNumber} has no contract to cancel`);
  const plan = await client.plans.get(contractId).catch((error: unknown) => {
    // Whether a contract that the service does not show is in force, only a person can find out.
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (plan?.status === "cancelled") {
    return afterTransition(order, await transitionUnit(unit, "found_cancelled", { note: contractId }));
  }
  return db.$transaction(async (tx) => {
    const move = { reason: "manual_cancellation", note: serviceMessage, transaction: tx } as const;
    const handed = await transitionUnit(unit, "needs_attention", move);
    if (handed) {
      const details = { contractId, planTitle, serviceMessage };
      const task = { shop, kind: "manual_cancellation", orderId, lineId, unitNumber, details } as const;
      await openTask(task, tx);
    }
    return afterTransition(order, handed);
  });
}
