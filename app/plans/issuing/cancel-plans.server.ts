/** Cancels at the service. It only cancels whole orders, with all their contracts (spec, "Endpoints" note 6). */
import { NotFound, Rejected } from "#app/insurance/errors.ts";
import { db } from "#app/platform/db.server.ts";
import { writeRecord } from "./working-order.server.ts";
import { movedOne } from "./step.server.ts";
import type { StepResult, Work } from "./step.server.ts";
import { closeUnitTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { noteRecovery } from "./connection-trouble.server.ts";
import { moveUnit } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";

/**
 * Cancels the order and its contracts. Safe to repeat: cancelled twice is cancelled.
 * @throws InsuranceError where later may be better
 */
export async function cancelOrderPlans(work: Work, units: Unit[]): Promise<StepResult> {
  const { shop, order, client } = work;
  const cancelling: Unit[] = [];
  for (const unit of units) {
    const moved = unit.state === "cancelling" ? unit : await moveUnit(unit, "cancel");
    if (!moved) return "changed";
    cancelling.push(moved);
  }
  try {
    await client.orders.cancel(order.orderId);
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Rejected)) throw error;
    // It does not know the order, or will not: then each contract has to be seen to by itself.
    const seen: Unit[] = [];
    for (const unit of cancelling) {
      const result = await askToCancel(work, unit, error.message);
      if (typeof result === "string" || !("units" in result)) return result;
      seen.push(...result.units);
    }
    await writeRecord(shop, order.orderId, "cancelled");
    return { units: seen, record: "cancelled" };
  }
  if (units.some(({ state }) => state === "cancelling")) await noteRecovery(shop, order.environment);
  const cancelled: Unit[] = [];
  for (const unit of cancelling) {
    const moved = await moveUnit(unit, "cancelled", { note: "the order was cancelled at the service" });
    if (!moved) return "changed";
    await closeUnitTasks(moved);
    cancelled.push(moved);
  }
  await writeRecord(shop, order.orderId, "cancelled");
  return { units: cancelled, record: "cancelled" };
}

/**
 * One contract has to go and others stay: a task tells the merchant which, unless it is cancelled already.
 * @param words the service's reason, where it was asked and refused
 * @throws InsuranceError
 */
export async function askToCancel({ shop, client }: Work, unit: Unit, words = ""): Promise<StepResult> {
  const { orderId, lineId, unit: piece, planTitle, contractId } = unit;
  if (contractId === null) throw new Error(`Unit ${orderId}/${lineId}/${piece} has no contract to cancel`);
  const plan = await client.plans.get(contractId).catch((error: unknown) => {
    // Whether a contract that the service does not show is in force only a person can find out.
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (plan?.status === "cancelled") {
    const gone = await moveUnit(unit, "found_cancelled", { note: `contract ${contractId} is cancelled` });
    return movedOne(gone);
  }
  return db.$transaction(async (transaction) => {
    const handed = await moveUnit(unit, "hand_over", { reason: "cancel_by_hand", note: words, transaction });
    if (!handed) return "changed";
    const details = { contractId, planTitle, words };
    await openTask({ shop, kind: "cancel_by_hand", orderId, lineId, unit: piece, details }, transaction);
    return { units: [handed] };
  });
}
