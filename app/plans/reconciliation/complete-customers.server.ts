/** Orders that came while the app was not approved for personal data, once it is. */
import { system } from "#app/audit/actor.ts";
import { db } from "#app/platform/db.server.ts";
import { fetchOrderIfAllowed, storeOrderReport } from "#app/plans/order-webhooks.server.ts";
import { saveCustomerData } from "#app/plans/orders/save-customer-data.server.ts";

/** Far more than come in between; the rest stay tasks for a person. */
const LIMIT = 1_000;

/**
 * Reads the orders again whose plans wait for the customer's data, and issues the plans of those that now have it. Safe
 * to repeat. Orders that the platform does not show, because they are too old, stay tasks.
 * @throws the signal's reason, before the next order
 */
export async function completeCustomers(shop: string, signal: AbortSignal): Promise<void> {
  const tasks = await db.task.findMany({
    where: { shop, kind: "customer_data", closedAt: null, orderId: { not: null } },
    select: { orderId: true },
    orderBy: { openedAt: "asc" },
    take: LIMIT,
  });
  for (const orderId of new Set(tasks.flatMap((task) => task.orderId ?? []))) {
    signal.throwIfAborted();
    const order = await fetchOrderIfAllowed(shop, orderId);
    if (!order) continue;
    await storeOrderReport(shop, order, "read");
    await saveCustomerData(shop, orderId, {}, system("reconciliation"));
  }
}
