/** Finds and erases customers' personal data in orders. */
import { z } from "zod";
import { eraseMails } from "#app/outbox/outbox.server.ts";
import { deleteOrderClaims } from "#app/claims/stored-claims.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db, inSmallSteps, type Transaction } from "#app/platform/db.server.ts";
import {
  customerDigest,
  ERASED_CONSENT,
  openConsent,
  openCustomer,
} from "#app/orders/sealed.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

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

const erasedRows = z.array(z.object({ orderId: z.string() }));

/**
 * Erases the customers of orders, and what finds them. The orders are locked until the transaction ends: a report that
 * adds items meanwhile is seen by the next statement, or sees that the order is erased.
 */
async function eraseCustomers(tx: Transaction, shop: string, which: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw`
    UPDATE "Order" SET "sealedCustomer" = NULL, "emailDigest" = NULL, "customerDigest" = NULL,
      "erasedAt" = COALESCE("erasedAt", now())
    WHERE shop = ${shop} AND ${which}
    RETURNING "orderId"`;
  return erasedRows.parse(rows).map(({ orderId }) => orderId);
}

const eraseCustomersOf = (tx: Transaction, shop: string, orderIds: string[]): Promise<string[]> =>
  eraseCustomers(tx, shop, Prisma.sql`"orderId" = ANY(${orderIds})`);

/** Those of orders that were purchased before and have ended, one way or the other. @returns the orders' ids */
const eraseCustomersBefore = (
  tx: Transaction,
  shop: string,
  before: Date,
  limit: number,
): Promise<string[]> =>
  eraseCustomers(
    tx,
    shop,
    Prisma.sql`"orderId" IN (
      SELECT o."orderId" FROM "Order" AS o WHERE o.shop = ${shop} AND ${purchasedBefore(before)} LIMIT ${limit})`,
  );

/**
 * An order of which nothing is left to do: its personal data has served. Nothing is done for what was never paid, nor
 * for what a person left as it is.
 */
const isSettled = Prisma.sql`o."erasedAt" IS NULL AND NOT EXISTS (
  SELECT FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId"
    AND (u.state IN ('creating', 'unknown', 'cancelling') OR o."paidAt" IS NOT NULL AND (u.state = 'pending'
      OR u.state = 'attention' AND (u.wanted AND o."cancelledAt" IS NULL OR EXISTS (
        SELECT FROM "Task" AS t WHERE t.shop = o.shop AND t."orderId" = o."orderId" AND t."closedAt" IS NULL)))))`;

const purchasedBefore = (before: Date) =>
  Prisma.sql`o."purchasedAt" < ${before.toISOString()}::timestamptz AND ${isSettled}`;

/** A condition on `m.shop` of another statement: the shop has orders for `eraseCustomersBefore`. */
export const hasOrdersBefore = (before: Date) =>
  Prisma.sql`EXISTS (SELECT FROM "Order" AS o WHERE o.shop = m.shop AND ${purchasedBefore(before)})`;

/** A query of the orders whose customer is stored, for a statement about what names them. */
export const ordersWithCustomer = Prisma.sql`SELECT shop, "orderId" FROM "Order" WHERE "sealedCustomer" IS NOT NULL`;

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
