/** Personal data of customers in orders: finding it, and its erasure. */
import { z } from "zod";
import { eraseMails } from "#app/after-sales/outbox.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db, inSmallSteps, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  customerDigest,
  ERASED_CONSENT,
  openConsent,
  openCustomer,
} from "#app/plans/ledger/sealed.server.ts";

export interface CustomerReference {
  email: string | null;
  /** the platform's id; null where only orders or an address are known */
  customerId: string | null;
  orderIds: string[];
}

async function ordersWhere(shop: string, { email, customerId, orderIds }: CustomerReference) {
  const byEmail = email === null ? [] : [{ emailDigest: digest(await dataKeyOf(shop), email) }];
  const byId =
    customerId === null ? [] : [{ customerDigest: customerDigest(await dataKeyOf(shop), customerId) }];
  return { shop, OR: [{ orderId: { in: orderIds } }, ...byEmail, ...byId] };
}

const unitColumns = {
  lineId: true,
  planTitle: true,
  contractId: true,
  state: true,
  consent: true,
  sealedConsent: true,
} as const;

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
      units: { where: { shop }, select: unitColumns },
    },
    orderBy: { purchasedAt: "asc" },
  });
  return orders.map(({ sealedCustomer, units, ...order }) => ({
    ...order,
    units: units.map(({ lineId, sealedConsent, consent, ...unit }) => ({
      ...unit,
      consent: consent ?? openConsent(key, { orderId: order.orderId, lineId, sealedConsent }),
    })),
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
  return db.$transaction((tx) => eraseOrders(tx, shop, Prisma.sql`"orderId" = ANY(${ids})`));
}

const erasedRows = z.array(z.object({ orderId: z.string() }));

/**
 * Erases the personal data of orders: the customer, what finds them, consents in words, and mails. The orders are locked first:
 * a report that adds units meanwhile is seen by the second statement, or sees that the order is erased.
 */
async function eraseOrders(tx: Transaction, shop: string, which: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw`
    UPDATE "Order" SET "sealedCustomer" = NULL, "emailDigest" = NULL, "customerDigest" = NULL,
      "erasedAt" = COALESCE("erasedAt", now())
    WHERE shop = ${shop} AND ${which}
    RETURNING "orderId"`;
  const ids = erasedRows.parse(rows).map(({ orderId }) => orderId);
  await tx.insuredUnit.updateMany({
    where: { shop, orderId: { in: ids }, sealedConsent: { not: null } },
    data: { sealedConsent: ERASED_CONSENT },
  });
  await eraseMails(tx, shop, ids);
  return ids;
}

/** An order of which nothing is left to do: its personal data has served. */
const isSettled = Prisma.sql`o."erasedAt" IS NULL AND NOT EXISTS (
  SELECT FROM "InsuredUnit" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId"
    AND u.state NOT IN ('active', 'cancelled', 'refused'))`;

const purchasedBefore = (before: Date) =>
  Prisma.sql`o."purchasedAt" < ${before.toISOString()}::timestamptz AND ${isSettled}`;

/** A condition on `m.shop` of another statement: the shop has orders for `eraseOrdersBefore`. */
export const hasOrdersBefore = (before: Date) =>
  Prisma.sql`EXISTS (SELECT FROM "Order" AS o WHERE o.shop = m.shop AND ${purchasedBefore(before)})`;

/** Erases the personal data of orders that were purchased before and have ended, one way or the other. @returns how many */
export async function eraseOrdersBefore(shop: string, before: Date, signal?: AbortSignal): Promise<number> {
  return inSmallSteps(async (size) => {
    const which = Prisma.sql`"orderId" IN (
        SELECT o."orderId" FROM "Order" AS o WHERE o.shop = ${shop} AND ${purchasedBefore(before)} LIMIT ${size})`;
    return (await db.$transaction((tx) => eraseOrders(tx, shop, which))).length;
  }, signal);
}

/** A query of the orders whose customer is stored, for a statement about what names them. */
export const ordersWithCustomer = Prisma.sql`SELECT shop, "orderId" FROM "Order" WHERE "sealedCustomer" IS NOT NULL`;
