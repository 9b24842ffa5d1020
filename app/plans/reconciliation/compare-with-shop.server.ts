/** Compares one order of the shop with the ledger, and makes up for what was lost. */
import { z } from "zod";
import { activeConnection } from "#app/merchants/insurance-connection.server.ts";
import { reconcileOrQueue, storeAndReconcile } from "#app/plans/order-webhooks.server.ts";
import { sendOrderJobs } from "#app/plans/reconciler/schedule.server.ts";
import { databaseNow } from "#app/plans/reconciler/working-order.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import type { ReconciliationCounts } from "./reconciliation.ts";

/** A creation that was sent more recently is not stuck. */
const STUCK_AFTER_MS = 15 * 60_000;

/**
 * What the ledger lacks of an order of the shop: the order, a change of it, or what its units and sales record wait for;
 * null: nothing.
 */
export async function findGap(
  shop: string,
  order: ShopOrder,
): Promise<"missed" | "behind" | "resumed" | null> {
  const known = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: order.id } },
    include: {
      lines: { where: { shop }, select: { lineId: true, currentQuantity: true } },
      units: { where: { shop }, select: { lineId: true, state: true, wanted: true } },
    },
  });
  // An order that was never paid has nothing to insure, and its cancellation nothing to cancel.
  if (!known) return order.paid ? "missed" : null;
  const isBehind =
    (order.paid && known.paidAt === null) ||
    (order.cancelledAt !== null && known.cancelledAt === null) ||
    // Quotes are for those who may be written to.
    (!order.acceptsMarketing && known.acceptsMarketing) ||
    hasChangedLine(order.lines, known);
  if (isBehind) return "behind";
  const hasWork =
    (known.paidAt !== null && known.salesRecordStatus === "none") ||
    (known.cancelledAt !== null && known.salesRecordStatus === "recorded") ||
    known.units.some(
      ({ state, wanted }) =>
        ["pending", "creating", "unknown", "cancelling"].includes(state) || (state === "active" && !wanted),
    );
  return hasWork ? "resumed" : null;
}

/** Stores what the ledger lacks of an order of the shop, and resumes what was left over. */
export async function compareWithShop(
  shop: string,
  order: ShopOrder,
  counts: ReconciliationCounts,
): Promise<void> {
  counts.orders += 1;
  const gap = await findGap(shop, order);
  if (gap === null) return;
  counts[gap] += 1;
  await (gap === "resumed" ? reconcileOrQueue(shop, order.id) : storeAndReconcile(shop, order, "read"));
}

interface KnownLines {
  lines: { lineId: string; currentQuantity: number }[];
  units: { lineId: string; wanted: boolean }[];
}

/** Compares quantities, not times: several changes may fall into one second. */
function hasChangedLine(lines: ShopOrder["lines"], known: KnownLines): boolean {
  return lines.some(({ id, quantity, currentQuantity }) => {
    const units = known.units.filter(({ lineId }) => lineId === id);
    if (units.length > 0) {
      return units.length < quantity || units.filter(({ wanted }) => wanted).length > currentQuantity;
    }
    return known.lines.find(({ lineId }) => lineId === id)?.currentQuantity !== currentQuantity;
  });
}

const orderIds = z.array(z.object({ orderId: z.string() }));

/** Queues orders again whose units have been waiting for a while, whatever became of their jobs. */
export async function requeueStuckOrders(shop: string, counts: ReconciliationCounts): Promise<void> {
  if (!(await activeConnection(shop))) return;
  const before = new Date((await databaseNow()).getTime() - STUCK_AFTER_MS);
  const stuck = orderIds.parse(
    await db.$queryRaw`
      SELECT DISTINCT u."orderId" FROM "InsuredUnit" AS u JOIN "Order" AS o USING (shop, "orderId")
      WHERE u.shop = ${shop} AND u."changedAt" < ${before} AND o."paidAt" IS NOT NULL
        AND (u.state IN ('pending', 'creating', 'unknown', 'cancelling')
          OR u.state IN ('active', 'refused') AND (NOT u.wanted OR o."cancelledAt" IS NOT NULL))
      LIMIT 1000`,
  );
  await sendOrderJobs(shop, stuck);
  counts.resumed += stuck.length;
}
