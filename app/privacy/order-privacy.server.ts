/** Finds and erases customers' personal data in orders. */
import { z } from "zod";
import { eraseMails } from "#app/outbox/outbox.server.ts";
import { deleteOrderClaims } from "#app/claims/stored-claims.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db, inSmallSteps } from "#app/platform/db.server.ts";
import { appendToBook, readOrderBooks } from "#app/orders/book/book.server.ts";
import { customerDigest, ERASED_CONSENTS, openConsents, openCustomer } from "#app/orders/sealed.server.ts";
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
      sealedConsents: true,
      items: {
        where: { shop },
        select: { lineId: true, itemNumber: true, planTitle: true, contractId: true, state: true },
      },
    },
    orderBy: { purchasedAt: "asc" },
  });
  const books = await readOrderBooks(
    shop,
    orders.map(({ orderId }) => orderId),
  );
  return orders.map(({ sealedCustomer, sealedConsents, items, ...order }) => {
    const { orderId } = order;
    const words = openConsents(key, orderId, sealedConsents);
    const sold = books.get(orderId)?.order.items ?? [];
    return {
      ...order,
      items: items.map(({ lineId, itemNumber, ...item }) => ({
        ...item,
        consent:
          sold.find((each) => each.lineId === lineId && each.number === itemNumber)?.sold.consent ??
          words[lineId] ??
          null,
      })),
      customer: sealedCustomer === null ? null : openCustomer(key, orderId, sealedCustomer),
    };
  });
}

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
  const orderIds = orders.map(({ orderId }) => orderId);
  for (const orderId of orderIds) await eraseOrder(shop, orderId);
  return orderIds;
}

const foundOrders = z.array(z.object({ orderId: z.string() }));

/** Erases the personal data of ended orders that were purchased before `before`. @returns their number */
export async function eraseOrdersBefore(shop: string, before: Date, signal?: AbortSignal): Promise<number> {
  return inSmallSteps(async (size) => {
    const rows = await db.$queryRaw`
      SELECT o."orderId" FROM "Order" AS o WHERE o.shop = ${shop} AND ${purchasedBefore(before)} LIMIT ${size}`;
    const orders = foundOrders.parse(rows);
    for (const { orderId } of orders) {
      signal?.throwIfAborted();
      await eraseOrder(shop, orderId);
    }
    return orders.length;
  }, signal);
}

/**
 * Erases what is sealed beside an order's book, its mails, and the claims on its contracts. The book stays and says that
 * the customer was erased, so that a later report fills nothing in. Safe to repeat.
 */
async function eraseOrder(shop: string, orderId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    // It locks the order: a report that comes meanwhile is stored before, and erased, or sees afterwards that it is.
    await appendToBook(
      tx,
      shop,
      orderId,
      ({ order }) => (order.erasedAt === null ? [{ type: "erased" }] : []),
      { sendsJob: false },
    );
    const where = { shop, orderId };
    await tx.order.updateMany({
      where,
      data: { sealedCustomer: null, emailDigest: null, customerDigest: null },
    });
    await tx.order.updateMany({
      where: { ...where, sealedConsents: { not: null } },
      data: { sealedConsents: ERASED_CONSENTS },
    });
    await eraseMails(tx, shop, [orderId]);
    await deleteOrderClaims(tx, shop, [orderId]);
  });
}
