/** Finds and erases customers' personal data in orders. */
import { eraseMails } from "#app/outbox/outbox.server.ts";
import { deleteOrderClaims } from "#app/claims/stored-claims.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db, inSmallSteps, type Transaction } from "#app/platform/db.server.ts";
import {
  customerDigest,
  ERASED_CONSENT,
  openConsent,
  openCustomer,
} from "#app/orders/ledger/sealed.server.ts";
import { eraseCustomersBefore, eraseCustomersOf } from "#app/orders/plan-rows.server.ts";

export interface CustomerReference {
  email: string | null;
  /** Shopify's id; null if only orders or an address are known */
  customerId: string | null;
  orderIds: string[];
}

async function ordersWhere(shop: string, { email, customerId, orderIds }: CustomerReference) {
  const byEmail = email === null ? [] : [{ emailDigest: digest(await dataKeyOf(shop), email) }];
  const byId =
    customerId === null ? [] : [{ customerDigest: customerDigest(await dataKeyOf(shop), customerId) }];
  return { shop, OR: [{ orderId: { in: orderIds } }, ...byEmail, ...byId] };
}

const itemColumns = {
  lineId: true,
  planTitle: true,
  contractId: true,
  state: true,
  consent: true,
  sealedConsent: true,
} as const;

/** The stored data of a customer, for `customers/data_request`. */
export async function findCustomerOrders(shop: string, customer: CustomerReference) {
  const key = await dataKeyOf(shop);
  const orders = await db.order.findMany({
    where: await ordersWhere(shop, customer),
    select: {
      orderId: true,
      name: true,
      purchasedAt: true,
      sealedCustomer: true,
      items: { where: { shop }, select: itemColumns },
    },
    orderBy: { purchasedAt: "asc" },
  });
  return orders.map(({ sealedCustomer, items, ...order }) => ({
    ...order,
    items: items.map(({ lineId, sealedConsent, consent, ...item }) => ({
      ...item,
      consent: consent ?? openConsent(key, { orderId: order.orderId, lineId, sealedConsent }),
    })),
    customer: sealedCustomer === null ? null : openCustomer(key, order.orderId, sealedCustomer),
  }));
}

/**
 * Erases a customer's personal data, for `customers/redact`. Contracts stay under their numbers. A later webhook does
 * not restore the data.
 * @returns the ids of the customer's orders
 */
export async function eraseCustomer(shop: string, customer: CustomerReference): Promise<string[]> {
  const orders = await db.order.findMany({
    where: await ordersWhere(shop, customer),
    select: { orderId: true },
  });
  return db.$transaction(async (tx) => {
    const ids = await eraseCustomersOf(
      tx,
      shop,
      orders.map(({ orderId }) => orderId),
    );
    await eraseRest(tx, shop, ids);
    return ids;
  });
}

/** Erases further data of these orders: consent texts, mails, and the claims on their contracts. */
async function eraseRest(tx: Transaction, shop: string, orderIds: string[]): Promise<void> {
  await tx.insuredItem.updateMany({
    where: { shop, orderId: { in: orderIds }, sealedConsent: { not: null } },
    data: { sealedConsent: ERASED_CONSENT },
  });
  await eraseMails(tx, shop, orderIds);
  await deleteOrderClaims(tx, shop, orderIds);
}

/** Erases the personal data of ended orders that were purchased before `before`. @returns their number */
export async function eraseOrdersBefore(shop: string, before: Date, signal?: AbortSignal): Promise<number> {
  return inSmallSteps(
    (size) =>
      db.$transaction(async (tx) => {
        const ids = await eraseCustomersBefore(tx, shop, before, size);
        await eraseRest(tx, shop, ids);
        return ids.length;
      }),
    signal,
  );
}
