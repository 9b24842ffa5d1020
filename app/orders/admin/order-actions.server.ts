/** What a person can do about an order and its plans. Each action is stored with its job in one transaction. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { AuditAction } from "#app/audit/actions.ts";
import { findAccountOfPlan } from "#app/catalogue/order-catalogue.server.ts";
import { NotFound } from "#app/insurance/errors.ts";
import { planStanding } from "#app/insurance/fields.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { environment } from "#app/merchants/connection.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import { settleOrder } from "#app/orders/ledger/settle-order.server.ts";
import { scheduleIssuing } from "#app/orders/schedule.server.ts";
import { settleCheckTasks } from "#app/orders/tasks/check-tasks.server.ts";
import { contractText, taskDetails, type TaskDetails } from "#app/orders/tasks/tasks.ts";
import { closeCustomerDataTask, closeTasks, lockOpenTasks } from "#app/orders/tasks/tasks.server.ts";
import {
  insureLine,
  isKeepable,
  lockOrder,
  retryCause,
  transitionItem,
  type Item,
  type ItemKey,
  itemRow,
} from "#app/orders/ledger/items.server.ts";

/** The action had its effect, there is no such thing in this shop, or it is not in a state for it. */
export type OrderActionOutcome = "done" | "unknown" | "conflict";

async function findItem(tx: Transaction, shop: string, key: ItemKey): Promise<Item | null> {
  const row = await tx.insuredItem.findUnique({
    where: { shop_orderId_lineId_itemNumber: { shop, ...key } },
  });
  return row && itemRow.parse(row);
}

async function recordItemAct(
  tx: Transaction,
  shop: string,
  actor: Actor,
  action: AuditAction,
  { orderId, ...after }: ItemKey,
): Promise<void> {
  await recordAudit({ shop, actor, action, subject: orderId, after }, tx);
}

/** Whether the plan was sold for another account than the one to which the order's contracts go. */
async function isOfOtherAccount(shop: string, key: ItemKey): Promise<boolean> {
  const item = await db.insuredItem.findUnique({
    where: { shop_orderId_lineId_itemNumber: { shop, ...key } },
    select: { planVariantId: true, order: { select: { environment: true, purchasedAt: true } } },
  });
  if (!item) return false;
  const { environment, purchasedAt } = item.order;
  const soldFor = await findAccountOfPlan(shop, item.planVariantId, purchasedAt);
  return soldFor !== null && (soldFor.environment !== environment || soldFor.isSoldByPreviousStore);
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
  keys: readonly ItemKey[],
  actor: Actor,
  insuredLineId: string | null = null,
): Promise<OrderActionOutcome> {
  const [first] = keys;
  if (!first) return "conflict";
  if (await isOfOtherAccount(shop, first)) return "conflict";
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, first.orderId);
    const outcomes: OrderActionOutcome[] = [];
    for (const key of keys) outcomes.push(await retryItem(tx, shop, key, actor, insuredLineId));
    if (!outcomes.includes("done")) return outcomes[0] ?? "conflict";
    // A test order with a real contract is a sale.
    await tx.order.updateMany({
      where: { shop, orderId: first.orderId, salesRecordStatus: "test_order" },
      data: { salesRecordStatus: "none" },
    });
    await settleCheckTasks(tx, shop, first.orderId, "done");
    await scheduleIssuing(tx, shop, first.orderId);
    return "done";
  });
}

async function retryItem(
  tx: Transaction,
  shop: string,
  key: ItemKey,
  actor: Actor,
  insuredLineId: string | null,
): Promise<OrderActionOutcome> {
  const item = await findItem(tx, shop, key);
  if (!item) return "unknown";
  if (!["refused", "attention"].includes(item.state) || item.contractId !== null) return "conflict";
  if (item.insuredVariantId === null) {
    if (insuredLineId === null || !(await insureLine(tx, shop, key, insuredLineId))) return "conflict";
  }
  const move = { note: item.reason ?? undefined, responded: true, transaction: tx };
  if (!(await transitionItem(item, retryCause(item), move))) return "conflict";
  await tx.insuredItem.updateMany({ where: { shop, ...key }, data: { accepted: true } });
  await closeTasks(shop, key, "done", tx);
  if (item.reason === "missing_customer_data") await closeCustomerDataTask(tx, shop, key.orderId, "done");
  await recordItemAct(tx, shop, actor, "plan_retried", key);
  return "done";
}

/**
 * Ends items whose items stay in the order: a refund takes those first. Until then a task names what was paid for them.
 * @returns how many
 */
async function endInOrder(
  tx: Transaction,
  shop: string,
  orderId: string,
  which: Prisma.InsuredItemWhereInput = {},
): Promise<number> {
  const where = { ...which, shop, orderId, state: { not: "cancelled" } };
  await tx.insuredItem.updateMany({
    where: { ...where, wanted: true },
    data: { endedInOrder: true },
  });
  const { count } = await tx.insuredItem.updateMany({ where, data: { wanted: false } });
  await settleOrder(tx, shop, orderId);
  return count;
}

/**
 * Ends the insurance of items of one order: issuing withdraws it, or cancels its contract.
 * @returns `done`: that of at least one
 */
export async function endItems(
  shop: string,
  keys: readonly ItemKey[],
  actor: Actor,
): Promise<OrderActionOutcome> {
  const [first] = keys;
  if (!first) return "conflict";
  const { orderId } = first;
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, orderId);
    const which = { OR: keys.map(({ lineId, itemNumber }) => ({ lineId, itemNumber })) };
    const ended = await endInOrder(tx, shop, orderId, which);
    if (ended === 0) return (await findItem(tx, shop, first)) ? "conflict" : "unknown";
    for (const key of keys) {
      const item = await findItem(tx, shop, key);
      if (item?.contractId === null) await closeTasks(shop, key, "dismissed", tx);
      if (item) await recordItemAct(tx, shop, actor, "plan_ended", key);
    }
    await closeCustomerDataTask(tx, shop, orderId, "dismissed");
    await settleCheckTasks(tx, shop, orderId, "dismissed");
    await scheduleIssuing(tx, shop, orderId);
    return "done";
  });
}

/**
 * Ends all insurance of an order of which money was paid back. Where that was less than its premiums, tasks ask what
 * becomes of them.
 * @returns `conflict`: the task has been answered meanwhile
 */
export async function endPaidBackInsurance(
  shop: string,
  { orderId, taskId }: { orderId: string; taskId: string },
  actor: Actor,
): Promise<OrderActionOutcome> {
  return db.$transaction(async (tx): Promise<OrderActionOutcome> => {
    await lockOrder(tx, shop, orderId);
    // Read under the lock: a further amount may have been added since the person looked.
    const [task] = await lockOpenTasks(tx, shop, orderId, "paid_back");
    if (task?.id !== taskId) return "conflict";
    const { isWhole, paidBackMinor, paidBackCurrency, currency } = taskDetails.paid_back.parse(task.details);
    // Also of insurance that ended already, where its premium is not answered for.
    const where = {
      shop,
      orderId,
      OR: [{ wanted: true }, { endedInOrder: true }],
      ...(isWhole ? {} : { premiumAnswer: null }),
    };
    const ending = await tx.insuredItem.findMany({ where, select: { premiumMinor: true } });
    const premiumMinor = ending.reduce((sum, item) => sum + item.premiumMinor, 0);
    if (isWhole || (paidBackCurrency === currency && paidBackMinor >= premiumMinor))
      await tx.insuredItem.updateMany({ where, data: { premiumAnswer: "refunded" } });
    await closeTasks(shop, { ids: [taskId] }, "done", tx);
    const ended = await endInOrder(tx, shop, orderId);
    await scheduleIssuing(tx, shop, orderId);
    const after = { plans: ended };
    await recordAudit({ shop, actor, action: "insurance_ended", subject: orderId, after }, tx);
    return "done";
  });
}

/** Lets the insurance of returned products go on without them. */
export async function keepReturnedInsurance(
  shop: string,
  orderId: string,
  items: readonly Omit<ItemKey, "orderId">[],
  actor: Actor,
): Promise<OrderActionOutcome> {
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, orderId);
    const { count } = await tx.insuredItem.updateMany({
      where: {
        shop,
        orderId,
        wanted: true,
        OR: items.map(({ lineId, itemNumber }) => ({ lineId, itemNumber })),
      },
      data: { isKeptWithoutProduct: true },
    });
    if (count === 0) return "conflict";
    await settleOrder(tx, shop, orderId);
    await recordAudit(
      { shop, actor, action: "insurance_kept", subject: orderId, after: { plans: count } },
      tx,
    );
    return "done";
  });
}

/**
 * Ends insurance that its customer withdrew from and that went on until a person had looked for claims. What was paid
 * for it stays in the withdrawal's task. Where it has ended meanwhile, the task says so from now on.
 */
export async function endWithdrawnInsurance(
  shop: string,
  which: { orderId: string; taskId: string },
  details: TaskDetails<"withdrawal">,
  actor: Actor,
): Promise<OrderActionOutcome> {
  const { orderId } = which;
  return db.$transaction(async (tx): Promise<OrderActionOutcome> => {
    await lockOrder(tx, shop, orderId);
    const declared = { withdrawnAt: new Date(details.declaredAt), wanted: true };
    const plans = await endInOrder(tx, shop, orderId, declared);
    await settleWithdrawalTask(tx, shop, which, details);
    await scheduleIssuing(tx, shop, orderId);
    const entry = { action: "insurance_ended", subject: orderId, after: { plans } } as const;
    await recordAudit({ shop, actor, ...entry }, tx);
    return "done";
  });
}

/**
 * Lets insurance go on that its customer withdrew from: a person found the claim that had ended their right to. What
 * ended by the same declaration stays in its task.
 * @returns `conflict`: it has ended meanwhile
 */
export async function keepClaimedInsurance(
  shop: string,
  which: { orderId: string; taskId: string },
  details: TaskDetails<"withdrawal">,
  actor: Actor,
): Promise<OrderActionOutcome> {
  const { orderId } = which;
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, orderId);
    const { count } = await tx.insuredItem.updateMany({
      where: {
        shop,
        orderId,
        withdrawnAt: new Date(details.declaredAt),
        wanted: true,
        state: { not: "cancelled" },
      },
      data: { withdrawnAt: null, changedAt: new Date() },
    });
    if (count === 0) return "conflict";
    await settleWithdrawalTask(tx, shop, which, details);
    await scheduleIssuing(tx, shop, orderId);
    const after = { plans: count };
    await recordAudit({ shop, actor, action: "insurance_kept", subject: orderId, after }, tx);
    return "done";
  });
}

/** A person has looked for claims: the task names what ended by the declaration, or is closed where nothing did. */
async function settleWithdrawalTask(
  tx: Transaction,
  shop: string,
  { orderId, taskId }: { orderId: string; taskId: string },
  details: TaskDetails<"withdrawal">,
): Promise<void> {
  const withdrawn = await tx.insuredItem.findMany({
    where: { shop, orderId, withdrawnAt: new Date(details.declaredAt) },
  });
  if (withdrawn.length === 0) {
    await closeTasks(shop, { ids: [taskId] }, "dismissed", tx);
    return;
  }
  const insured = await tx.insuredItem.count({
    where: { shop, orderId, wanted: true, state: { not: "cancelled" } },
  });
  const premiumMinor = withdrawn
    .filter((item) => item.wanted || item.endedInOrder)
    .reduce((sum, item) => sum + item.premiumMinor, 0);
  const plans = withdrawn.map(contractText);
  const settled = { ...details, plans, claimsUnknown: [], premiumMinor, isWhole: insured === 0 };
  await tx.task.updateMany({
    where: { shop, id: taskId },
    data: { details: settled, atStakeMinor: premiumMinor },
  });
}

/**
 * Lets insurance go on with the replacement of its product though that one's premium differs: the customer pays no more.
 * @returns `conflict`: the replacement is gone, or insured by now
 */
export async function moveInsurance(
  shop: string,
  orderId: string,
  items: readonly Omit<ItemKey, "orderId">[],
  actor: Actor,
): Promise<OrderActionOutcome> {
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, orderId);
    const moved = await settleOrder(tx, shop, orderId, new Map(), items);
    if (moved === 0) return "conflict";
    const entry = { action: "insurance_moved", subject: orderId, after: { plans: moved } } as const;
    await recordAudit({ shop, actor, ...entry }, tx);
    return "done";
  });
}

/** Ends all insurance of an order. */
export async function endInsurance(shop: string, orderId: string, actor: Actor): Promise<OrderActionOutcome> {
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, orderId);
    const ended = await endInOrder(tx, shop, orderId);
    if (ended === 0) {
      return (await tx.order.count({ where: { shop, orderId } })) > 0 ? "conflict" : "unknown";
    }
    await scheduleIssuing(tx, shop, orderId);
    const after = { plans: ended };
    await recordAudit({ shop, actor, action: "insurance_ended", subject: orderId, after }, tx);
    return "done";
  });
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
  return db.$transaction(async (tx) => {
    const again = await tx.order.updateMany({
      where: { shop, orderId, salesRecordStatus: "refused" },
      data: { salesRecordStatus: "none" },
    });
    if (again.count === 0)
      return (await tx.order.count({ where: { shop, orderId } })) > 0 ? "conflict" : "unknown";
    await closeTasks(shop, { orderId, kind: "order_refused" }, "done", tx);
    await scheduleIssuing(tx, shop, orderId);
    await recordAudit({ shop, actor, action: "sales_record_resent", subject: orderId }, tx);
    return "done";
  });
}

/**
 * The insurer's contract of an item that waits for its cancellation by hand; null where there is none.
 * @throws InsuranceError
 */
async function readPlanToCancel({ shop, orderId, state, contractId }: Item): Promise<Plan | null> {
  if (state !== "attention" || contractId === null) return null;
  const order = await db.order.findUniqueOrThrow({
    where: { shop_orderId: { shop, orderId } },
    select: { environment: true },
  });
  return (
    (await (await connectionIn(shop, environment.parse(order.environment)))?.client.plans.get(contractId)) ??
    null
  );
}

/**
 * Lets a contract go on that the merchant wanted to cancel and has not cancelled at the insurer yet.
 * @returns `conflict` also where the customer or the order ended it, or the insurer shows it as cancelled
 * @throws InsuranceError
 */
export async function keepItem(shop: string, key: ItemKey, actor: Actor): Promise<OrderActionOutcome> {
  const item = await findItem(db, shop, key);
  if (!item) return "unknown";
  const plan = await readPlanToCancel(item);
  if (plan === null || planStanding(plan.status) === "cancelled") return "conflict";
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, key.orderId);
    if (!(await isKeepable(tx, shop, key))) return "conflict";
    if (!(await transitionItem(item, "kept", { note: plan.id, transaction: tx }))) return "conflict";
    const data = { wanted: true, endedInOrder: false, premiumAnswer: null };
    await tx.insuredItem.updateMany({ where: { shop, ...key }, data });
    await closeTasks(shop, { ...key, kind: "manual_cancellation" }, "done", tx);
    await settleOrder(tx, shop, key.orderId);
    await scheduleIssuing(tx, shop, key.orderId);
    await recordItemAct(tx, shop, actor, "contract_kept", key);
    return "done";
  });
}

/**
 * The merchant says that a contract was cancelled in the insurer's account area. Where the connected store does not show
 * it, their word is all there is.
 * @returns `conflict` where the insurer still shows it in force: the task stays
 * @throws InsuranceError
 */
export async function confirmCancelled(
  shop: string,
  key: ItemKey,
  actor: Actor,
): Promise<OrderActionOutcome> {
  const item = await findItem(db, shop, key);
  if (!item) return "unknown";
  const plan = await readPlanToCancel(item).catch((error: unknown) => {
    if (error instanceof NotFound) return "not_shown" as const;
    throw error;
  });
  if (plan === null || (plan !== "not_shown" && planStanding(plan.status) !== "cancelled")) return "conflict";
  return db.$transaction(async (tx) => {
    await lockOrder(tx, shop, key.orderId);
    const note = plan === "not_shown" ? "the insurer does not show it" : `contract ${plan.id} is cancelled`;
    if (!(await transitionItem(item, "found_cancelled", { note, transaction: tx }))) return "conflict";
    await closeTasks(shop, key, "done", tx);
    await scheduleIssuing(tx, shop, key.orderId);
    await recordItemAct(tx, shop, actor, "cancellation_confirmed", key);
    return "done";
  });
}
