/** Runs the step that next-step.ts chose. Those at the insurer are in plan-steps.server.ts. */
import { claimLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { mailContracts } from "./contract-mail.server.ts";
import { startFlows } from "./contract-flows.server.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import { Rejected } from "#app/insurance/errors.ts";
import { updateQuotes } from "#app/quotes/of-orders/update-quotes.server.ts";
import { NotConnectedError } from "#app/merchants/account-errors.ts";
import { openStoredConnection } from "#app/merchants/accounts.server.ts";
import { toInsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { transitionItem, type Item } from "#app/orders/ledger/items.server.ts";
import { settleCheckTasks } from "#app/orders/tasks/check-tasks.server.ts";
import { closeCustomerDataTask, closeItemTasks, openTask } from "#app/orders/tasks/tasks.server.ts";
import { writeOrderMetafield } from "#app/shopify/app-data.server.ts";
import { AdminRefused } from "#app/shopify/errors.ts";
import { createFulfilment, readFulfilmentOrders } from "#app/shopify/fulfilment.server.ts";
import type { OrderCover } from "../../extensions/cover/src/cover.ts";
import { noteConnectionFailure } from "./account.server.ts";
import {
  afterTransition,
  cancelOrderPlans,
  createPlan,
  lookUpPlans,
  noteInsurerResponse,
  requestManualCancellation,
  type StepContext,
  type StepResult,
} from "./plan-steps.server.ts";
import { type InsurerStep, type Step, itemsToFulfil } from "./next-step.ts";
import { toNewOrder } from "./insurer-requests.ts";
import { type CoveredItem, orderCover, planLinesToFulfil } from "./shop-steps.ts";
import type { Lease, WorkingOrder, WorkingItem } from "./working-order.server.ts";

/** @throws InsuranceError, NotConnectedError, ShopError: not done, try again later */
export async function runStep(
  order: WorkingOrder,
  lease: Lease,
  step: Exclude<Step<WorkingItem>, { do: "nothing" }>,
): Promise<StepResult> {
  switch (step.do) {
    case "mark_worker_lost":
      return afterTransition(order, await transitionItem(step.item, "worker_lost"));
    case "withdraw":
      return withdraw(order, step.item);
    case "recheck":
      return recheck(order, step.item);
    case "mail_contracts":
      return { order: await mailContracts(order, step.items) };
    case "start_flows":
      return { order: await startFlows(order, step.items) };
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
  step: InsurerStep<WorkingItem>,
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
  if (step.do === "record" && order.isSoldByPreviousStore) return recordLater;
  const opened = openStoredConnection(shop, environment, stored);
  const { client, phoneNumber, state: connectionState } = toInsuranceConnection(environment, opened);
  try {
    return await callInsurer({ order, lease, client, phoneNumber, connectionState }, step);
  } catch (error) {
    await noteConnectionFailure(shop, environment, error);
    throw error;
  }
}

async function callInsurer(context: StepContext, step: InsurerStep<WorkingItem>): Promise<StepResult> {
  switch (step.do) {
    case "create":
      return createPlan(context, step.item);
    case "look_up":
      return lookUpPlans(context, step.items);
    case "record":
      return sendSalesRecord(context);
    case "cancel":
      return cancelOrderPlans(context, step.items);
    case "request_manual_cancellation":
      return requestManualCancellation(context, step.item);
  }
}

/**
 * Sends the order's sales record to the insurer, insured or not. Safe to repeat: an order has one reference, so what
 * arrives twice is the same order.
 * @throws InsuranceError where it may be recorded later
 */
async function sendSalesRecord(context: StepContext): Promise<StepResult> {
  const { order, client } = context;
  try {
    await client.orders.record(toNewOrder(order));
    await noteInsurerResponse(context);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { shop, orderId } = order;
    const details = { insurerMessage: error.insurerMessage };
    await openTask({ shop, kind: "order_refused", orderId, details });
    return { order: { ...order, salesRecordStatus: "refused" } };
  }
  return { order: { ...order, salesRecordStatus: "recorded" } };
}

/** Has the insurer's list decide whether an item that is to end has a contract. */
async function recheck(order: WorkingOrder, item: Item): Promise<StepResult> {
  const rechecked = await transitionItem(item, "recheck", { responded: true });
  if (rechecked) await closeWaitingTasks(item);
  return afterTransition(order, rechecked);
}

/** Ends an item that has no contract, and closes the tasks about it. */
async function withdraw(order: WorkingOrder, item: Item): Promise<StepResult> {
  const withdrawn = await transitionItem(item, "withdrawn");
  if (withdrawn && item.reason !== null) {
    await closeWaitingTasks(item);
    if (item.reason === "missing_customer_data") {
      await db.$transaction((tx) => closeCustomerDataTask(tx, item.shop, item.orderId, "obsolete"));
    }
  }
  return afterTransition(order, withdrawn);
}

/** Closes what is open about an item that no longer waits for a person. */
async function closeWaitingTasks(item: Item): Promise<void> {
  await closeItemTasks(item);
  await db.$transaction((tx) => settleCheckTasks(tx, item.shop, item.orderId));
}

// Steps that make the shop's order show what is insured: its fulfilment and its cover.

/**
 * Fulfils the lines of plans whose contract exists and whose product is sent, so that orders close: a line without
 * shipping has to be fulfilled as well. What is fulfilled stays so when the plan is cancelled: nothing has to be sent
 * back. Safe to repeat. What Shopify does not let be fulfilled now, because it is on hold or somebody else's, is
 * tried again later.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
async function fulfilPlanLines(order: WorkingOrder): Promise<WorkingOrder> {
  const { shop, orderId, items } = order;
  const due = itemsToFulfil(order);
  const done: WorkingOrder = { ...order, skips: [...order.skips, "fulfil"] };
  let blocked: string[];
  try {
    blocked = await fulfil(shop, orderId, due);
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to fulfil plan lines: Shopify refused");
    return done;
  }
  if (blocked.length > 0)
    log.info(
      { shop, orderId },
      "Failed to fulfil plan lines: their fulfilment order is on hold or not shown to the app",
    );
  const isFulfilled = (item: (typeof items)[number]) =>
    due.includes(item) && item.fulfilledAt === null && !blocked.includes(item.lineId);
  return {
    ...done,
    items: items.map((item) => (isFulfilled(item) ? { ...item, fulfilledAt: new Date() } : item)),
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
  const { shop, orderId, items, soldQuotes, withdrawalDays: days, timezone } = order;
  const withdrawal = { url: withdrawalLink(shop, orderId), days, timezone };
  const sold = soldQuotes.map(({ soldTitle, productTitle, ...quote }) => ({
    ...quote,
    wanted: true,
    planTitle: soldTitle,
    insuredTitle: productTitle,
    insuredAt: null,
  }));
  const covered = [...items, ...sold]
    .sort((a, b) => (a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : a.itemNumber - b.itemNumber))
    .map((item): CoveredItem => ({
      ...item,
      conditions: linkOrEmpty(item.conditionsUrl),
      ipid: linkOrEmpty(item.ipidUrl),
    }));
  return orderCover(
    { ...order, app: env.SHOPIFY_APP_URL, withdrawal, claims: claimLink(shop, orderId) },
    covered,
  );
}

function linkOrEmpty(address: string | null): string {
  return address !== null && isLink(address) ? address : "";
}
