/** Carries out what a person decided about a task: of an order's insurance as an event of its book. */
import { isDeepStrictEqual } from "node:util";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import { reprocessWebhook } from "#app/inbox/stored-webhooks.server.ts";
import { db } from "#app/platform/db.server.ts";
import {
  appendAnswer,
  confirmCancelled,
  decided,
  endItems,
  endPaidBackInsurance,
  endWithdrawnInsurance,
  findOpenTask,
  keepClaimedInsurance,
  keepItem,
  keepReturnedInsurance,
  moveInsurance,
  type OrderActionOutcome,
  type OrderItemKey,
  resendSalesRecord,
  retryItems,
  type SeenTask,
} from "#app/orders/admin/order-actions.server.ts";
import type { ItemAction } from "#app/orders/admin/order-forms.ts";
import { refundPremiums } from "#app/orders/admin/refund-premiums.server.ts";
import { type Locked, readOrderBook } from "#app/orders/book/book.server.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { splitPremiums } from "#app/orders/book/money.ts";
import { isOrderTaskKind, type OrderTask, questionOfKey, tasksOf } from "#app/orders/book/tasks.ts";
import { answerStatusWord } from "#app/orders/status-words.server.ts";
import { AccessDenied, ShopError } from "#app/shopify/errors.ts";
import { availableTaskActions, type TaskAction, type TaskView } from "./tasks.ts";
import { closeTask, findTask, listOpenTasks, reopenTask } from "./tasks.server.ts";

/** `failed`: the insurer was needed and did not respond. */
type ItemActionOutcome = { state: OrderActionOutcome } | { state: "failed"; reason: string };
export type TaskActionOutcome =
  ItemActionOutcome | { state: "not_shown" | "no_permission" } | { state: "shop_failed"; reason: string };

/**
 * `failed`: the insurer or the shop was needed and did not respond, or refused; nothing was changed.
 * @param plan the plan whose premium is refunded, `lineId-itemNumber`; null: all of the task's
 * @param atStakeMinor what the task was about when it was shown; null: not known
 */
export async function runTaskAction(
  shop: string,
  id: string,
  action: TaskAction,
  actor: Actor,
  { plan = null, atStakeMinor = null }: { plan?: string | null; atStakeMinor?: number | null } = {},
): Promise<TaskActionOutcome> {
  const task = await findTask(shop, id);
  if (!task) return { state: "unknown" };
  // The person has decided about other premiums.
  if (atStakeMinor !== null && atStakeMinor !== task.atStakeMinor) return { state: "conflict" };
  if (!availableTaskActions(task).includes(action)) return { state: "conflict" };
  switch (action) {
    case "retry":
      return { state: await retryItems(shop, await itemsOfTask(shop, task), actor) };
    case "end":
      return { state: await endItems(shop, await itemsOfTask(shop, task), actor) };
    case "confirm_cancelled":
    case "keep":
      return runItemAction(shop, itemKeyOf(task), action, actor);
    case "means_in_force":
    case "means_not_in_force":
      return { state: await explainWord(shop, task, action, actor) };
    case "resend_sales_record":
      return { state: await resendSalesRecord(shop, task.orderId ?? "", actor) };
    case "reprocess_webhook":
      return { state: await reprocessWebhookOfTask(shop, task, actor) };
    case "refund":
      return refundTask(shop, task, actor, plan);
    case "end_insurance":
      return { state: await endInsuranceOfTask(shop, task, actor) };
    case "keep_insurance":
      return { state: await keepInsurance(shop, task, actor) };
    case "move_insurance":
      return { state: await onOrder(shop, task, (seen) => moveInsurance(shop, seen, actor)) };
    case "done":
      return { state: await close(shop, task, "done", actor) };
    case "dismiss":
      return { state: await close(shop, task, "dismissed", actor) };
    case "reopen":
      return { state: await reopen(shop, task, actor) };
  }
}

async function explainWord(
  shop: string,
  task: TaskView,
  action: "means_in_force" | "means_not_in_force",
  actor: Actor,
): Promise<OrderActionOutcome> {
  if (task.kind !== "status_word") return "conflict";
  const meaning = action === "means_in_force" ? "in_force" : "not_in_force";
  return answerStatusWord(shop, { id: task.id, ...task.details }, meaning, actor);
}

/** The task as the book names it. */
async function seenTask(shop: string, { id, orderId, atStakeMinor }: TaskView): Promise<SeenTask | null> {
  const row = await db.task.findFirst({ where: { shop, id }, select: { key: true } });
  return row === null || orderId === null
    ? null
    : { orderId, question: questionOfKey(row.key), atStakeMinor };
}

async function onOrder(
  shop: string,
  task: TaskView,
  answer: (seen: SeenTask) => Promise<OrderActionOutcome>,
): Promise<OrderActionOutcome> {
  const seen = await seenTask(shop, task);
  return seen === null ? "conflict" : answer(seen);
}

/** Closes a task without an effect at the insurer; where it is about premiums, they are paid back, or stay paid. */
async function close(
  shop: string,
  task: TaskView,
  outcome: "done" | "dismissed",
  actor: Actor,
): Promise<OrderActionOutcome> {
  const { id, kind } = task;
  if (!isOrderTaskKind(kind)) return closeTask(shop, { id, kind }, outcome, actor);
  return onOrder(shop, task, (seen) => {
    const decide = (locked: Locked) => {
      const open = findOpenTask(locked, seen);
      return open === null ? "conflict" : closing(locked, open, outcome, actor);
    };
    const note = { action: "task_closed", subject: id, after: { kind, outcome } } as const;
    return appendAnswer(shop, seen.orderId, actor, decide, () => [note]);
  });
}

/** The kinds of tasks that ask what became of premiums. */
const premiumKinds: readonly OrderTask["kind"][] = ["premium_kept", "withdrawal", "cancelled_elsewhere"];

/** Of premiums one answer for each, with what is open of it. */
function closing(
  { order, now }: Locked,
  { kind, question, items, atStakeMinor }: OrderTask,
  outcome: "done" | "dismissed",
  actor: Actor,
): BookEvent[] {
  if (premiumKinds.includes(kind)) {
    const { premiums } = splitPremiums(order, now);
    const answer = outcome === "done" ? "premium_refunded" : "premium_kept";
    // An item that left the order has a task of its own, so a withdrawal's amount does not include it.
    const owed = kind === "withdrawal" ? items.filter(({ left }) => left === null) : items;
    const answers = owed.flatMap((item) => {
      const amountMinor = premiums.get(item)?.openMinor ?? 0;
      return amountMinor === 0 ? [] : [decided(order, [item], actor, { answer, question, amountMinor })];
    });
    if (answers.length > 0) return answers;
  }
  return [decided(order, items, actor, { answer: outcome, question, amountMinor: atStakeMinor })];
}

/** Opens a task again that was closed by mistake. */
async function reopen(shop: string, task: TaskView, actor: Actor): Promise<OrderActionOutcome> {
  const { id, kind, outcome } = task;
  if (!isOrderTaskKind(kind)) return reopenTask(shop, { id, kind, outcome }, actor);
  return onOrder(shop, task, (seen) => {
    const decide = ({ order }: Locked) => {
      if (!isAnswered(order, seen.question)) return "conflict";
      const items = order.items.filter(({ decisions }) =>
        decisions.some(({ question }) => question === seen.question),
      );
      return [decided(order, items, actor, { answer: "reopened", question: seen.question, amountMinor: 0 })];
    };
    const note = { action: "task_reopened", subject: id, before: { kind, outcome } } as const;
    return appendAnswer(shop, seen.orderId, actor, decide, () => [note]);
  });
}

const isAnswered = ({ answers }: Order, question: string) => answers.has(question);

/** Refunds the premiums of a task. */
async function refundTask(
  shop: string,
  task: TaskView,
  actor: Actor,
  plan: string | null,
): Promise<TaskActionOutcome> {
  const { kind, details, orderId } = task;
  if ((kind !== "premium_kept" && kind !== "product_returned") || orderId === null)
    return { state: "conflict" };
  const items = refundableOf(task).filter(
    ({ lineId, itemNumber }) => plan === null || plan === `${lineId}-${itemNumber}`,
  );
  // Where it is not clear whose product went back, a person names one.
  const isUnclear = kind === "product_returned" && items.length > details.surplus;
  if (items.length === 0 || isUnclear) return { state: "conflict" };
  return refundItems(shop, { orderId, task, items }, actor);
}

type ItemNumber = Pick<OrderItemKey, "lineId" | "itemNumber">;

/** The items whose premiums the task is about. */
const refundableOf = ({ kind, details }: TaskView): ItemNumber[] =>
  kind === "premium_kept" ? details.items : kind === "product_returned" ? details.plans : [];

async function refundItems(
  shop: string,
  { orderId, task, items: chosen }: { orderId: string; task: TaskView; items: readonly ItemNumber[] },
  actor: Actor,
): Promise<TaskActionOutcome> {
  const toNumber = ({ lineId, itemNumber }: ItemNumber) => ({ lineId, itemNumber });
  const items = chosen.map(toNumber);
  const others = refundableOf(task)
    .map(toNumber)
    .filter((item) => !items.some((each) => isDeepStrictEqual(each, item)));
  try {
    return { state: await refundPremiums(shop, { orderId, task, items, others }, actor) };
  } catch (error) {
    if (error instanceof AccessDenied) return { state: "no_permission" };
    if (error instanceof ShopError) return { state: "shop_failed", reason: error.message };
    throw error;
  }
}

/**
 * Refunds the premiums of items whose insurance a person has just ended. What cannot be refunded stays a task.
 * @returns the first outcome that is not `done`; `conflict` if no task is about their premiums
 */
export async function refundEnded(
  shop: string,
  orderId: string,
  keys: readonly ItemNumber[],
  actor: Actor,
): Promise<TaskActionOutcome> {
  const isEnded = (item: ItemNumber) =>
    keys.some(({ lineId, itemNumber }) => lineId === item.lineId && itemNumber === item.itemNumber);
  let outcome: TaskActionOutcome | null = null;
  for (const task of await listOpenTasks(shop, orderId)) {
    if (task.kind !== "premium_kept") continue;
    const items = task.details.items.filter(isEnded);
    if (items.length === 0) continue;
    const result = await refundItems(shop, { orderId, task, items }, actor);
    if (outcome === null || outcome.state === "done") outcome = result;
  }
  return outcome ?? { state: "conflict" };
}

/** The insurance ends: money of its order was paid back, or no claim was found that forbids to withdraw from it. */
function endInsuranceOfTask(shop: string, task: TaskView, actor: Actor): Promise<OrderActionOutcome> {
  const end = task.kind === "withdrawal" ? endWithdrawnInsurance : endPaidBackInsurance;
  return onOrder(shop, task, (seen) => end(shop, seen, actor));
}

/** The insurance goes on: without its product, though money was paid back, or with the claim that was found. */
function keepInsurance(shop: string, task: TaskView, actor: Actor): Promise<OrderActionOutcome> {
  return onOrder(shop, task, (seen) => {
    if (task.kind === "withdrawal") return keepClaimedInsurance(shop, seen, actor);
    if (task.kind === "product_returned") return keepReturnedInsurance(shop, seen, actor);
    return keepPaidBackInsurance(shop, task, seen, actor);
  });
}

/** The money was not for the insurance: nothing changes of its items. */
function keepPaidBackInsurance(
  shop: string,
  { id, kind }: TaskView,
  seen: SeenTask,
  actor: Actor,
): Promise<OrderActionOutcome> {
  const decide = (locked: Locked) => {
    const { question, atStakeMinor: amountMinor } = seen;
    if (findOpenTask(locked, seen)?.kind !== "paid_back") return "conflict";
    return [decided(locked.order, [], actor, { answer: "keep_insurance", question, amountMinor })];
  };
  const note = { action: "task_closed", subject: id, after: { kind, outcome: "dismissed" } } as const;
  return appendAnswer(shop, seen.orderId, actor, decide, () => [note]);
}

/**
 * Carries out what a person decided about several tasks, one after another. One that has changed meanwhile does not stop
 * the others; an insurer that does not respond does.
 * @returns the first outcome that is not `done`
 */
export async function runTaskActions(
  shop: string,
  tasks: readonly { id: string; atStakeMinor: number | null }[],
  action: TaskAction,
  actor: Actor,
  plan: string | null = null,
): Promise<TaskActionOutcome> {
  let outcome: TaskActionOutcome = { state: "done" };
  for (const { id, atStakeMinor } of tasks) {
    const result = await runTaskAction(shop, id, action, actor, { plan, atStakeMinor });
    if (outcome.state === "done") outcome = result;
    if (result.state === "failed" || result.state === "shop_failed") break;
  }
  return outcome;
}

/** Carries out what a person decided about one plan. `failed` as in runTaskAction. */
export async function runItemAction(
  shop: string,
  key: OrderItemKey | null,
  action: ItemAction,
  actor: Actor,
  insuredLineId: string | null = null,
): Promise<ItemActionOutcome> {
  if (key === null) return { state: "conflict" };
  if (action === "retry") return { state: await retryItems(shop, [key], actor, insuredLineId) };
  if (action === "end") return { state: await endItems(shop, [key], actor) };
  try {
    const act = action === "keep" ? keepItem : confirmCancelled;
    return { state: await act(shop, key, actor) };
  } catch (error) {
    if (error instanceof InsuranceError) return { state: "failed", reason: error.message };
    throw error;
  }
}

function itemKeyOf({ orderId, lineId, itemNumber }: TaskView): OrderItemKey | null {
  return orderId === null || lineId === null || itemNumber === null ? null : { orderId, lineId, itemNumber };
}

/** The items that an answer to the task is about; none where it is not asked any more. */
async function itemsOfTask(shop: string, task: TaskView): Promise<OrderItemKey[]> {
  const seen = await seenTask(shop, task);
  const book = seen && (await readOrderBook(shop, seen.orderId));
  if (!book) return [];
  const asked = tasksOf(book.order, new Date()).find(({ question }) => question === seen.question);
  return (asked?.items ?? []).map(({ lineId, number }) => ({
    orderId: seen.orderId,
    lineId,
    itemNumber: number,
  }));
}

/** Closes the task; a webhook that still cannot be read opens it again. */
async function reprocessWebhookOfTask(
  shop: string,
  { id, kind, details }: TaskView,
  actor: Actor,
): Promise<OrderActionOutcome> {
  if (kind !== "unreadable_webhook" && kind !== "webhook_failed") return "conflict";
  return db.$transaction(async (tx) => {
    if (!(await reprocessWebhook(shop, details.inboxId, tx))) return "conflict";
    await tx.task.updateMany({
      where: { shop, id },
      data: { closedAt: new Date(), outcome: "done" },
    });
    const entry = { action: "webhook_reprocessed", subject: details.inboxId } as const;
    await recordAudit({ shop, actor, ...entry }, tx);
    return "done";
  });
}
