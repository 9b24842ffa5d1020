/** The reconciler's steps at the insurer: creates, looks up and cancels plans. Each appends its intent, acts, and appends the outcome. */
import { askOnce } from "#app/insurance/ask-once.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import { isAboutPhone, refusedFields } from "#app/insurance/error-message.ts";
import { type InsuranceError, NotFound, Rejected, UnreadableResponse } from "#app/insurance/errors.ts";
import { describeRows } from "#app/insurance/list.ts";
import type { CreatedPlan, NewPlan, Plan } from "#app/insurance/plans.ts";
import { savePhoneNumberNeed } from "#app/merchants/connection-state.server.ts";
import type { ConnectionState, PhoneNumberNeed } from "#app/merchants/connection.ts";
import { findItem } from "#app/orders/book/answers.ts";
import type { Locked } from "#app/orders/book/book.server.ts";
import { type BookEvent, type EventOf, nameOf, itemKeyOf } from "#app/orders/book/events.ts";
import { type Item, standingOf } from "#app/orders/book/evolve.ts";
import { conclusiveAt } from "#app/orders/book/next-contract-step.ts";
import { itemRow } from "#app/orders/book/projection.ts";
import { planFields } from "#app/orders/customer.ts";
import { dayIn, toLocalDay } from "#app/platform/day.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { metrics } from "#app/platform/metrics.server.ts";
import { isOver } from "#app/withdrawals/withdrawal.ts";
import { noteConnectionRecovery } from "./account.server.ts";
import { contractStepOf } from "./next-step.ts";
import { toNewPlan } from "./insurer-requests.ts";
import { contractEvent, contractStatus, lookUpEvents } from "./look-up.ts";
import { appendStep, type Lease, type WorkingOrder } from "./working-order.server.ts";

/** What a request to the insurer works with. */
export interface StepContext {
  working: WorkingOrder;
  lease: Lease;
  client: InsuranceClient;
  /** whether contracts of this account need the customer's phone number */
  phoneNumber: PhoneNumberNeed;
  /** what is stored of the account, as the order was read */
  connectionState: ConnectionState;
}

/** The order as the step left it; or another process changed it meanwhile; or nothing can be known before a time. */
export type StepResult = { working: WorkingOrder } | "changed" | { waitUntil: Date };

/** Null: what the step is about has changed meanwhile. */
const toResult = (working: WorkingOrder | null): StepResult => (working === null ? "changed" : { working });

/** Appends what a step found out; a step that returns nothing else ends with it. */
export const appended = async (...step: Parameters<typeof appendStep>): Promise<StepResult> =>
  toResult(await appendStep(...step));

/** The insurer has carried out, or decided, a request of this step: a state that says otherwise is over. */
export async function noteInsurerResponse({ working, connectionState }: StepContext): Promise<void> {
  if (connectionState !== "accepted") await noteConnectionRecovery(working.shop, working.environment);
}

/** Null where the order, or its customer's data, was changed after the worker had read them: what it lacked may be there. */
const ifCurrent =
  ({ revision }: WorkingOrder, events: readonly BookEvent[]) =>
  (locked: Locked): readonly BookEvent[] | null =>
    locked.revision === revision ? events : null;

/** @throws InsuranceError where later may be better */
export async function createPlan(context: StepContext, item: Item, attempt: number): Promise<StepResult> {
  const { working, lease, client, phoneNumber } = context;
  const needsPhone = phoneNumber !== "optional" || working.phoneNeeded === true;
  const request = toNewPlan(working.orderId, item, working.customer, needsPhone);
  if (working.isSoldByPreviousStore || request.type === "no_insured_line") {
    const finding = working.isSoldByPreviousStore ? "other_account" : "no_insured_line";
    const checked: BookEvent = { type: "checked", items: [itemKeyOf(item)], finding };
    return appended(working, ifCurrent(working, [checked]));
  }
  if (request.type === "no_customer") return appended(working, ifCurrent(working, [{ type: "erased" }]));
  if (request.type === "incomplete") {
    // The merchant set that the checkout requires it, but this order has none.
    if (phoneNumber === "asked" && request.missing.includes("phone"))
      await savePhoneNumberNeed(working.shop, working.environment, "needed");
    const missing = planFields.filter((field) => request.missing.includes(field));
    const lacking: BookEvent = { type: "details_missing", missing, refused: null };
    return appended(working, ifCurrent(working, [lacking]));
  }
  const { plan } = request;
  const answered = (
    outcome: EventOf<"answered">["outcome"],
    message: string | null,
    contractId: string | null = null,
  ): BookEvent => ({
    ...noContract,
    type: "answered",
    item: itemKeyOf(item),
    attempt,
    outcome,
    contractId,
    message,
  });
  const result = await askOnce<WorkingOrder, CreatedPlan, StepResult>({
    canLookUp: true,
    saveIntent: () =>
      appendStep(working, ({ order, leaseHolder }) => {
        const step = contractStepOf({ ...working, order });
        const isDue = step.do === "request" && nameOf(step.item) === nameOf(item) && step.attempt === attempt;
        return leaseHolder === lease.holder && isDue
          ? [{ type: "requested", item: itemKeyOf(item), attempt }]
          : null;
      }),
    request: () => client.plans.create(plan, { maySend: () => lease.isHeld() }),
    saveCreated: async (sent, created) => {
      await noteInsurerResponse(context);
      return toResult(await appendCreated(sent, item, attempt, created));
    },
    saveRefused: (sent, error) => noteRefusal({ ...context, working: sent }, item, attempt, plan, error),
    saveUncertain: (sent, error) => {
      // The list has shown that there is none, and the insurer answers the same again: a retry would never end.
      if (error instanceof NotFound && item.lookedUpAt !== null)
        return appended(sent, () => [answered("refused", error.insurerMessage)]);
      return appended(sent, () => [
        answered(error instanceof Rejected ? "doubtful" : "unclear", error.message, error.namedId),
      ]);
    },
    saveNotDone: (sent, error) => appended(sent, () => [answered("not_done", error.message)]),
  });
  return result ?? "changed";
}

const noContract = { contractId: null, activatesOn: null, expiresOn: null };

/**
 * A contract that the answer does not call active, or whose number another item has, is not believed: the list decides,
 * which is later than the answer.
 */
async function appendCreated(
  sent: WorkingOrder,
  item: Item,
  attempt: number,
  created: CreatedPlan,
): Promise<WorkingOrder | null> {
  const { contractId, status, activationDate, expirationDate } = created;
  const dayOf = (date: string | null) => (date === null ? null : dayIn(sent.timezone, date));
  const today = toLocalDay(sent.timezone, sent.now);
  const days = plausibleDays(dayOf(activationDate), dayOf(expirationDate), today);
  const named = { contractId, ...days };
  const answer = { type: "answered", item: itemKeyOf(item), attempt, ...named } as const;
  const working = await appendStep(sent, async ({ order, tx }) => {
    const isTaken =
      order.items.some(({ contract }) => contract?.contractId === contractId) ||
      (await takenElsewhere(tx, sent, [contractId])).has(contractId);
    if (isTaken || contractStatus(created) !== "active")
      return [{ ...answer, outcome: "doubtful", message: `${contractId} (${status.slice(0, 100)})` }];
    return [
      { ...answer, outcome: "created", message: null },
      {
        ...named,
        type: "contract",
        item: itemKeyOf(item),
        status: "active",
        statusText: status.slice(0, 100),
        referenceId: item.sold.referenceId,
      },
    ];
  });
  if (working) observeDelay(working, [item]);
  return working;
}

/**
 * The days of a new contract. It cannot be over already, or end before it begins: such days say nothing, and the term that
 * was sold counts, so that its customer can withdraw.
 */
function plausibleDays(activatesOn: string | null, expiresOn: string | null, today: string) {
  if (expiresOn !== null && (expiresOn < today || expiresOn <= (activatesOn ?? "")))
    return { activatesOn: null, expiresOn: null };
  return { activatesOn, expiresOn };
}

/** Contract numbers that items of other orders have. */
async function takenElsewhere(
  tx: Transaction,
  { shop, orderId, environment }: WorkingOrder,
  contractIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.insuredItem.findMany({
    where: { shop, environment, contractId: { in: [...contractIds] }, orderId: { not: orderId } },
    select: { contractId: true },
  });
  return new Set(rows.flatMap(({ contractId }) => contractId ?? []));
}

const DAY_S = 86_400;

/**
 * How long after its payment a contract is in force. A task may have waited for a person; and an order may have been
 * reported late, where the merchant was given access to orders, or a backup was restored.
 */
function observeDelay({ order }: WorkingOrder, before: readonly Item[]): void {
  const { paid, items, answers } = order;
  const [firstSold] = items;
  if (paid === null || !firstSold) return;
  for (const item of before) {
    const after = findItem(order, item);
    if (after?.insuredAt == null || item.insuredAt !== null) continue;
    const reportedAfterS = (firstSold.soldAt.getTime() - paid.at.getTime()) / 1_000;
    const hasWaited = after.issuedAt !== null || answers.size > 0;
    metrics.planDelay.observe(
      { waited_for: hasWaited ? "person" : reportedAfterS > DAY_S ? "report" : "insurer" },
      Math.max(0, (after.insuredAt.getTime() - paid.at.getTime()) / 1_000),
    );
  }
}

/** The refusal is final, or names what of the customer a person has to correct. */
async function noteRefusal(
  { working }: StepContext,
  item: Item,
  attempt: number,
  plan: NewPlan,
  { insurerMessage, message }: Rejected,
): Promise<StepResult> {
  const title = item.insured?.title ?? null;
  const answer = { ...noContract, type: "answered", item: itemKeyOf(item), attempt } as const;
  if (plan.customer.phone === null && isAboutPhone(insurerMessage, title)) {
    await savePhoneNumberNeed(working.shop, working.environment, "needed");
    const result = await appendStep(working, ({ revision }) => [
      { ...answer, outcome: "not_done", message },
      ...(revision === working.revision
        ? [{ type: "details_missing" as const, missing: ["phone" as const], refused: null }]
        : []),
    ]);
    return toResult(result && { ...result, phoneNeeded: true });
  }
  const refused = refusedFields(insurerMessage, title);
  const fields = planFields.filter((field) => refused.includes(field));
  if (fields.length === 0)
    return appended(working, () => [{ ...answer, outcome: "refused", message: insurerMessage }]);
  // A person corrects them: the order's page has a form for the customer.
  return appended(working, ({ revision }) => [
    { ...answer, outcome: "not_done", message },
    // Data that was corrected meanwhile is sent as it is now.
    ...(revision === working.revision
      ? [{ type: "details_missing" as const, missing: [], refused: { fields, insurerMessage } }]
      : []),
  ]);
}

/** @throws InsuranceError */
export async function lookUpPlans(context: StepContext, unresolved: readonly Item[]): Promise<StepResult> {
  const { working, client } = context;
  const { orderId } = working;
  const email = working.customer?.email ?? undefined;
  if (email === undefined) {
    // Without an address (the customer was erased) the insurer lists every plan of the store: queried once all is final.
    const times = unresolved.map((item) => conclusiveAt(item, working.conclusiveAfterS).getTime());
    const last = new Date(Math.max(...times));
    if (working.now < last) return { waitUntil: last };
  }
  const { items: listed, problem } = await readPlans(client, email);
  const named = await readNamedPlans(client, unresolved, listed);
  await noteInsurerResponse(context);
  const plans = [...listed, ...named].filter(({ orderReferenceId }) => orderReferenceId === orderId);
  const after = await appendStep(working, async ({ order, tx, now }) => {
    const taken = await takenElsewhere(
      tx,
      working,
      plans.map(({ id }) => id),
    );
    return lookUpEvents(order, {
      plans: plans.filter(({ id }) => !taken.has(id)),
      problem,
      now,
      conclusiveAfterS: working.conclusiveAfterS,
    });
  });
  if (after) observeDelay(after, unresolved);
  return toResult(after);
}

/**
 * The contracts of a customer, without those that cannot be read.
 * @throws InsuranceError where the insurer cannot be reached, or does not accept the account
 */
async function readPlans(
  client: InsuranceClient,
  customerEmail: string | undefined,
): Promise<{ items: Plan[]; problem: string | null }> {
  try {
    const { items, unreadable } = await client.plans.listReadable({ customerEmail });
    return { items, problem: unreadable && describeRows("plans", unreadable) };
  } catch (error) {
    if (!isAboutAnswer(error)) throw error;
    return { items: [], problem: error.message };
  }
}

/** An answer that cannot be read, or a refusal of what was requested: it says nothing, and later ones may. */
const isAboutAnswer = (error: unknown): error is InsuranceError =>
  error instanceof UnreadableResponse || error instanceof Rejected || error instanceof NotFound;

/** The contracts that answers named and the list does not show (yet). */
async function readNamedPlans(
  client: InsuranceClient,
  unresolved: readonly Item[],
  listed: readonly Plan[],
): Promise<Plan[]> {
  const ids = new Set(unresolved.flatMap(({ request }) => request?.named?.contractId ?? []));
  for (const { id } of listed) ids.delete(id);
  const plans: Plan[] = [];
  for (const id of ids) {
    const plan = await client.plans.get(id).catch((error: unknown) => {
      if (!isAboutAnswer(error)) throw error;
      return null;
    });
    if (plan?.id === id) plans.push(plan);
  }
  return plans;
}

/**
 * Cancels the order and its contracts. Safe to repeat: cancelled twice is cancelled.
 * @throws InsuranceError where later may be better
 */
export async function cancelOrderPlans(context: StepContext, attempt: number): Promise<StepResult> {
  const { client, lease } = context;
  const working = await appendStep(context.working, ({ order, leaseHolder }) => {
    const step = contractStepOf({ ...context.working, order });
    const isDue = step.do === "cancel" && step.attempt === attempt;
    return leaseHolder === lease.holder && isDue ? [{ type: "cancellation_requested", attempt }] : null;
  });
  if (!working) return "changed";
  const refused = (message: string): BookEvent => ({
    type: "cancellation_answered",
    attempt,
    outcome: "refused",
    message,
  });
  // The store that is connected now does not know the order: whatever it answers, nothing is cancelled by it.
  if (working.isSoldByPreviousStore) return appended(working, () => [refused("")]);
  let isCancelled: boolean;
  try {
    ({ isCancelled } = await client.orders.cancel(working.orderId));
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Rejected)) throw error;
    if (error instanceof NotFound) await assertStoreFound(client);
    // It does not know the order, or refuses: then each contract is cancelled by hand.
    const revived = await revivedContracts(working, client);
    return appended(working, () => [refused(error.message), ...revived]);
  }
  await noteInsurerResponse(context);
  return appended(working, ({ order }) => [
    { type: "cancellation_answered", attempt, outcome: "done", message: null },
    // A contract that the answer does not call cancelled is read again: the request may only have been accepted.
    ...(isCancelled ? order.items : []).flatMap((item) => {
      const { contract } = item;
      if (contract === null || standingOf(item) === "ended") return [];
      return { ...contract, type: "contract" as const, item: itemKeyOf(item), status: "cancelled" as const };
    }),
  ]);
}

/**
 * Items that had ended, whose contracts the insurer has in force: what the comparison found, and why it cancels the
 * order again.
 */
async function revivedContracts({ order, now }: WorkingOrder, client: InsuranceClient): Promise<BookEvent[]> {
  const today = toLocalDay("UTC", now);
  const events: BookEvent[] = [];
  for (const item of order.items) {
    if (item.contract === null || standingOf(item) !== "ended" || isOver(itemRow(order, item), today))
      continue;
    const plan = await findPlan(client, item.contract.contractId);
    if (plan !== null && plan !== "unreadable" && contractStatus(plan) !== "cancelled")
      events.push(contractEvent(plan, itemKeyOf(item)));
  }
  return events;
}

/**
 * Looks whether contracts are cancelled, after a cancellation that the insurer accepted. What it does not show any more
 * is not in force.
 * @throws InsuranceError
 */
export async function lookUpCancelled(
  { working, client }: StepContext,
  items: readonly Item[],
): Promise<StepResult> {
  const { cancellation } = working.order;
  if (cancellation?.answeredAt == null) return "changed";
  const ended: BookEvent[] = [];
  let isOpen = false;
  for (const item of items) {
    if (item.contract === null) continue;
    const plan = await findPlan(client, item.contract.contractId);
    if (plan === null)
      ended.push({ ...item.contract, type: "contract", item: itemKeyOf(item), status: "cancelled" });
    else if (plan === "unreadable") isOpen = true;
    else if (contractStatus(plan) === "cancelled") ended.push(contractEvent(plan, itemKeyOf(item)));
    else isOpen = true;
  }
  const { attempt, answeredAt } = cancellation;
  return appended(working, ({ now }) => [
    ...ended,
    ...(isOpen
      ? [
          {
            type: "cancellation_looked_up" as const,
            attempt,
            isConclusive: now.getTime() - answeredAt.getTime() >= working.conclusiveAfterS * 1_000,
          },
        ]
      : []),
  ]);
}

/**
 * Null: the insurer does not show it. `unreadable`: it does not say so that it can be read, now or later. Whether the
 * contract is in force, only a person can find out then.
 * @throws InsuranceError
 */
async function findPlan(client: InsuranceClient, contractId: string): Promise<Plan | "unreadable" | null> {
  return client.plans.get(contractId).catch(async (error: unknown) => {
    // A page of a gateway in place of JSON goes away again.
    const isBroken = error instanceof UnreadableResponse && error.code !== "not_json";
    if (isBroken || error instanceof Rejected) return "unreadable" as const;
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

/**
 * One contract has to end and others stay: a person cancels it, unless it is cancelled already.
 * @throws InsuranceError
 */
export async function handOver({ working, client }: StepContext, item: Item): Promise<StepResult> {
  const { contract } = item;
  if (contract === null) return "changed";
  const plan = await findPlan(client, contract.contractId);
  const { cancellation } = working.order;
  const message = cancellation?.outcome === "refused" ? (cancellation.message ?? "") : "";
  const event: BookEvent =
    plan !== null && plan !== "unreadable" && contractStatus(plan) === "cancelled"
      ? contractEvent(plan, itemKeyOf(item))
      : { type: "handed_over", item: itemKeyOf(item), message };
  return appended(working, () => [event]);
}
