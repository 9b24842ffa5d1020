/** Runs the step that next-step.ts chose. Those at the insurance service are in plan-steps.server.ts. */
import { claimLink } from "#app/claims/claim-handover.server.ts";
import { mailContracts } from "./contract-mail.server.ts";
import { startFlows } from "./contract-flows.server.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import { Rejected } from "#app/insurance/errors.ts";
import { updateQuotes } from "#app/quotes/of-orders/update-quotes.server.ts";
import { openStoredConnection } from "#app/merchants/accounts.server.ts";
import { toInsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { transitionUnit, type Unit } from "#app/orders/ledger/units.server.ts";
import { settleCheckTasks } from "#app/orders/tasks/check-tasks.server.ts";
import { closeCustomerDataTask, closeUnitTasks, openTask } from "#app/orders/tasks/tasks.server.ts";
import { withdrawalLink } from "#app/withdrawals/link.server.ts";
import { writeOrderMetafield } from "#app/shopify/app-data.server.ts";
import { AdminRefused } from "#app/shopify/errors.ts";
import { createFulfilment, readFulfilmentOrders } from "#app/shopify/fulfilment.server.ts";
import type { OrderCover } from "../../extensions/cover/src/cover.ts";
import { noteConnectionFailure, NotConnectedError } from "./account.server.ts";
import {
  afterTransition,
  cancelOrderPlans,
  createPlan,
  lookUpPlans,
  noteServiceResponse,
  requestManualCancellation,
  type StepContext,
  type StepResult,
} from "./plan-steps.server.ts";
import { type ServiceStep, type Step, unitsToFulfil } from "./next-step.ts";
import { toNewOrder } from "./insurer-requests.ts";
import { type CoveredUnit, orderCover, planLinesToFulfil } from "./shop-steps.ts";
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
  if (rechecked) await closeWaitingTasks(unit);
  return afterTransition(order, rechecked);
}

/** Ends a unit that has no contract, and closes the tasks about it. */
async function withdraw(order: WorkingOrder, unit: Unit): Promise<StepResult> {
  const withdrawn = await transitionUnit(unit, "withdrawn");
  if (withdrawn && unit.reason !== null) {
    await closeWaitingTasks(unit);
    if (unit.reason === "missing_customer_data") {
      await db.$transaction((tx) => closeCustomerDataTask(tx, unit.shop, unit.orderId, "obsolete"));
    }
  }
  return afterTransition(order, withdrawn);
}

/** Closes what is open about a unit that no longer waits for a person. */
async function closeWaitingTasks(unit: Unit): Promise<void> {
  await closeUnitTasks(unit);
  await db.$transaction((tx) => settleCheckTasks(tx, unit.shop, unit.orderId));
}

// Steps that make the shop's order show what is insured: its fulfilment and its cover.

/**
 * Fulfils the lines of plans whose contract exists and whose product is sent, so that orders close: a line without
 * shipping has to be fulfilled as well. What is fulfilled stays so when the plan is cancelled: nothing has to be sent
 * back. Safe to repeat. What the platform does not let be fulfilled now, because it is on hold or somebody else's, is
 * tried again later.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
async function fulfilPlanLines(order: WorkingOrder): Promise<WorkingOrder> {
  const { shop, orderId, units } = order;
  const due = unitsToFulfil(order);
  const done: WorkingOrder = { ...order, skips: [...order.skips, "fulfil"] };
  let blocked: string[];
  try {
    blocked = await fulfil(shop, orderId, due);
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to fulfil plan lines: the platform refused");
    return done;
  }
  if (blocked.length > 0)
    log.info(
      { shop, orderId },
      "Failed to fulfil plan lines: their fulfilment order is on hold or not shown to the app",
    );
  const isFulfilled = (unit: (typeof units)[number]) =>
    due.includes(unit) && unit.fulfilledAt === null && !blocked.includes(unit.lineId);
  return {
    ...done,
    units: units.map((unit) => (isFulfilled(unit) ? { ...unit, fulfilledAt: new Date() } : unit)),
  };
}

/** @returns the plan lines that cannot be fulfilled now. @throws AdminRefused, AdminUnavailable, NoAccess */
async function fulfil(shop: string, orderId: string, due: { lineId: string }[]): Promise<string[]> {
  const contracts = new Map<string, number>();
  for (const { lineId } of due) contracts.set(lineId, (contracts.get(lineId) ?? 0) + 1);
  // An order that the shop does not show has nothing that can be fulfilled.
  const orders = (await readFulfilmentOrders(shop, orderId)) ?? [];
  const { fulfilments, blocked } = planLinesToFulfil(contracts, orders);
  for (const { fulfilmentOrderId, lines } of fulfilments) {
    await createFulfilment(shop, fulfilmentOrderId, lines);
  }
  return blocked;
}

/**
 * Writes the order's cover into a metafield, which the order status page and the customer's account show
 * (extensions/cover). Nothing personal: everybody with the order's address reads it. An unchanged value is not written
 * again. What the shop refuses, such as an order that was deleted, waits for the next change.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
async function showCover(order: WorkingOrder): Promise<WorkingOrder> {
  const metafield = { key: "cover", content: coverOf(order), written: order.coverDigest } as const;
  const written = await writeOrderMetafield(order.shop, order.orderId, metafield);
  return { ...order, coverDigest: written ?? order.coverDigest, skips: [...order.skips, "show_cover"] };
}

function coverOf(order: WorkingOrder): OrderCover {
  const { shop, orderId, units, soldQuotes, withdrawalDays: days, timezone } = order;
  const withdrawal = { url: withdrawalLink(shop, orderId), days, timezone };
  const sold = soldQuotes.map(({ soldTitle, productTitle, ...quote }) => ({
    ...quote,
    wanted: true,
    planTitle: soldTitle,
    insuredTitle: productTitle,
    insuredAt: null,
  }));
  const covered = [...units, ...sold]
    .sort((a, b) => (a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : a.unitNumber - b.unitNumber))
    .map((unit): CoveredUnit => ({
      ...unit,
      conditions: linkOrEmpty(unit.conditionsUrl),
      ipid: linkOrEmpty(unit.ipidUrl),
    }));
  return orderCover(
    { ...order, app: env.SHOPIFY_APP_URL, withdrawal, claims: claimLink(shop, orderId) },
    covered,
  );
}

function linkOrEmpty(address: string | null): string {
  return address !== null && isLink(address) ? address : "";
}
