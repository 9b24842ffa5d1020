/** What follows from orders/edited, refunds/create and orders/delete, whose payloads contain only the change. */
import { reconcileOrQueue } from "#app/issuing/store-and-reconcile.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { fetchOrderIfAllowed, saveReport } from "#app/orders/save-report.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { log } from "#app/platform/log.server.ts";
import { shownSince } from "#app/shopify/order-access.ts";
import type { OrderChange, OrderChangePayload } from "#app/shopify/payloads/order-changes.ts";
import { DELIVERED_WITHIN_MS } from "./topic-handler.ts";

/** A change of an order arrived before the order. The queue retries. */
class OrderNotKnownYet extends AppError {
  override name = "OrderNotKnownYet";
}

/**
 * Fetches the order as it is now, or works from the payload if Shopify does not return it.
 * @throws OrderNotKnownYet: the order's payment may still be on its way
 */
export async function followOrderChange(
  shop: string,
  { orderId, change }: OrderChangePayload,
): Promise<void> {
  const report = await fetchOrderIfAllowed(shop, orderId);
  if (report) {
    await saveReport(shop, report, "read", { sendsJob: false });
    return reconcileOrQueue(shop, orderId);
  }
  log.info({ shop, orderId }, "Failed to fetch a changed order: Shopify does not return it");
  const saved = await appendToOrder(
    shop,
    orderId,
    ({ order, now }) => (change === null ? notShown(order, now) : unseenEvents(change, order)),
    { sendsJob: false },
  );
  if (saved !== null) return reconcileOrQueue(shop, orderId);
  if (change !== null && Date.now() - change.at.getTime() < DELIVERED_WITHIN_MS) {
    throw new OrderNotKnownYet(
      `Failed to apply a change of order ${orderId}: the order is not stored yet, the queue retries`,
    );
  }
}

/** One question until a person answers it: repeated, forged webhooks add nothing to the book. */
const notShown = ({ notShownAt, answers }: Order, asOf: Date): BookEvent[] =>
  notShownAt !== null && !answers.has("order_not_shown") ? [] : [{ type: "not_shown", asOf }];

/** What the webhook alone says. A person looks at what it adds, of which it has only the id. */
function unseenEvents({ id, at: asOf, removed, adds, refund }: OrderChange, { placed }: Order): BookEvent[] {
  const [kind, number = ""] = id.split(" ");
  if (kind === "edit")
    return [
      { type: "edited", editId: number, removed, asOf },
      ...(adds ? [{ type: "not_shown" as const, asOf }] : []),
    ];
  if (refund !== null) {
    const { id: refundId, at, ...rest } = refund;
    return [{ type: "refund", refundId, asOf: at, ...rest }];
  }
  // Its amounts cannot be read: nothing counts as paid back, so premiums stay open.
  return [
    {
      type: "refund",
      refundId: number,
      lines: removed.map((line) => ({ ...line, amountMinor: 0 })),
      moneyMinor: 0,
      currency: placed?.currency ?? "",
      status: "pending",
      asOf,
    },
  ];
}

/**
 * Staff deleted an order, or so the webhook claims: no signature covers its topic. What Shopify still shows is not deleted.
 * No contract ends: a person decides. An order that is too old to be shown may only be claimed to be deleted, so its
 * contracts are requested as before.
 */
export async function followOrderDeletion(shop: string, orderId: string): Promise<void> {
  if (await fetchOrderIfAllowed(shop, orderId)) return;
  const access = (await findMerchant(shop))?.orderAccess;
  const saved = await appendToOrder(
    shop,
    orderId,
    ({ order, now }) => {
      if (order.deletedAt !== null) return [];
      const isShown = access !== "none" && order.placed !== null && order.placed.placedAt > shownSince();
      return isShown ? [{ type: "deleted", asOf: now }] : notShown(order, now);
    },
    { sendsJob: false },
  );
  if (saved !== null) await reconcileOrQueue(shop, orderId);
}
