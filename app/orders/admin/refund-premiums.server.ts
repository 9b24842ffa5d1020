/** Pays premiums back in the shop: the items of plans are refunded there, and their insurance ends with them. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { fetchOrderIfAllowed, storeOrderReport } from "#app/orders/order-report.server.ts";
import { lockOrder, type ItemKey } from "#app/orders/ledger/items.server.ts";
import { scheduleIssuing, sendOrderJob } from "#app/orders/schedule.server.ts";
import { availableTaskActions, type TaskView } from "#app/orders/tasks/tasks.ts";
import { closeTasks, findTask } from "#app/orders/tasks/tasks.server.ts";
import { AdminRefused } from "#app/shopify/errors.ts";
import { createRefund } from "#app/shopify/refund.server.ts";

interface PremiumRefund {
  orderId: string;
  /** the task that proposes it, as the person has seen it */
  task: TaskView;
  items: ItemNumber[];
  /** the task's other items, one of which may be the choice of another person at this moment */
  others: ItemNumber[];
}

type ItemNumber = Pick<ItemKey, "lineId" | "itemNumber">;

/** How long another person's refund may take before it counts as failed. */
const REFUNDING_MS = 60_000;

/** `not_shown`: the shop does not show the order to the app; a person refunds it there. */
type RefundOutcome = "done" | "conflict" | "not_shown";

/**
 * Refunds the items' items, once however often it is requested: what the shop's order does not hold any more is not
 * refunded again, and requests at the same time have one idempotency key. The refund takes the items out of the order,
 * so the reconciler ends their contracts.
 * @returns `conflict`: the shop's present order closes the task, or changes what it is about; or another person refunds
 *   another of its items now
 * @throws ShopError: nothing, or nothing more, was refunded
 */
export async function refundPremiums(
  shop: string,
  { orderId, task, items, others }: PremiumRefund,
  actor: Actor,
): Promise<RefundOutcome> {
  if (!(await readCurrentOrder(shop, orderId))) return "not_shown";
  const current = await findTask(shop, task.id);
  const isOpen = current !== null && availableTaskActions(current).includes("refund");
  if (!isOpen || !isDeepStrictEqual(current.details, task.details)) {
    await sendOrderJob(db, shop, orderId, { isUrgent: true });
    return "conflict";
  }
  const unpaid = await db.insuredItem.findMany({
    where: {
      shop,
      orderId,
      AND: [
        { OR: items.map(({ lineId, itemNumber }) => ({ lineId, itemNumber })) },
        { OR: [{ wanted: true }, { endedInOrder: true }] },
      ],
    },
    select: { lineId: true, itemNumber: true },
    orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }],
  });
  if (unpaid.length > 0) {
    const lines = [...Map.groupBy(unpaid, ({ lineId }) => lineId)];
    const refund = {
      orderId,
      lines: lines.map(([lineId, ofLine]) => ({ lineId, quantity: ofLine.length })),
      idempotencyKey: createHash("sha256")
        .update(JSON.stringify([shop, orderId, unpaid]))
        .digest("base64url"),
      note: "Parasol: insurance ended",
    };
    const isMarked = await db.$transaction(async (tx) => {
      await lockOrder(tx, shop, orderId);
      const refundRequestedAt = { gt: new Date(Date.now() - REFUNDING_MS) };
      const refunding = { shop, orderId, OR: others, refundRequestedAt };
      if ((await tx.insuredItem.count({ where: refunding })) > 0) return false;
      // The order's next report, or the refund's webhook, takes these items and no equal ones.
      await markRequested(tx, shop, orderId, unpaid, new Date());
      return true;
    });
    if (!isMarked) return "conflict";
    const made = await createRefund(shop, refund).catch(async (error: unknown) => {
      if (error instanceof AdminRefused) await markRequested(db, shop, orderId, unpaid, null);
      throw error;
    });
    if (made === null) return "not_shown";
    const after = { plans: unpaid.length, ...made };
    await recordAudit({ shop, actor, action: "premium_refunded", subject: orderId, after });
    await readCurrentOrder(shop, orderId);
  }
  const left = await findTask(shop, task.id);
  await db.$transaction(async (tx) => {
    // What the refund left of the task is another question.
    if (isDeepStrictEqual(left?.details, task.details))
      await closeTasks(shop, { ids: [task.id] }, "done", tx);
    await scheduleIssuing(tx, shop, orderId);
  });
  return "done";
}

async function markRequested(
  tx: Transaction,
  shop: string,
  orderId: string,
  items: ItemNumber[],
  refundRequestedAt: Date | null,
): Promise<void> {
  await tx.insuredItem.updateMany({
    where: { shop, orderId, OR: items.map(({ lineId, itemNumber }) => ({ lineId, itemNumber })) },
    data: { refundRequestedAt },
  });
}

/** Stores the order as the shop has it now. @returns false: the shop does not show it */
async function readCurrentOrder(shop: string, orderId: string): Promise<boolean> {
  const order = await fetchOrderIfAllowed(shop, orderId);
  if (order) await storeOrderReport(shop, order);
  return order !== null;
}
