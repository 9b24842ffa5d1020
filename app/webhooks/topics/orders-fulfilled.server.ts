import { db } from "#app/platform/db.server.ts";
import { storeAndReconcile } from "#app/issuing/store-and-reconcile.server.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { DELIVERED_WITHIN_MS, withPayload } from "./topic-handler.ts";

/**
 * orders/fulfilled and orders/partially_fulfilled: fulfils the lines of the order's contracts too. The webhook may
 * arrive before the order's payment. An order without insurance, or older than the installation, is not stored.
 */
export const ordersFulfilled = withPayload(parseOrderPayload, async (shop, order) => {
  const storedOrder = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: order.id } },
    select: { items: { where: { shop, wanted: true }, select: { lineId: true }, take: 1 } },
  });
  const isNew = Date.now() - order.createdAt.getTime() < DELIVERED_WITHIN_MS;
  if (storedOrder ? storedOrder.items.length > 0 : isNew) await storeAndReconcile(shop, order, "delivered");
});
