/** Pays premiums back in the shop: the items of plans are refunded there, and their insurance ends with them. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { findItem, isRefundable } from "#app/orders/book/answers.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { type ItemKey, itemKeyOf } from "#app/orders/book/events.ts";
import type { Item, Order } from "#app/orders/book/evolve.ts";
import { premiumOf } from "#app/orders/book/money.ts";
import { fetchOrderIfAllowed, saveReport } from "#app/orders/save-report.server.ts";
import { availableTaskActions, type TaskView } from "#app/orders/tasks/tasks.ts";
import { findTask } from "#app/orders/tasks/tasks.server.ts";
import { AdminRefused, NoAccess } from "#app/shopify/errors.ts";
import { createRefund } from "#app/shopify/refund.server.ts";
import type { OrderItemKey } from "./order-actions.server.ts";

type ItemNumber = Pick<OrderItemKey, "lineId" | "itemNumber">;

interface PremiumRefund {
  orderId: string;
  /** the task that proposes it, as the person has seen it */
  task: TaskView;
  items: ItemNumber[];
  /** the task's other items, one of which may be the choice of another person at this moment */
  others: ItemNumber[];
}

/** How long another person's refund may take before it counts as failed. */
const REFUNDING_MS = 60_000;

/** `not_shown`: the shop does not show the order to the app; a person refunds it there. */
type RefundOutcome = "done" | "conflict" | "not_shown";

/**
 * Refunds the items' items, once however often it is requested: what the shop's order does not hold any more is not
 * refunded again, and requests at the same time have one idempotency key. Shopify returns the first result of a key
 * again, so a request after a refusal has another one. The refund takes the items out of the order,
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
  if (!isOpen || !isDeepStrictEqual(current.details, task.details)) return "conflict";
  const request = await requestRefund(shop, orderId, items, others);
  if (request === null) return "conflict";
  const { items: requested, refusals } = request;
  if (requested.length === 0) return "done";
  const lines = [...Map.groupBy(requested, ({ lineId }) => lineId)];
  const refund = {
    orderId,
    lines: lines.map(([lineId, ofLine]) => ({ lineId, quantity: ofLine.length })),
    idempotencyKey: createHash("sha256")
      .update(JSON.stringify([shop, orderId, requested, refusals]))
      .digest("base64url"),
    note: "Parasol: insurance ended",
  };
  const takeBack = () =>
    appendToOrder(shop, orderId, () => [{ type: "refund_refused", items: requested }], { sendsJob: false });
  const made = await createRefund(shop, refund).catch(async (error: unknown) => {
    // Of a refund whose answer was lost it is not known whether it was made.
    if (error instanceof AdminRefused || error instanceof NoAccess) await takeBack();
    throw error;
  });
  if (made === null) {
    await takeBack();
    return "not_shown";
  }
  const after = { plans: requested.length, ...made };
  await recordAudit({ shop, actor, action: "premium_refunded", subject: orderId, after });
  await readCurrentOrder(shop, orderId);
  return "done";
}

/**
 * Notes which items are about to be refunded: the order's next report, or the refund's webhook, takes these and no equal
 * ones.
 * @returns null: another person refunds another item of the task now
 */
async function requestRefund(
  shop: string,
  orderId: string,
  items: readonly ItemNumber[],
  others: readonly ItemNumber[],
): Promise<{ items: ItemKey[]; refusals: number } | null> {
  let requested: ItemKey[] = [];
  let refusals = 0;
  const appended = await appendToOrder(
    shop,
    orderId,
    ({ order, now }) => {
      const since = now.getTime() - REFUNDING_MS;
      if (itemsOf(order, others).some(({ refundRequestedAt }) => (refundRequestedAt?.getTime() ?? 0) > since))
        return null;
      const unpaid = itemsOf(order, items).filter((item) => isRefundable(order, item));
      requested = unpaid
        .map(itemKeyOf)
        .toSorted((a, b) => (a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : a.number - b.number));
      refusals = unpaid.reduce((sum, item) => sum + item.refusedRefunds, 0);
      if (requested.length === 0) return [];
      const amountMinor = unpaid.reduce((sum, item) => sum + premiumOf(order, item), 0);
      return [{ type: "refund_requested", items: requested, amountMinor }];
    },
    { sendsJob: false },
  );
  return appended && { items: requested, refusals };
}

const itemsOf = (order: Order, items: readonly ItemNumber[]): Item[] =>
  items.flatMap(({ lineId, itemNumber }) => findItem(order, { lineId, number: itemNumber }) ?? []);

/** Stores the order as the shop has it now. @returns false: the shop does not show it */
async function readCurrentOrder(shop: string, orderId: string): Promise<boolean> {
  const order = await fetchOrderIfAllowed(shop, orderId);
  if (order) await saveReport(shop, order, "read");
  return order !== null;
}
