/** Deletion of personal data that the merchant does not want to keep any longer. */
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

/**
 * Deletes the personal data of orders from before a moment. An order with something left to do keeps its data until
 * that is done: its plans could not be created without it.
 * @returns how many orders held some
 */
export async function forgetOrdersBefore(shop: string, before: Date): Promise<number> {
  const { count } = await db.order.updateMany({
    where: {
      shop,
      purchasedAt: { lt: before },
      erased: false,
      units: { every: { state: { in: ["active", "cancelled", "refused"] } } },
    },
    data: { customer: Prisma.DbNull, email: null, erased: true },
  });
  return count;
}
