/** The reconciler's steps at the insurer: creates, looks up and cancels plans. */
import { askOnce, lookUpUnclear } from "#app/insurance/ask-once.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import { type InsuranceError, NotFound, Rejected } from "#app/insurance/errors.ts";
import { planStanding } from "#app/insurance/fields.ts";
import type { CreatedPlan, NewPlan, Plan } from "#app/insurance/plans.ts";
import { isAboutPhone, refusedFields } from "#app/insurance/error-message.ts";
import { savePhoneNumberNeed } from "#app/merchants/connection-state.server.ts";
import type { ConnectionState, PhoneNumberNeed } from "#app/merchants/connection.ts";
import type { CustomerField } from "#app/orders/customer.ts";
import type { Reason } from "#app/orders/book/item-states.ts";
import {
  ContractTakenError,
  describeContract,
  transitionItem,
  type Item,
} from "#app/orders/ledger/items.server.ts";
import { settleCheckTasks } from "#app/orders/tasks/check-tasks.server.ts";
import { closeItemTasks, openSurplusTask, openTask } from "#app/orders/tasks/tasks.server.ts";
import { isOver } from "#app/withdrawals/withdrawal.ts";
import { AppError } from "#app/platform/app-error.ts";
import { dayIn, toLocalDay } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { noteConnectionRecovery } from "./account.server.ts";
import { conclusiveAt, hasResponded, toNewPlan } from "./insurer-requests.ts";
import { type Lease, withItems, type WorkingOrder } from "./working-order.server.ts";

/** What a request to the insurer works with. */
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

/** The result of moving one item; null: it was not in the expected state any more. */
export function afterTransition(order: WorkingOrder, item: Item | null): StepResult {
  return item === null ? "changed" : { order: withItems(order, [item]) };
}

/** The insurer has carried out, or decided, a request of this step: a state that says otherwise is over. */
export async function noteInsurerResponse({ order, connectionState }: StepContext): Promise<void> {
  if (connectionState !== "accepted") await noteConnectionRecovery(order.shop, order.environment);
}

/**
 * Stores that the request is about to be sent, sends it, and stores the outcome. Whatever happens in between, the item
 * shows that a contract may exist.
 * @throws InsuranceError where later may be better
 */
export async function createPlan(context: StepContext, item: Item): Promise<StepResult> {
  const { order, lease, client, phoneNumber } = context;
  const { shop } = order;
  if (order.isSoldByPreviousStore)
    return requestAttention(context, item, { reason: "other_account", missing: [] });
  const needsPhone = phoneNumber !== "optional" || order.phoneNeeded === true;
  const request = toNewPlan(order.orderId, item, order.customer, needsPhone);
  if (request.type === "incomplete") {
    // The merchant set that the checkout requires it, but this order has none.
    if (phoneNumber === "asked" && request.missing.includes("phone")) {
      await savePhoneNumberNeed(shop, order.environment, "needed");
    }
    return requestAttention(context, item, request);
  }

  if (isToBeLookedUp(order, item)) return afterTransition(order, await transitionItem(item, "restored"));

  const { plan } = request;
  const fence = { leaseHolder: lease.holder, revision: order.revision };
  const lost = ({ message, status }: InsuranceError) => ({ note: message, responded: hasResponded(status) });
  const result = await askOnce<Item, CreatedPlan, StepResult>({
    canLookUp: true,
    saveIntent: () => transitionItem(item, "send", { fence }),
    request: () => client.plans.create(plan, { maySend: () => lease.isHeld() }),
    saveCreated: async (creating, created) => {
      await noteInsurerResponse(context);
      return afterTransition(order, await activate(creating, created, order.timezone));
    },
    saveRefused: (creating, error) => noteRefusal(context, creating, plan, error),
    saveUncertain: async (creating, error) => {
      // Once more, after the list had shown that there is none: it would be answered so for ever.
      if (error instanceof NotFound && creating.lookedUpAt !== null)
        return afterTransition(order, await refuse(creating, error));
      const isConflict = error instanceof Rejected;
      return afterTransition(
        order,
        isConflict
          ? await doubt(creating, error.message)
          : await transitionItem(creating, "response_lost", lost(error)),
      );
    },
    saveNotDone: (creating, error) => transitionItem(creating, "deferred", lost(error)),
  });
  return result ?? "changed";
}

/** The refusal is final, or names what of the customer a person has to correct. */
async function noteRefusal(
  context: StepContext,
  creating: Item,
  plan: NewPlan,
  error: Rejected,
): Promise<StepResult> {
  const { order } = context;
  const { insurerMessage, message: note } = error;
  const lacking = { reason: "missing_customer_data", note } as const;
  if (plan.customer.phone === null && isAboutPhone(insurerMessage, creating.insuredTitle)) {
    await savePhoneNumberNeed(order.shop, order.environment, "needed");
    const needing = { ...context, order: { ...order, phoneNeeded: true as const } };
    return requestAttention(needing, creating, { ...lacking, missing: ["phone"] });
  }
  const fields = refusedFields(insurerMessage, creating.insuredTitle);
  if (fields.length === 0) return afterTransition(order, await refuse(creating, error));
  // A person corrects them: the order's page has a form for the customer.
  return requestAttention(context, creating, {
    ...lacking,
    missing: [],
    refused: { fields, insurerMessage },
  });
}

/** After a restored backup the insurer may have a plan of every item, until a query shows otherwise. */
const isToBeLookedUp = ({ restoredAt }: WorkingOrder, { lookedUpAt }: Item): boolean =>
  restoredAt !== null && (lookedUpAt === null || lookedUpAt < restoredAt);

const required = (fields: readonly CustomerField[]) => fields.filter((field) => field !== "address2");

/** A contract that the response does not call active, or whose number another item has, is not believed. */
async function activate(item: Item, created: CreatedPlan, timezone: string): Promise<Item | null> {
  const { contractId, status } = created;
  const dayOf = (date: string | null) => (date === null ? undefined : dayIn(timezone, date));
  if (planStanding(status) !== "active") return doubt(item, describeContract(contractId, status));
  try {
    return await transitionItem(item, "created", {
      contractId,
      activatesOn: dayOf(created.activationDate),
      expiresOn: dayOf(created.expirationDate),
      note: contractId,
    });
  } catch (error) {
    if (!(error instanceof ContractTakenError)) throw error;
    return doubt(item, error.message);
  }
}

/** The look-up decides by the insurer's own list; where that shows no active contract, a person does. */
async function doubt(item: Item, note: string): Promise<Item | null> {
  return transitionItem(item, "doubted", { reason: "contract_unclear", note, responded: true });
}

async function refuse(item: Item, { insurerMessage, message }: InsuranceError): Promise<Item | null> {
  return db.$transaction(async (tx) => {
    const move = { reason: "refused_by_insurer", note: message, transaction: tx } as const;
    const refused = await transitionItem(item, "refused", move);
    if (refused) {
      const { shop, orderId, lineId, itemNumber, planTitle } = item;
      const details = { planTitle, insurerMessage };
      const task = { shop, kind: "plan_refused", orderId, lineId, itemNumber, details } as const;
      await openTask(task, tx);
    }
    return refused;
  });
}

interface Lacking {
  reason: Reason;
  missing: readonly CustomerField[];
  /** what the insurer does not take as it is */
  refused?: { fields: CustomerField[]; insurerMessage: string };
  /** what the insurer said of it */
  note?: string;
}

/** The request lacks something that only a person can add: opens a task about it. */
async function requestAttention(
  { order }: StepContext,
  item: Item,
  { reason, missing, refused, note }: Lacking,
): Promise<StepResult> {
  return db.$transaction(async (tx) => {
    const handed = await transitionItem(item, "needs_attention", { reason, note, transaction: tx });
    if (!handed) return "changed";
    const { shop, orderId, lineId, itemNumber, planTitle } = item;
    const subject = { shop, orderId, lineId, itemNumber };
    if (reason === "missing_customer_data") {
      // One form for the order, however many plans wait for it.
      const details = {
        missing: required(missing),
        refused: refused ? { ...refused, fields: required(refused.fields) } : null,
      };
      await openTask({ shop, kind: "customer_data", orderId, details }, tx);
    } else if (reason === "customer_erased") {
      await openTask({ ...subject, kind: "customer_erased", details: { planTitle } }, tx);
    } else {
      await settleCheckTasks(tx, shop, orderId);
    }
    return afterTransition(order, handed);
  });
}

/**
 * A plan of this order and offer that no item has yet belongs to the item whose response was lost. No plan means none
 * once the consistency delay is over.
 * @throws InsuranceError
 */
export async function lookUpPlans(context: StepContext, unknown: Item[]): Promise<StepResult> {
  const { order, client } = context;
  const email = order.customer?.email ?? undefined;
  const conclusiveOf = (item: Item) => conclusiveAt(item, env.INSURANCE_CONSISTENCY_SECONDS * 1_000);
  if (email === undefined) {
    // Without an address (the customer was erased) the insurer lists every plan of the store: queried once all is final.
    const last = new Date(Math.max(...unknown.map((item) => conclusiveOf(item).getTime())));
    if (order.now < last) return { waitUntil: last };
  }
  const found = await lookUpUnclear<Item, Plan, Item>(unknown, {
    now: order.now,
    list: async () => {
      const plans = await client.plans.list({ customerEmail: email });
      await noteInsurerResponse(context);
      return unassignedPlans(plans, order.orderId, order.items);
    },
    take: (item, left) => takePlan(left, item.offerReferenceId),
    isClear: (item, plan) => !isUnclear(order, item, plan),
    conclusiveAt: conclusiveOf,
    saveFound: (item, plan) => assignPlan(order, item, plan),
    saveMissing: (item, plan) => moveWithoutContract(order, item, plan),
  });
  if (found === "changed") return "changed";
  return found instanceof Date ? { waitUntil: found } : { order: withItems(order, found) };
}

const isWanted = (order: WorkingOrder, item: Item) => item.wanted && !order.cancelled;

/** Only a person can say whether this contract insures anybody. One that is to end is cancelled whatever its status. */
const isUnclear = (order: WorkingOrder, item: Item, plan: Plan) =>
  isWanted(order, item) && planStanding(plan.status) === "unclear";

/** Takes a plan of the offer out of `plans`: an active one first, a cancelled one last. Null: there is none. */
function takePlan(plans: Plan[], offerReferenceId: string): Plan | null {
  for (const standing of ["active", "unclear", "cancelled"]) {
    const index = plans.findIndex(
      (plan) => plan.offerReferenceId === offerReferenceId && planStanding(plan.status) === standing,
    );
    const [plan] = index < 0 ? [] : plans.splice(index, 1);
    if (plan) return plan;
  }
  return null;
}

/** No contract in force was found: the plan is created again, unless that would repeat an unclear response. */
async function moveWithoutContract(order: WorkingOrder, item: Item, plan: Plan | null): Promise<Item | null> {
  const isRepeated = plan !== null || item.reason === "contract_unclear";
  if (!isRepeated || !isWanted(order, item)) return transitionItem(item, "not_found");
  const { shop, orderId, lineId, itemNumber, planTitle } = item;
  return db.$transaction(async (tx) => {
    const response = plan === null ? await readDoubt(item, tx) : describeContract(plan.id, plan.status);
    const move = { reason: "contract_unclear", note: response, transaction: tx } as const;
    const handed = await transitionItem(item, "needs_attention", move);
    if (handed) {
      const details = { planTitle, insurerMessage: response };
      const task = { shop, kind: "contract_unclear", orderId, lineId, itemNumber, details } as const;
      await openTask(task, tx);
    }
    return handed;
  });
}

/** What was unclear in the insurer's last response about the item. */
async function readDoubt({ shop, orderId, lineId, itemNumber }: Item, tx: Transaction): Promise<string> {
  const entry = await tx.itemHistory.findFirst({
    where: { shop, orderId, lineId, itemNumber, cause: "doubted" },
    orderBy: { id: "desc" },
    select: { note: true },
  });
  return entry?.note ?? "";
}

async function assignPlan(order: WorkingOrder, item: Item, plan: Plan): Promise<Item | null> {
  try {
    return await moveToPlan(order, item, plan);
  } catch (error) {
    if (!(error instanceof ContractTakenError)) throw error;
    return moveWithoutContract(order, item, plan);
  }
}

/**
 * A task tells the merchant of a plan that a customer paid for and that somebody cancelled before it was found.
 * @throws ContractTakenError
 */
async function moveToPlan(order: WorkingOrder, item: Item, { id, status }: Plan): Promise<Item | null> {
  const found = { contractId: id, note: id };
  if (planStanding(status) !== "cancelled")
    return db.$transaction(async (tx) => {
      const moved = await transitionItem(item, "found", { ...found, transaction: tx });
      // One that says that there is none would have it ended.
      if (moved) await closeItemTasks(moved, tx);
      return moved;
    });
  return db.$transaction(async (tx) => {
    const moved = await transitionItem(item, "found_cancelled", { ...found, transaction: tx });
    if (moved?.wanted === true && !order.cancelled) {
      const { shop, orderId, lineId, itemNumber, planTitle } = moved;
      const details = { contractId: id, planTitle };
      const task = { shop, kind: "cancelled_elsewhere", orderId, lineId, itemNumber, details } as const;
      await openTask(task, tx);
    }
    return moved;
  });
}

/** The plans of an order that no item of it has. */
function unassignedPlans(plans: Plan[], orderId: string, items: Item[]): Plan[] {
  const assigned = new Set(items.map(({ contractId }) => contractId));
  return plans.filter((plan) => plan.orderReferenceId === orderId && !assigned.has(plan.id));
}

/**
 * Cancels the order and its contracts. Safe to repeat: cancelled twice is cancelled.
 * @throws InsuranceError where later may be better
 */
export async function cancelOrderPlans(context: StepContext, items: Item[]): Promise<StepResult> {
  const { order, client } = context;
  const cancelling: Item[] = [];
  for (const item of items) {
    const moved = item.state === "cancelling" ? item : await transitionItem(item, "cancel");
    if (!moved) return "changed";
    cancelling.push(moved);
  }
  // The store that is connected now does not know the order: whatever it answers, nothing is cancelled by it.
  if (order.isSoldByPreviousStore) return requestManualCancellations(context, cancelling, "");
  try {
    await client.orders.cancel(order.orderId);
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Rejected)) throw error;
    if (error instanceof NotFound) await assertStoreFound(client);
    // It does not know the order, or refuses: then each contract is cancelled by hand.
    const result = await requestManualCancellations(context, cancelling, error.message);
    await openTasksOfRevived(context);
    return result;
  }
  await noteInsurerResponse(context);
  const cancelled: Item[] = [];
  for (const item of cancelling) {
    const moved = await transitionItem(item, "cancelled");
    if (!moved) return "changed";
    await closeItemTasks(moved);
    cancelled.push(moved);
  }
  return { order: { ...withItems(order, cancelled), salesRecordStatus: "cancelled" } };
}

/**
 * Items that had ended, whose contracts the insurer has in force: what the comparison found, and why it cancels the
 * order again.
 */
async function openTasksOfRevived({ order, client }: StepContext): Promise<void> {
  const today = toLocalDay("UTC", order.now);
  for (const item of order.items) {
    const { contractId, state, offerReferenceId } = item;
    if (contractId === null || state !== "cancelled" || isOver(item, today)) continue;
    const plan = await findPlan(client, contractId);
    if (plan !== null && planStanding(plan.status) !== "cancelled")
      await openSurplusTask(order.shop, order.orderId, contractId, offerReferenceId);
  }
}

/** Null: the insurer does not show it. Whether it is in force, only a person can find out. */
async function findPlan(client: InsuranceClient, contractId: string): Promise<Plan | null> {
  return client.plans.get(contractId).catch(async (error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
    await assertStoreFound(client);
    return null;
  });
}

/**
 * "Not found" says something of an order or a contract where the store is found: during a deployment a gateway may say
 * it of everything, and a cancellation that became a person's work is not sent again.
 * @throws InsuranceError
 */
async function assertStoreFound(client: InsuranceClient): Promise<void> {
  await client.categories.list();
}

async function requestManualCancellations(
  context: StepContext,
  items: Item[],
  insurerMessage: string,
): Promise<StepResult> {
  let { order } = context;
  for (const item of items) {
    const result = await requestManualCancellation({ ...context, order }, item, insurerMessage);
    if (result === "changed" || "waitUntil" in result) return result;
    order = result.order;
  }
  return { order: { ...order, salesRecordStatus: "cancelled" } };
}

/**
 * One contract has to end and others stay: a task names it to the merchant, unless it is cancelled already.
 * @param insurerMessage why the insurer refused to cancel, where it did
 * @throws InsuranceError
 */
export async function requestManualCancellation(
  { order, client }: StepContext,
  item: Item,
  insurerMessage = "",
): Promise<StepResult> {
  const { shop, orderId, lineId, itemNumber, planTitle, contractId } = item;
  if (contractId === null)
    throw new AppError(`Item ${orderId}/${lineId}/${itemNumber} has no contract to cancel`);
  const plan = await findPlan(client, contractId);
  if (plan !== null && planStanding(plan.status) === "cancelled") {
    return afterTransition(order, await transitionItem(item, "found_cancelled", { note: contractId }));
  }
  return db.$transaction(async (tx) => {
    const move = { reason: "manual_cancellation", note: insurerMessage, transaction: tx } as const;
    const handed = await transitionItem(item, "needs_attention", move);
    if (handed) {
      const replacement = order.items.find(
        (each) => each.lineId === lineId && each.replacesItem === itemNumber && each.state === "active",
      );
      const replacedBy = replacement && {
        contractId: replacement.contractId ?? "",
        insuredTitle: replacement.insuredTitle ?? "",
      };
      const details = { contractId, planTitle, insurerMessage, replacedBy: replacedBy ?? null };
      const task = { shop, kind: "manual_cancellation", orderId, lineId, itemNumber, details } as const;
      await openTask(task, tx);
    }
    return afterTransition(order, handed);
  });
}
