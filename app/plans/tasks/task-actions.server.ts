/** Carries out what a person decided about a task. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import { reprocessEvent } from "#app/webhooks/inbox.server.ts";
import { db } from "#app/platform/db.server.ts";
import {
  confirmCancelled,
  endUnit,
  keepUnit,
  type OrderActionOutcome,
  resendSalesRecord,
  retryUnit,
  type UnitKey,
} from "#app/plans/orders/order-actions.server.ts";
import { availableTaskActions, type TaskAction, type TaskView } from "./tasks.ts";
import { closeTask, findTask, reopenTask } from "./tasks.server.ts";
import type { UnitAction } from "#app/plans/orders/order-forms.ts";

export type TaskActionOutcome = { state: OrderActionOutcome } | { state: "failed"; reason: string };

/** `failed`: the service was needed and did not respond; nothing was changed. */
export async function runTaskAction(
  shop: string,
  id: string,
  action: TaskAction,
  actor: Actor,
): Promise<TaskActionOutcome> {
  const task = await findTask(shop, id);
  if (!task) return { state: "unknown" };
  if (!availableTaskActions(task).includes(action)) return { state: "conflict" };
  switch (action) {
    case "retry":
    case "confirm_cancelled":
    case "keep":
      return runUnitAction(shop, unitKeyOf(task), action, actor);
    case "end":
      return endWaitingUnits(shop, task, actor);
    case "resend_sales_record":
      return { state: await resendSalesRecord(shop, task.orderId ?? "", actor) };
    case "reprocess_event":
      return { state: await reprocessEventOfTask(shop, task, actor) };
    case "done":
      return { state: await closeTask(shop, task, "done", actor) };
    case "dismiss":
      return { state: await closeTask(shop, task, "dismissed", actor) };
    case "reopen":
      return { state: await reopenTask(shop, task, actor) };
  }
}

/**
 * Carries out what a person decided about several tasks, one after another. One that has changed meanwhile does not stop
 * the others; a service that does not respond does.
 * @returns the first outcome that is not `done`
 */
export async function runTaskActions(
  shop: string,
  ids: readonly string[],
  action: TaskAction,
  actor: Actor,
): Promise<TaskActionOutcome> {
  let outcome: TaskActionOutcome = { state: "done" };
  for (const id of ids) {
    const result = await runTaskAction(shop, id, action, actor);
    if (outcome.state === "done") outcome = result;
    if (result.state === "failed") break;
  }
  return outcome;
}

/** Carries out what a person decided about one plan. `failed` as in runTaskAction. */
export async function runUnitAction(
  shop: string,
  key: UnitKey | null,
  action: UnitAction,
  actor: Actor,
  insuredLineId: string | null = null,
): Promise<TaskActionOutcome> {
  if (key === null) return { state: "conflict" };
  if (action === "retry") return { state: await retryUnit(shop, key, actor, insuredLineId) };
  if (action === "end") return { state: await endUnit(shop, key, actor) };
  try {
    const act = action === "keep" ? keepUnit : confirmCancelled;
    return { state: await act(shop, key, actor) };
  } catch (error) {
    if (error instanceof InsuranceError) return { state: "failed", reason: error.message };
    throw error;
  }
}

function unitKeyOf({ orderId, lineId, unitNumber }: TaskView): UnitKey | null {
  return orderId === null || lineId === null || unitNumber === null ? null : { orderId, lineId, unitNumber };
}

/** Ends the unit that the task is about, or all units that wait for the same customer data. */
async function endWaitingUnits(shop: string, task: TaskView, actor: Actor): Promise<TaskActionOutcome> {
  if (task.kind !== "customer_data") return runUnitAction(shop, unitKeyOf(task), "end", actor);
  const orderId = task.orderId ?? "";
  const waiting = await db.insuredUnit.findMany({
    where: { shop, orderId, state: "attention", reason: "missing_customer_data" },
    select: { orderId: true, lineId: true, unitNumber: true },
  });
  for (const key of waiting) await endUnit(shop, key, actor);
  return { state: "done" };
}

/** Closes the task; an event that still cannot be read opens it again. */
async function reprocessEventOfTask(
  shop: string,
  { id, kind, details }: TaskView,
  actor: Actor,
): Promise<OrderActionOutcome> {
  if (kind !== "unreadable_event" && kind !== "event_failed") return "conflict";
  return db.$transaction(async (tx) => {
    if (!(await reprocessEvent(shop, details.inboxId, tx))) return "conflict";
    await tx.task.updateMany({
      where: { shop, id },
      data: { closedAt: new Date(), outcome: "done" },
    });
    const entry = { action: "event_reprocessed", subject: details.inboxId } as const;
    await recordAudit({ shop, actor, ...entry }, tx);
    return "done";
  });
}
