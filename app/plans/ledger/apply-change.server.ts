/**
 * Applies a refund or an edit to the ledger from its webhook alone, where the platform does not give the order: it is
 * older than 60 days, or the app may not read orders.
 */
import { db } from "#app/platform/db.server.ts";
import type { OrderChange } from "#app/shopify/payloads/order-changes.ts";
import { markUnwanted } from "./insert-units.server.ts";
import { remainingAfter } from "./order-change.ts";

/** Remembers that a report of the whole order held this change. */
export async function noteOrderChange(shop: string, orderId: string, { id }: OrderChange): Promise<void> {
  await db.$executeRaw`
    UPDATE "Order" SET changes = array_append(changes, ${id})
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND NOT ${id} = ANY(changes)`;
}

/**
 * Safe to repeat: a change is applied once, and not where a report of the whole order held it already.
 * @returns false where the order is not known
 */
export async function applyOrderChange(shop: string, orderId: string, change: OrderChange): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const applied = await tx.$executeRaw`
      UPDATE "Order" SET changes = array_append(changes, ${change.id}), revision = revision + 1
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND NOT ${change.id} = ANY(changes) AND "changedAt" <= ${change.at}`;
    if (applied === 0) return (await tx.order.count({ where: { shop, orderId } })) > 0;
    const where = { shop, orderId };
    const units = await tx.insuredUnit.findMany({
      where,
      select: { lineId: true, insuredLineId: true, wanted: true, endedInOrder: true },
    });
    const lines = await tx.orderLine.findMany({
      where,
      select: { lineId: true, currentQuantity: true },
    });
    const { products, ...remaining } = remainingAfter(change, units, lines);
    for (const [lineId, currentQuantity] of products) {
      await tx.orderLine.updateMany({ where: { ...where, lineId }, data: { currentQuantity } });
    }
    await markUnwanted(tx, shop, orderId, remaining);
    return true;
  });
}
