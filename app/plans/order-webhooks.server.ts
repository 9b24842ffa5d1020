/** What a webhook about an order leads to: its report is stored first, then plans are issued. */
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import type { OrderChangePayload } from "#app/shopify/payloads/orders.ts";
import { issuePlans } from "./issuing/issue-plans.server.ts";
import { readCatalogueView } from "./ledger/catalogue-view.server.ts";
import { buildLedger } from "./ledger/ledger.ts";
import { upsertOrder } from "./ledger/upsert-order.server.ts";
import { openTask } from "./tasks/tasks.server.ts";

/** Stores an order report, with the ledger as the catalogue sees it. */
export async function storeOrderReport(shop: string, order: ShopOrder): Promise<void> {
  const { view, environment } = await readCatalogueView(shop, order);
  await upsertOrder(shop, order, buildLedger(order, view), environment);
}

/** @throws InsuranceError, NotConnectedError: the report is stored, the rest is tried again */
async function storeAndIssue(shop: string, order: ShopOrder): Promise<void> {
  await storeOrderReport(shop, order);
  await issuePlans(shop, order.id);
}

export async function handleOrderPaid(shop: string, order: ShopOrder): Promise<void> {
  await storeAndIssue(shop, { ...order, paid: true });
}

/** A cancellation counts whatever was reported before it. */
export async function handleOrderCancelled(shop: string, order: ShopOrder): Promise<void> {
  await storeAndIssue(shop, { ...order, cancelledAt: order.cancelledAt ?? order.updatedAt });
}

/** After a refund or an edit, whose payloads carry only what changed: fetches the order as it is now. */
export async function handleOrderChanged(shop: string, { orderId }: OrderChangePayload): Promise<void> {
  const order = await fetchOrder(shop, orderId);
  if (order) return storeAndIssue(shop, order);
  log.warn({ shop, orderId }, "the platform does not show an order that it sent a webhook about");
  const inForce = { shop, orderId, wanted: true, state: { not: "cancelled" } };
  if ((await db.insuredUnit.count({ where: inForce })) > 0) {
    await openTask({ shop, kind: "order_not_shown", orderId, details: {} });
  }
}

/** A payload that is not an order stays in the inbox, and a person has to look at it: a retry would not help. */
export async function openUnreadableEventTask(
  shop: string,
  details: { inboxId: string; topic: string; problem: string },
  transaction: Transaction,
): Promise<void> {
  const task = { shop, kind: "unreadable_event", subjectId: details.inboxId, details } as const;
  await openTask(task, transaction);
}
