/** Personal data of customers in orders: finding it, and its erasure. */
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { openCustomer } from "./ledger/sealed-customer.server.ts";

/** An order without personal data. */
const erasedData = { sealedCustomer: null, emailDigest: null, erased: true };

export interface CustomerReference {
  email: string | null;
  orderIds: string[];
}

async function ordersWhere(shop: string, { email, orderIds }: CustomerReference) {
  const byEmail = email === null ? [] : [{ emailDigest: digest(await dataKeyOf(shop), email) }];
  return { shop, OR: [{ orderId: { in: orderIds } }, ...byEmail] };
}

/** What is kept of a customer, for `customers/data_request`. */
export async function findCustomerOrders(shop: string, customer: CustomerReference) {
  const key = await dataKeyOf(shop);
  const orders = await db.order.findMany({
    where: await ordersWhere(shop, customer),
    select: {
      orderId: true,
      name: true,
      purchasedAt: true,
      sealedCustomer: true,
      units: { where: { shop }, select: { planTitle: true, contractId: true, state: true, consent: true } },
    },
    orderBy: { purchasedAt: "asc" },
  });
  return orders.map(({ sealedCustomer, ...order }) => ({
    ...order,
    customer: sealedCustomer === null ? null : openCustomer(key, order.orderId, sealedCustomer),
  }));
}

/**
 * Deletes a customer's personal data, for `customers/redact`. The contracts stay on record under their numbers; a
 * later webhook does not bring the data back.
 * @returns the ids of their orders
 */
export async function eraseCustomer(shop: string, customer: CustomerReference): Promise<string[]> {
  const orders = await db.order.findMany({
    where: await ordersWhere(shop, customer),
    select: { orderId: true },
  });
  const ids = orders.map(({ orderId }) => orderId);
  await db.order.updateMany({
    where: { shop, orderId: { in: ids } },
    data: erasedData,
  });
  return ids;
}

/**
 * Deletes the personal data of orders from before a moment, which the merchant does not want to keep any longer. An
 * order with something left to do keeps its data until that is done: its plans could not be created without it.
 * @returns how many orders were erased
 */
export async function eraseOrdersBefore(shop: string, before: Date): Promise<number> {
  const { count } = await db.order.updateMany({
    where: {
      shop,
      purchasedAt: { lt: before },
      erased: false,
      units: { every: { state: { in: ["active", "cancelled", "refused"] } } },
    },
    data: erasedData,
  });
  return count;
}

/** A query of the orders whose customer is stored, for a statement about what names them. */
export const ordersWithCustomer = Prisma.sql`SELECT shop, "orderId" FROM "Order" WHERE "sealedCustomer" IS NOT NULL`;
