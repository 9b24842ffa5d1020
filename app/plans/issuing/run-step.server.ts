/** Runs the step that next-step.ts chose. */
import type { InsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { transitionUnit } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";
import { closeCustomerDataTask, closeUnitTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { db } from "#app/platform/db.server.ts";
import { cancelOrderPlans, requestManualCancellation } from "./cancel-plans.server.ts";
import { noteConnectionFailure } from "./connection-state.server.ts";
import { createPlan } from "./create-plan.server.ts";
import type { Lease } from "./lease.server.ts";
import { lookUpPlans } from "./look-up-plans.server.ts";
import type { Step } from "./next-step.ts";
import { sendSalesRecord } from "./send-sales-record.server.ts";
import { afterTransition } from "./step.server.ts";
import type { StepContext, StepResult } from "./step.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";

/** There is work for the service and the merchant has no account there. */
export class NotConnectedError extends AppError {
  override name = "NotConnectedError";
  constructor(shop: string) {
    super(`${shop} has paid plans waiting and is not connected to the insurance service`);
  }
}

/**
 * @param readConnection the order's account at the service; null: the merchant is not connected
 * @throws InsuranceError, NotConnectedError
 */
export async function runStep(
  shop: string,
  order: WorkingOrder,
  step: Exclude<Step<Unit>, { do: "nothing" }>,
  lease: Lease,
  readConnection: () => Promise<InsuranceConnection | null>,
): Promise<StepResult> {
  if (step.do === "mark_worker_lost") {
    return afterTransition(order, await transitionUnit(step.unit, "worker_lost"));
  }
  if (step.do === "withdraw") return withdraw(order, step.unit);
  if (step.do === "recheck") return recheck(order, step.unit);
  const connection = await readConnection();
  if (!connection) {
    // Sales data of an order can wait until the merchant has connected: the backfill sends it.
    if (step.do === "record") return { order: { ...order, salesRecordDeferred: true } };
    await openTask({ shop, kind: "connection", details: { problem: "missing" } });
    throw new NotConnectedError(shop);
  }
  // This store knows nothing of the order, and is not to.
  if (step.do === "record" && order.isOfStoreBefore)
    return { order: { ...order, salesRecordDeferred: true } };
  const { client, phoneNumber, state: connectionState } = connection;
  try {
    return await callService({ shop, order, lease, client, phoneNumber, connectionState }, step);
  } catch (error) {
    await noteConnectionFailure(shop, order.environment, error);
    throw error;
  }
}

async function callService(
  context: StepContext,
  step: Exclude<Step<Unit>, { do: "nothing" | "mark_worker_lost" | "withdraw" | "recheck" }>,
): Promise<StepResult> {
  switch (step.do) {
    case "create":
      return createPlan(context, step.unit);
    case "look_up":
      return lookUpPlans(context, step.units);
    case "record":
      return sendSalesRecord(context);
    case "cancel":
      return cancelOrderPlans(context, step.units);
    case "request_manual_cancellation":
      return requestManualCancellation(context, step.unit);
  }
}

/** Has the service's list decide whether a unit that is to end has a contract. */
async function recheck(order: WorkingOrder, unit: Unit): Promise<StepResult> {
  const rechecked = await transitionUnit(unit, "recheck", { responded: true });
  if (rechecked) await closeUnitTasks(unit);
  return afterTransition(order, rechecked);
}

/** Ends a unit that has no contract, and closes the tasks about it. */
async function withdraw(order: WorkingOrder, unit: Unit): Promise<StepResult> {
  const withdrawn = await transitionUnit(unit, "withdrawn");
  if (withdrawn && unit.reason !== null) {
    await closeUnitTasks(unit);
    if (unit.reason === "missing_customer_data") {
      await db.$transaction((tx) => closeCustomerDataTask(tx, unit.shop, unit.orderId, "obsolete"));
    }
  }
  return afterTransition(order, withdrawn);
}
