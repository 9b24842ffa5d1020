/** Runs the step that next-step.ts chose. */
import { mailContracts } from "#app/after-sales/contract-mail.server.ts";
import { startFlows } from "#app/after-sales/contract-flows.server.ts";
import { Rejected } from "#app/insurance/errors.ts";
import { updateQuotes } from "#app/leads/order-leads/update-quotes.server.ts";
import { openStoredConnection } from "#app/merchants/accounts.server.ts";
import { toInsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { transitionUnit, type Unit } from "#app/plans/ledger/units.server.ts";
import { closeCustomerDataTask, closeUnitTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { noteConnectionFailure, NotConnectedError } from "./account.server.ts";
import { cancelOrderPlans, createPlan, lookUpPlans, requestManualCancellation } from "./plan-steps.server.ts";
import type { ServiceStep, Step } from "./next-step.ts";
import { toNewOrder } from "./service-requests.ts";
import { fulfilPlanLines, showCover } from "./shop-steps.server.ts";
import { afterTransition, noteServiceResponse, type StepContext, type StepResult } from "./step.server.ts";
import type { Lease, WorkingOrder, WorkingUnit } from "./working-order.server.ts";

/** @throws InsuranceError, NotConnectedError, ShopError: not done, try again later */
export async function runStep(
  order: WorkingOrder,
  lease: Lease,
  step: Exclude<Step<WorkingUnit>, { do: "nothing" }>,
): Promise<StepResult> {
  switch (step.do) {
    case "mark_worker_lost":
      return afterTransition(order, await transitionUnit(step.unit, "worker_lost"));
    case "withdraw":
      return withdraw(order, step.unit);
    case "recheck":
      return recheck(order, step.unit);
    case "mail_contracts":
      return { order: await mailContracts(order, step.units) };
    case "start_flows":
      return { order: await startFlows(order, step.units) };
    case "fulfil":
      return { order: await fulfilPlanLines(order) };
    case "update_quotes":
      await updateQuotes(order.shop, order.orderId);
      return { order: { ...order, skips: [...order.skips, "update_quotes"] } };
    case "show_cover":
      return { order: await showCover(order) };
    default:
      return requestStep(order, lease, step);
  }
}

async function requestStep(
  order: WorkingOrder,
  lease: Lease,
  step: ServiceStep<WorkingUnit>,
): Promise<StepResult> {
  const { shop, environment, connection: stored } = order;
  const recordLater: StepResult = { order: { ...order, skips: [...order.skips, "record"] } };
  if (stored === null) {
    // Sales data of an order can wait until the merchant has connected: the backfill sends it.
    if (step.do === "record") return recordLater;
    await openTask({ shop, kind: "connection", details: { problem: "missing" } });
    throw new NotConnectedError(shop);
  }
  // This store knows nothing of the order, and is not to.
  if (step.do === "record" && order.isOfStoreBefore) return recordLater;
  const opened = openStoredConnection(shop, environment, stored);
  const { client, phoneNumber, state: connectionState } = toInsuranceConnection(environment, opened);
  try {
    return await callService({ order, lease, client, phoneNumber, connectionState }, step);
  } catch (error) {
    await noteConnectionFailure(shop, environment, error);
    throw error;
  }
}

async function callService(context: StepContext, step: ServiceStep<WorkingUnit>): Promise<StepResult> {
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

/**
 * Sends the order's sales record to the service, insured or not. Safe to repeat: an order has one reference, so what
 * arrives twice is the same order.
 * @throws InsuranceError where it may be recorded later
 */
async function sendSalesRecord(context: StepContext): Promise<StepResult> {
  const { order, client } = context;
  try {
    await client.orders.record(toNewOrder(order));
    await noteServiceResponse(context);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { shop, orderId } = order;
    const details = { serviceMessage: error.serviceMessage };
    await openTask({ shop, kind: "order_refused", orderId, details });
    return { order: { ...order, salesRecordStatus: "refused" } };
  }
  return { order: { ...order, salesRecordStatus: "recorded" } };
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
