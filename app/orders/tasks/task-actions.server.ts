/** Carries out what a person decided about a task. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import { reprocessWebhook } from "#app/inbox/stored-webhooks.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import {
  confirmCancelled,
  endPaidBackInsurance,
  endItems,
  endWithdrawnInsurance,
  keepClaimedInsurance,
  keepReturnedInsurance,
  keepItem,
  moveInsurance,
  type OrderActionOutcome,
  resendSalesRecord,
  retryItems,
} from "#app/orders/admin/order-actions.server.ts";
import type { ItemKey } from "#app/orders/ledger/items.server.ts";
import { refundPremiums } from "#app/orders/admin/refund-premiums.server.ts";
import { AccessDenied, ShopError } from "#app/shopify/errors.ts";
import { availableTaskActions, type TaskAction, type TaskView } from "./tasks.ts";
import { closeTask, findTask, reopenTask } from "./tasks.server.ts";
import type { ItemAction } from "#app/orders/admin/order-forms.ts";

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
      return { state: await retryItems(shop, await waitingItems(shop, task), actor) };
    case "end":
      return { state: await endItems(shop, await waitingItems(shop, task), actor) };
    case "confirm_cancelled":
    case "keep":
      return runItemAction(shop, itemKeyOf(task), action, actor);
    case "resend_sales_record":
      return { state: await resendSalesRecord(shop, task.orderId ?? "", actor) };
    case "reprocess_webhook":
      return { state: await reprocessWebhookOfTask(shop, task, actor) };
    case "refund":
      return refundTask(shop, task, actor, plan);
    case "end_insurance":
      return { state: await endInsuranceOfTask(shop, task, actor) };
    case "keep_insurance":
      return keepInsurance(shop, task, actor);
    case "move_insurance":
      return task.kind === "product_returned" && task.orderId !== null
        ? { state: await moveInsurance(shop, task.orderId, task.details.plans, actor) }
        : { state: "conflict" };
    case "done":
      return { state: await closeTask(shop, task, "done", actor, answering(shop, task, "refunded")) };
    case "dismiss":
      return { state: await closeTask(shop, task, "dismissed", actor, answering(shop, task, "kept")) };
    case "reopen":
      return { state: await reopenTask(shop, task, actor, answering(shop, task, null)) };
  }
}

/** Stores what a person said of the premiums that a task is about: the order's statement counts them. */
function answering(shop: string, task: TaskView, premiumAnswer: "refunded" | "kept" | null) {
  return async (tx: Transaction): Promise<void> => {
    const { orderId } = task;
    if (orderId === null) return;
    const items = premiumItems(task);
    if (items !== null)
      await tx.insuredItem.updateMany({ where: { shop, orderId, ...items }, data: { premiumAnswer } });
  };
}

/** The ended items whose premiums a task is about; null: it is about none. */
function premiumItems(task: TaskView): Prisma.InsuredItemWhereInput | null {
  switch (task.kind) {
    case "premium_kept":
      return { OR: task.details.items };
    case "withdrawal":
      return { withdrawnAt: new Date(task.details.declaredAt) };
    case "cancelled_elsewhere":
      return { lineId: task.lineId ?? "", itemNumber: task.itemNumber ?? 0 };
    default:
      return null;
  }
}

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
  const all = (kind === "premium_kept" ? details.items : details.plans).map(({ lineId, itemNumber }) => ({
    lineId,
    itemNumber,
  }));
  const items = all.filter(({ lineId, itemNumber }) => plan === null || plan === `${lineId}-${itemNumber}`);
  const others = all.filter((item) => !items.includes(item));
  // Where it is not clear whose product went back, a person names one.
  const isUnclear = kind === "product_returned" && items.length > details.surplus;
  if (items.length === 0 || isUnclear) return { state: "conflict" };
  try {
    return { state: await refundPremiums(shop, { orderId, task, items, others }, actor) };
  } catch (error) {
    if (error instanceof AccessDenied) return { state: "no_permission" };
    if (error instanceof ShopError) return { state: "shop_failed", reason: error.message };
    throw error;
  }
}

/** The insurance ends: money of its order was paid back, or no claim was found that forbids to withdraw from it. */
function endInsuranceOfTask(shop: string, task: TaskView, actor: Actor): Promise<OrderActionOutcome> {
  const which = { orderId: task.orderId ?? "", taskId: task.id };
  switch (task.kind) {
    case "withdrawal":
      return endWithdrawnInsurance(shop, which, task.details, actor);
    case "paid_back":
      return endPaidBackInsurance(shop, which, actor);
    default:
      return Promise.resolve("conflict");
  }
}

/** The insurance goes on: without its product, though money was paid back, or with the claim that was found. */
async function keepInsurance(shop: string, task: TaskView, actor: Actor): Promise<TaskActionOutcome> {
  const which = { orderId: task.orderId ?? "", taskId: task.id };
  if (task.kind === "withdrawal")
    return { state: await keepClaimedInsurance(shop, which, task.details, actor) };
  if (task.kind !== "product_returned" || task.orderId === null)
    return { state: await closeTask(shop, task, "dismissed", actor) };
  const { plans, surplus } = task.details;
  // Where they differ, the last ones count as those without a product: all of them go on.
  return { state: await keepReturnedInsurance(shop, task.orderId, plans.slice(-surplus), actor) };
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
  key: ItemKey | null,
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

function itemKeyOf({ orderId, lineId, itemNumber }: TaskView): ItemKey | null {
  return orderId === null || lineId === null || itemNumber === null ? null : { orderId, lineId, itemNumber };
}

/** The item that the task is about, or all that wait for the same check or the same customer data. */
async function waitingItems(shop: string, task: TaskView): Promise<ItemKey[]> {
  const orderId = task.orderId ?? "";
  if (task.kind === "check_plan") return task.details.items.map((item) => ({ orderId, ...item }));
  if (task.kind !== "customer_data") return [itemKeyOf(task)].filter((key) => key !== null);
  return db.insuredItem.findMany({
    where: { shop, orderId, state: "attention", reason: "missing_customer_data" },
    select: { orderId: true, lineId: true, itemNumber: true },
  });
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
