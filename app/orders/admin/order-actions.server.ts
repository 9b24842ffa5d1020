/**
 * What a person can do about an order and its plans. Each answer is an event of the order's book, appended with its entry
 * in the audit log; the order's worker then acts on it.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { AuditAction } from "#app/audit/actions.ts";
import type { AuditValues } from "#app/audit/changes.ts";
import { findAccountOfPlan } from "#app/catalogue/order-catalogue.server.ts";
import { NotFound } from "#app/insurance/errors.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import {
  canKeepInsured,
  findItem,
  insurableProduct,
  isEndable,
  isRetryable,
  isToCancelByHand,
} from "#app/orders/book/answers.ts";
import { type Appended, appendToBook, type Locked, readOrderBook } from "#app/orders/book/book.server.ts";
import { type BookEvent, type EventOf, nameOf, itemKeyOf } from "#app/orders/book/events.ts";
import { type Item, needsAnswer, type Order } from "#app/orders/book/evolve.ts";
import { premiumOf } from "#app/orders/book/money.ts";
import { salesRecordStatusOf } from "#app/orders/book/projection.ts";
import { type OrderTask, type OrderTaskKind, tasksOf } from "#app/orders/book/tasks.ts";
import { scheduleIssuing } from "#app/orders/schedule.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { db } from "#app/platform/db.server.ts";

/** The action had its effect, there is no such thing in this shop, or it is not in a state for it. */
export type OrderActionOutcome = "done" | "unknown" | "conflict";

/** An insured item, as pages name it. */
export interface OrderItemKey {
  orderId: string;
  lineId: string;
  itemNumber: number;
}

const toBookKey = ({ lineId, itemNumber }: OrderItemKey) => ({ lineId, number: itemNumber });
const idOf = (actor: Actor): string => (actor.kind === "staff" ? actor.id : actor.cause);

interface AuditNote {
  action: AuditAction;
  /** null: the order */
  subject?: string;
  before?: AuditValues;
  after?: AuditValues;
}

/**
 * Appends a person's answer and records it, or neither.
 * @param decide the events, or why there are none
 */
export async function appendAnswer(
  shop: string,
  orderId: string,
  actor: Actor,
  decide: (locked: Locked) => BookEvent[] | "unknown" | "conflict",
  audit: (appended: Appended) => AuditNote[],
): Promise<OrderActionOutcome> {
  return db.$transaction(async (tx) => {
    const result: { outcome: OrderActionOutcome } = { outcome: "unknown" };
    const appended = await appendToBook(tx, shop, orderId, (locked) => {
      const events = decide(locked);
      result.outcome = typeof events === "string" ? events : "done";
      // Where it does not apply any more, the lists may be out of date: they are written again.
      return typeof events === "string" ? [] : events;
    });
    if (appended === null || result.outcome !== "done") return result.outcome;
    for (const note of audit(appended)) await recordAudit({ shop, actor, subject: orderId, ...note }, tx);
    return "done";
  });
}

type Decision = Pick<EventOf<"decided">, "answer" | "question"> & { amountMinor?: number };

/** An answer about items; without an amount it is about their premiums. */
export const decided = (
  order: Order,
  items: readonly Item[],
  actor: Actor,
  { answer, question, amountMinor }: Decision,
): EventOf<"decided"> => ({
  type: "decided",
  question,
  items: items.map(itemKeyOf),
  answer,
  amountMinor: amountMinor ?? items.reduce((sum, item) => sum + premiumOf(order, item), 0),
  by: idOf(actor),
});

/** The tasks that are answered by trying a plan again, and those that are answered by ending it. */
const retriedKinds: readonly OrderTaskKind[] = ["check_plan", "plan_refused", "contract_unclear"];
const endedKinds: readonly OrderTaskKind[] = [...retriedKinds, "customer_data", "customer_erased"];

/** One answer for the items of each task among `kinds`, and one for those of which no task asks. */
function answerItems(
  { order, now }: Locked,
  items: readonly Item[],
  actor: Actor,
  {
    answer,
    kinds,
    otherwise,
  }: { answer: "issue" | "end"; kinds: readonly OrderTaskKind[]; otherwise: string },
): BookEvent[] {
  const tasks = tasksOf(order, now).filter(({ kind }) => kinds.includes(kind));
  const questionOf = (item: Item) =>
    tasks.find((task) => task.items.some((each) => nameOf(each) === nameOf(item)))?.question ?? otherwise;
  return [...Map.groupBy(items, questionOf)].map(([question, ofTask]) =>
    decided(order, ofTask, actor, { answer, question }),
  );
}

const itemNotes = (action: AuditAction, items: readonly Item[]): AuditNote[] =>
  items.map(({ lineId, number }) => ({ action, after: { lineId, itemNumber: number } }));

/** Whether the plan was sold for another account than the one to which the order's contracts go. */
async function isOfOtherAccount(shop: string, { placed }: Order, item: Item): Promise<boolean> {
  if (placed === null) return false;
  const soldFor = await findAccountOfPlan(shop, item.sold.planVariantId, placed.placedAt);
  return soldFor !== null && (soldFor.environment !== placed.environment || soldFor.isSoldByPreviousStore);
}

/**
 * Tries refused plans again, or issues ones that looked wrong: the merchant has reviewed them.
 * @param keys items of one line
 * @param insuredLineId the product that they insure, for plans that name none
 * @returns `done`: at least one is tried again. `conflict` also where the contract would come into an account that it was
 *   not sold for, or insures nothing
 */
export async function retryItems(
  shop: string,
  keys: readonly OrderItemKey[],
  actor: Actor,
  insuredLineId: string | null = null,
): Promise<OrderActionOutcome> {
  const [first] = keys;
  if (!first) return "conflict";
  const book = await readOrderBook(shop, first.orderId);
  const item = book && findItem(book.order, toBookKey(first));
  if (!book || !item) return "unknown";
  if (await isOfOtherAccount(shop, book.order, item)) return "conflict";
  let retried: Item[] = [];
  const decide = (locked: Locked) => {
    const { order } = locked;
    const product = insuredLineId === null ? null : insurableProduct(order, insuredLineId);
    const stuck = keys
      .flatMap((key) => findItem(order, toBookKey(key)) ?? [])
      .filter((each) => isRetryable(order, each));
    const nameless = stuck.filter(({ insured }) => insured === null);
    // A person names the product of one plan at a time.
    const named = product === null ? [] : nameless.slice(0, 1);
    retried = stuck.filter((each) => each.insured !== null || named.includes(each));
    if (retried.length === 0) return "conflict";
    const answer = { answer: "issue", kinds: retriedKinds, otherwise: "issue" } as const;
    const insured = named.flatMap(({ lineId, number }): BookEvent[] =>
      product === null ? [] : [{ type: "insured", item: { lineId, number }, insured: product }],
    );
    // A test order with a real contract is a sale.
    const isSale = salesRecordStatusOf(order) === "test_order";
    return [
      ...insured,
      ...answerItems(locked, retried, actor, answer),
      ...(isSale ? [{ type: "sales_record" as const, outcome: "due" as const, message: null }] : []),
    ];
  };
  return appendAnswer(shop, first.orderId, actor, decide, () =>
    retried.flatMap((each) => itemNotes(needsAnswer(each) ? "plan_issued" : "plan_retried", [each])),
  );
}

/**
 * Ends the insurance of items of one order: issuing withdraws it, or cancels its contract.
 * @returns `done`: that of at least one
 */
export async function endItems(
  shop: string,
  keys: readonly OrderItemKey[],
  actor: Actor,
): Promise<OrderActionOutcome> {
  const [first] = keys;
  if (!first) return "conflict";
  let ended: Item[] = [];
  const decide = (locked: Locked) => {
    const items = keys.flatMap((key) => findItem(locked.order, toBookKey(key)) ?? []);
    if (items.length === 0) return "unknown";
    ended = items.filter((item) => isEndable(locked.order, item));
    if (ended.length === 0) return "conflict";
    return answerItems(locked, ended, actor, { answer: "end", kinds: endedKinds, otherwise: "end" });
  };
  return appendAnswer(shop, first.orderId, actor, decide, () => itemNotes("plan_ended", ended));
}

/** Ends all insurance of an order. @returns with the items whose insurance ended */
export async function endInsurance(
  shop: string,
  orderId: string,
  actor: Actor,
): Promise<{ outcome: OrderActionOutcome; items: OrderItemKey[] }> {
  let going: Item[] = [];
  const decide = ({ order }: Locked) => {
    going = order.items.filter((item) => isEndable(order, item));
    return going.length === 0
      ? "conflict"
      : [decided(order, going, actor, { answer: "end", question: "end" })];
  };
  const outcome = await appendAnswer(shop, orderId, actor, decide, () => [
    { action: "insurance_ended", after: { plans: going.length } },
  ]);
  return {
    outcome,
    items: going.map(({ lineId, number }) => ({ orderId, lineId, itemNumber: number })),
  };
}

/** A task as a person has seen it. */
export interface SeenTask {
  orderId: string;
  question: string;
  atStakeMinor: number;
}

export type OpenTask<Kind extends OrderTaskKind> = Extract<OrderTask, { kind: Kind }>;

const isOfKind = <Kind extends OrderTaskKind>(task: OrderTask, kind: Kind): task is OpenTask<Kind> =>
  task.kind === kind;

/** The task as it is now; null: it is answered meanwhile, or about another amount. */
export function findOpenTask({ order, now }: Locked, seen: SeenTask): OrderTask | null {
  const task = tasksOf(order, now).find(({ question }) => question === seen.question);
  return task?.atStakeMinor === seen.atStakeMinor ? task : null;
}

/** Answers a task as it is under the lock. @param answer the events; none where it cannot be answered so */
async function answerTask<Kind extends OrderTaskKind>(
  shop: string,
  seen: SeenTask,
  kind: Kind,
  actor: Actor,
  action: AuditAction,
  answer: (task: OpenTask<Kind>, order: Order) => EventOf<"decided"> | null,
): Promise<OrderActionOutcome> {
  let plans = 0;
  const decide = (locked: Locked) => {
    const task = findOpenTask(locked, seen);
    const event = task && isOfKind(task, kind) ? answer(task, locked.order) : null;
    plans = event?.items.length ?? 0;
    return event === null ? "conflict" : [event];
  };
  return appendAnswer(shop, seen.orderId, actor, decide, () => [{ action, after: { plans } }]);
}

/**
 * Ends all insurance of an order of which money was paid back. That money then counts for its premiums; where it was less,
 * a task asks what becomes of the rest.
 * @returns `conflict`: the task has been answered meanwhile
 */
export const endPaidBackInsurance = (
  shop: string,
  seen: SeenTask,
  actor: Actor,
): Promise<OrderActionOutcome> =>
  answerTask(shop, seen, "paid_back", actor, "insurance_ended", ({ question, atStakeMinor }, order) => {
    const going = order.items.filter((item) => isEndable(order, item));
    return decided(order, going, actor, { answer: "end", question, amountMinor: atStakeMinor });
  });

/** Lets the insurance of returned products go on without them. Where they differ, the last ones count as those without. */
export const keepReturnedInsurance = (
  shop: string,
  seen: SeenTask,
  actor: Actor,
): Promise<OrderActionOutcome> =>
  answerTask(shop, seen, "product_returned", actor, "insurance_kept", (task, order) =>
    decided(order, task.items.slice(-task.details.surplus), actor, {
      answer: "keep_insurance",
      question: task.question,
      amountMinor: task.atStakeMinor,
    }),
  );

const unchecked = ({ items }: OrderTask, order: Order) =>
  items.filter((item) => item.withdrawal?.isUnchecked === true && isEndable(order, item));

/**
 * Ends insurance that its customer withdrew from and that went on until a person had looked for claims. What was paid
 * for it stays in the withdrawal's task.
 */
export const endWithdrawnInsurance = (
  shop: string,
  seen: SeenTask,
  actor: Actor,
): Promise<OrderActionOutcome> =>
  answerTask(shop, seen, "withdrawal", actor, "insurance_ended", (task, order) =>
    decided(order, unchecked(task, order), actor, { answer: "end", question: task.question }),
  );

/**
 * Lets insurance go on that its customer withdrew from: a person found the claim that had ended their right to. What
 * ended by the same declaration stays in its task.
 * @returns `conflict`: it has ended meanwhile
 */
export const keepClaimedInsurance = (
  shop: string,
  seen: SeenTask,
  actor: Actor,
): Promise<OrderActionOutcome> =>
  answerTask(shop, seen, "withdrawal", actor, "insurance_kept", (task, order) => {
    const claimed = unchecked(task, order);
    return claimed.length === 0
      ? null
      : decided(order, claimed, actor, { answer: "keep_insurance", question: task.question });
  });

/** Nothing moved: the answer is undone with its transaction. */
class NothingMoved extends AppError {
  override name = "NothingMoved";
}

/**
 * Lets insurance go on with the replacement of its product though that one's premium differs: the customer pays no more.
 * @returns `conflict`: the replacement is gone, or insured by now
 */
export async function moveInsurance(shop: string, seen: SeenTask, actor: Actor): Promise<OrderActionOutcome> {
  const decide = (locked: Locked) => {
    const task = findOpenTask(locked, seen);
    if (task?.kind !== "product_returned") return "conflict";
    const { question, atStakeMinor: amountMinor, items } = task;
    return [decided(locked.order, items, actor, { answer: "move_insurance", question, amountMinor })];
  };
  const audit = ({ added }: Appended): AuditNote[] => {
    const plans = added.filter(({ type }) => type === "sold" || type === "moved").length;
    if (plans === 0) throw new NothingMoved();
    return [{ action: "insurance_moved", after: { plans } }];
  };
  try {
    return await appendAnswer(shop, seen.orderId, actor, decide, audit);
  } catch (error) {
    if (error instanceof NothingMoved) return "conflict";
    throw error;
  }
}

/** Does now what is left to do for an order, instead of at its next try. */
export async function issueNow(shop: string, orderId: string, actor: Actor): Promise<OrderActionOutcome> {
  return db.$transaction(async (tx) => {
    if ((await tx.order.count({ where: { shop, orderId } })) === 0) return "unknown";
    await scheduleIssuing(tx, shop, orderId);
    await recordAudit({ shop, actor, action: "order_issued", subject: orderId }, tx);
    return "done";
  });
}

/** Sends the order's sales record again, after the insurer refused it. */
export async function resendSalesRecord(
  shop: string,
  orderId: string,
  actor: Actor,
): Promise<OrderActionOutcome> {
  const decide = ({ order }: Locked): BookEvent[] | "conflict" =>
    salesRecordStatusOf(order) === "refused"
      ? [
          decided(order, [], actor, { answer: "issue", question: "order_refused" }),
          { type: "sales_record", outcome: "due", message: null },
        ]
      : "conflict";
  return appendAnswer(shop, orderId, actor, decide, () => [{ action: "sales_record_resent" }]);
}

/**
 * The insurer's contract of an item that waits for its cancellation by hand; null where there is none.
 * @throws InsuranceError
 */
async function readPlanToCancel(shop: string, order: Order, item: Item): Promise<Plan | null> {
  if (!isToCancelByHand(order, item) || item.contract === null || order.placed === null) return null;
  const connection = await connectionIn(shop, order.placed.environment);
  return (await connection?.client.plans.get(item.contract.contractId)) ?? null;
}

const handQuestion = ({ lineId, number }: Item) => `manual_cancellation:${lineId}:${number}`;

/**
 * Lets a contract go on that the merchant wanted to cancel and has not cancelled at the insurer yet.
 * @returns `conflict` also where the customer or the order ended it, or the insurer shows it as cancelled
 * @throws InsuranceError
 */
export async function keepItem(shop: string, key: OrderItemKey, actor: Actor): Promise<OrderActionOutcome> {
  const book = await readOrderBook(shop, key.orderId);
  const known = book && findItem(book.order, toBookKey(key));
  if (!book || !known) return "unknown";
  const plan = await readPlanToCancel(shop, book.order, known);
  if (plan === null || plan.standing === "cancelled") return "conflict";
  const decide = ({ order }: Locked) => {
    const item = findItem(order, toBookKey(key));
    if (item?.contract?.contractId !== plan.id || !canKeepInsured(order, item)) return "conflict";
    return [decided(order, [item], actor, { answer: "keep_insurance", question: handQuestion(item) })];
  };
  return appendAnswer(shop, key.orderId, actor, decide, () => itemNotes("contract_kept", [known]));
}

/**
 * The merchant says that a contract was cancelled in the insurer's account area. Where the connected store does not show
 * it, their word is all there is.
 * @returns `conflict` where the insurer still shows it in force: the task stays
 * @throws InsuranceError
 */
export async function confirmCancelled(
  shop: string,
  key: OrderItemKey,
  actor: Actor,
): Promise<OrderActionOutcome> {
  const book = await readOrderBook(shop, key.orderId);
  const known = book && findItem(book.order, toBookKey(key));
  if (!book || !known) return "unknown";
  const plan = await readPlanToCancel(shop, book.order, known).catch((error: unknown) => {
    if (error instanceof NotFound) return "not_shown" as const;
    throw error;
  });
  if (plan === null || (plan !== "not_shown" && plan.standing !== "cancelled")) return "conflict";
  const decide = ({ order }: Locked): BookEvent[] | "conflict" => {
    const item = findItem(order, toBookKey(key));
    const contract = item?.contract;
    if (!item || !contract || contract.contractId !== known.contract?.contractId) return "conflict";
    if (!isToCancelByHand(order, item)) return "conflict";
    const { contractId, referenceId, activatesOn, expiresOn } = contract;
    const { lineId, number } = item;
    return [
      decided(order, [item], actor, { answer: "done", question: handQuestion(item) }),
      {
        type: "contract",
        contractId,
        item: { lineId, number },
        status: "cancelled",
        statusText: plan === "not_shown" ? "confirmed by a person" : plan.status,
        referenceId,
        activatesOn,
        expiresOn,
      },
    ];
  };
  return appendAnswer(shop, key.orderId, actor, decide, () => itemNotes("cancellation_confirmed", [known]));
}
