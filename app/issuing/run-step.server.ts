/** Runs the step that next-step.ts chose. Those at the insurer are in plan-steps.server.ts. */
import { itemKeyOf, type OrderTag } from "#app/orders/book/events.ts";
import { z } from "zod";
import { claimLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { mailContracts } from "./contract-mail.server.ts";
import { startFlows } from "./contract-flows.server.ts";
import { isLink } from "#app/platform/web-address.ts";
import { Rejected } from "#app/insurance/errors.ts";
import { updateQuotes } from "#app/quotes/of-orders/update-quotes.server.ts";
import { NotConnectedError } from "#app/merchants/account-errors.ts";
import { openStoredConnection } from "#app/merchants/accounts.server.ts";
import { toInsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { itemRow } from "#app/orders/book/projection.ts";
import type { ItemState } from "#app/orders/book/item-states.ts";
import { isShownAsSold } from "#app/orders/book/quote-rules.ts";
import type { Quote } from "#app/orders/book/quotes.ts";
import { openTask } from "#app/orders/tasks/tasks.server.ts";
import { writeOrderMetafield } from "#app/shopify/app-data.server.ts";
import { AdminRefused } from "#app/shopify/errors.ts";
import { createFulfilment, readFulfilmentOrders } from "#app/shopify/fulfilment.server.ts";
import { changeOrderTags } from "#app/shopify/order-tags.server.ts";
import type { OrderCover } from "../../extensions/cover/src/cover.ts";
import { noteConnectionFailure } from "./account.server.ts";
import {
  cancelOrderPlans,
  lookUpCancelled,
  createPlan,
  handOver,
  lookUpPlans,
  noteInsurerResponse,
  type StepContext,
  type StepResult,
  appended,
} from "./plan-steps.server.ts";
import { type InsurerStep, itemsToFulfil, type Step } from "./next-step.ts";
import { toNewOrder } from "./insurer-requests.ts";
import { type CoveredItem, orderCover, planLinesToFulfil } from "./shop-steps.ts";
import { appendStep, type Lease, type WorkingOrder } from "./working-order.server.ts";

/** @throws InsuranceError, NotConnectedError, ShopError: not done, try again later */
export async function runStep(
  working: WorkingOrder,
  lease: Lease,
  step: Exclude<Step, { do: "nothing" | "wait" }>,
): Promise<StepResult> {
  switch (step.do) {
    case "doubt":
      return appended(working, () => [
        {
          type: "doubted",
          items: step.items.map(itemKeyOf),
          why: step.why,
        },
      ]);
    case "mail_contracts":
      return { working: await mailContracts(working, step.items) };
    case "start_flows":
      return { working: await startFlows(working, step.items) };
    case "fulfil":
      return { working: await fulfilPlanLines(working) };
    case "update_quotes":
      await updateQuotes(working.shop, working.orderId);
      return { working: { ...working, skips: [...working.skips, "update_quotes"] } };
    case "show_cover":
      return { working: await showCover(working) };
    case "tag":
      return { working: await tagOrder(working, step.tags) };
    default:
      return requestStep(working, lease, step);
  }
}

async function requestStep(working: WorkingOrder, lease: Lease, step: InsurerStep): Promise<StepResult> {
  const { shop, environment, connection: stored } = working;
  const recordLater: StepResult = { working: { ...working, skips: [...working.skips, "record"] } };
  if (stored === null) {
    // Sales data of an order can wait until the merchant has connected: the backfill sends it.
    if (step.do === "record") return recordLater;
    await openTask({ shop, kind: "connection", details: { problem: "missing" } });
    throw new NotConnectedError(shop);
  }
  // This store knows nothing of the order, and is not to.
  if (step.do === "record" && working.isSoldByPreviousStore) return recordLater;
  const opened = openStoredConnection(shop, environment, stored);
  const { client, phoneNumber, state: connectionState } = toInsuranceConnection(environment, opened);
  try {
    return await callInsurer({ working, lease, client, phoneNumber, connectionState }, step);
  } catch (error) {
    await noteConnectionFailure(shop, environment, error);
    throw error;
  }
}

async function callInsurer(context: StepContext, step: InsurerStep): Promise<StepResult> {
  switch (step.do) {
    case "request":
      return createPlan(context, step.item, step.attempt);
    case "look_up":
      return lookUpPlans(context, step.items);
    case "record":
      return sendSalesRecord(context);
    case "cancel":
      return cancelOrderPlans(context, step.attempt);
    case "look_up_cancelled":
      return lookUpCancelled(context, step.items);
    case "hand_over":
      return handOver(context, step.item);
  }
}

/**
 * Sends the order's sales record to the insurer, insured or not. Safe to repeat: an order has one reference, so what
 * arrives twice is the same order.
 * @throws InsuranceError where it may be recorded later
 */
async function sendSalesRecord(context: StepContext): Promise<StepResult> {
  const { working, client } = context;
  try {
    await client.orders.record(toNewOrder(working.orderId, working.order));
    await noteInsurerResponse(context);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { insurerMessage: message } = error;
    return appended(working, () => [{ type: "sales_record", outcome: "refused", message }]);
  }
  return appended(working, () => [{ type: "sales_record", outcome: "recorded", message: null }]);
}

// Steps that make the shop's order show what is insured: its fulfilment, its cover and its tags.

/**
 * Fulfils the lines of plans whose contract exists and whose product is sent, so that orders close: a line without
 * shipping has to be fulfilled as well. What is fulfilled stays so when the plan is cancelled: nothing has to be sent
 * back. Safe to repeat. What Shopify does not let be fulfilled now, because it is on hold or another app's, is
 * retried later.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
async function fulfilPlanLines(working: WorkingOrder): Promise<WorkingOrder> {
  const { shop, orderId } = working;
  const due = itemsToFulfil(working);
  const done: WorkingOrder = { ...working, skips: [...working.skips, "fulfil"] };
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
  const fulfilled = due
    .filter(({ fulfilledAt, lineId }) => fulfilledAt === null && !blocked.includes(lineId))
    .map(itemKeyOf);
  if (fulfilled.length === 0) return done;
  return (await appendStep(done, () => [{ type: "fulfilled", items: fulfilled }])) ?? done;
}

/** @returns the plan lines that cannot be fulfilled now. @throws AdminRefused, AdminUnavailable, NoAccess */
async function fulfil(shop: string, orderId: string, due: readonly { lineId: string }[]): Promise<string[]> {
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
async function showCover(working: WorkingOrder): Promise<WorkingOrder> {
  const { coverDigest } = working.order;
  const content = coverOf(working, await readDocuments(working));
  const metafield = { key: "cover", content, written: coverDigest } as const;
  const digest = await writeOrderMetafield(working.shop, working.orderId, metafield);
  const done: WorkingOrder = { ...working, skips: [...working.skips, "show_cover"] };
  if (digest === null || digest === coverDigest) return done;
  return (await appendStep(done, () => [{ type: "shown", digest }])) ?? done;
}

/**
 * Adds and removes Parasol's tags, and no others. Safe to repeat. What the shop refuses, such as an order that was
 * deleted, waits for the next change.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
async function tagOrder(working: WorkingOrder, tags: readonly OrderTag[]): Promise<WorkingOrder> {
  const { shop, orderId } = working;
  const done: WorkingOrder = { ...working, skips: [...working.skips, "tag"] };
  const known = working.order.tags;
  try {
    await changeOrderTags(shop, orderId, {
      add: tags.filter((tag) => !known.includes(tag)),
      remove: known.filter((tag) => !tags.includes(tag)),
    });
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to change the order's tags: Shopify refused");
    return done;
  }
  return (await appendStep(done, () => [{ type: "tagged", tags: [...tags] }])) ?? done;
}

/** The legal documents of the categories of contracts that came from quotes, by category. */
async function readDocuments({ shop, order, environment }: WorkingOrder): Promise<Map<string, Documents>> {
  const sold = order.quotes.filter((quote) => isShownAsSold(order, quote));
  if (sold.length === 0) return new Map();
  const categoryId = { in: sold.map(({ planned }) => planned.categoryId) };
  const rows = await db.category.findMany({
    where: { shop, environment, categoryId },
    select: { categoryId: true, legal: true },
  });
  return new Map(rows.map((row) => [row.categoryId, documents.parse(row.legal)]));
}

const documents = z.object({
  conditionsUrl: z
    .string()
    .nullish()
    .transform((address) => address ?? null),
  ipidUrl: z
    .string()
    .nullish()
    .transform((address) => address ?? null),
});
type Documents = z.infer<typeof documents>;

/** attention: the order or its item is gone, and a person has to end the contract. */
const soldStateOf = ({ reason }: Quote): ItemState =>
  reason === null ? "active" : reason === "contract_cancelled" ? "cancelled" : "attention";

function coverOf(working: WorkingOrder, documentsOf: ReadonlyMap<string, Documents>): OrderCover {
  const { shop, orderId, order, environment, withdrawalDays: days, timezone } = working;
  const withdrawal = { url: withdrawalLink(shop, orderId), days, timezone };
  const sold = order.quotes.flatMap((quote) => {
    const { lineId, number: itemNumber, contract, planned } = quote;
    if (contract === null || contract.title === null || !isShownAsSold(order, quote)) return [];
    const none: Documents = { conditionsUrl: null, ipidUrl: null };
    return [
      {
        ...(documentsOf.get(planned.categoryId) ?? none),
        lineId,
        itemNumber,
        contractId: contract.contractId,
        state: soldStateOf(quote),
        expiresOn: contract.expiresOn,
        wanted: true,
        planTitle: contract.title,
        insuredTitle: planned.title,
        insuredAt: null,
      },
    ];
  });
  const items = order.items.map((item) => {
    const row = { ...itemRow(order, item), ...item.sold };
    // Nothing is promised by a word of the insurer that the merchant has yet to explain.
    return item.contract?.status === "listed" && row.state === "active"
      ? { ...row, state: "pending" as const }
      : row;
  });
  const covered = [...items, ...sold]
    .sort((a, b) => (a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : a.itemNumber - b.itemNumber))
    .map((item): CoveredItem => ({
      ...item,
      conditions: linkOrEmpty(item.conditionsUrl),
      ipid: linkOrEmpty(item.ipidUrl),
    }));
  const { cancelledAt } = order;
  return orderCover(
    {
      cancelledAt,
      environment,
      app: env.SHOPIFY_APP_URL,
      withdrawal,
      claims: claimLink(shop, orderId),
    },
    covered,
  );
}

function linkOrEmpty(address: string | null): string {
  return address !== null && isLink(address) ? address : "";
}
