/** What became of a quote that an order got by itself. */
import { db } from "#app/platform/db.server.ts";

/** Null: the quote was made by hand. */
export async function findOrderLead(shop: string, leadId: string) {
  return db.orderLead.findFirst({
    where: { shop, leadId },
    select: { orderId: true, openedAt: true, withdrawnAt: true, soldAt: true, contractId: true },
  });
}
