/** An order as issuing reads it, and its sales record. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { grantedColumn } from "#app/merchants/optional-scopes.server.ts";
import { isOfStoreBefore } from "#app/merchants/stores.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import type { InsuredCustomer } from "#app/plans/ledger/customer.ts";
import { openCustomer } from "#app/plans/ledger/sealed-customer.server.ts";
import { salesRecordStatuses } from "./next-step.ts";
import type { SalesRecordStatus } from "./next-step.ts";
import type { SalesRecord } from "./service-requests.ts";
import { unitRow } from "#app/plans/ledger/units.server.ts";

/** The order as the database has it. */
export const storedOrder = z.object({
  orderId: z.string(),
  paid: z.boolean(),
  cancelled: z.boolean(),
  salesRecordStatus: z.enum(salesRecordStatuses),
  environment: z.enum(["test", "production"]),
  /** another store was connected when it was bought: its contracts are that one's */
  isOfStoreBefore: z.boolean(),
  /** when the database was restored to a moment after which it may have been worked on; null: never */
  restoredAt: z.coerce.date().nullable(),
  sealedCustomer: z.string().nullable(),
  revision: z.int(),
  /** the merchant lets the app fulfil lines of orders */
  canFulfil: z.boolean(),
  /** and show its customer the cover */
  canWriteOrders: z.boolean(),
  /** items of it got automatic quotes (app/leads/order-leads) */
  hasLeads: z.boolean(),
  now: z.coerce.date(),
  units: z.array(unitRow),
});
type StoredOrder = z.infer<typeof storedOrder>;
export type WorkingOrder = Omit<StoredOrder, "sealedCustomer"> & {
  /** who is insured; null after the erasure of their data */
  customer: InsuredCustomer | null;
  /** the merchant has no account yet, so the sales record is sent another time */
  salesRecordDeferred?: true;
  /** the service has just refused a contract for want of a phone number */
  phoneNeeded?: true;
};

/** @throws CannotOpenError */
export async function toWorkingOrder(
  shop: string,
  { sealedCustomer, ...order }: StoredOrder,
): Promise<WorkingOrder> {
  const customer =
    sealedCustomer === null ? null : openCustomer(await dataKeyOf(shop), order.orderId, sealedCustomer);
  return { ...order, customer };
}

/** The columns of `storedOrder`, for a statement in which the order is `o`. */
export const workingOrderColumns = Prisma.sql`
  o."orderId", o."paidAt" IS NOT NULL AS paid, o."cancelledAt" IS NOT NULL AS cancelled, o."salesRecordStatus",
  o.environment, ${isOfStoreBefore} AS "isOfStoreBefore",
  (SELECT max(r.at) FROM "Restore" AS r WHERE r.at >= o."purchasedAt") AS "restoredAt", o."sealedCustomer", o.revision, now() AS now, ${grantedColumn("fulfilment")} AS "canFulfil",
  ${grantedColumn("orderCover")} AS "canWriteOrders",
  EXISTS (SELECT FROM "OrderLead" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId") AS "hasLeads",
  (SELECT COALESCE(jsonb_agg(to_jsonb(u) ORDER BY u."lineId", u."unitNumber"), '[]')
   FROM "InsuredUnit" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS units`;

/** An order with its units as it is now, with the database's time. Null: there is none. */
export async function readWorkingOrder(shop: string, orderId: string): Promise<WorkingOrder | null> {
  const rows = await db.$queryRaw`
    SELECT ${workingOrderColumns} FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  const [row] = z.array(storedOrder).parse(rows);
  return row ? toWorkingOrder(shop, row) : null;
}

export async function writeSalesRecordStatus(
  shop: string,
  orderId: string,
  status: SalesRecordStatus,
): Promise<void> {
  await db.order.updateMany({ where: { shop, orderId }, data: { salesRecordStatus: status } });
}

const salesRecord = z.tuple([
  z.object({
    orderId: z.string(),
    purchasedAt: z.coerce.date(),
    paymentMethod: z.string(),
    salesChannel: z.string(),
    lines: z.array(
      z.object({
        lineId: z.string(),
        variantId: z.string().nullable(),
        productId: z.string().nullable(),
        priceMinor: z.int(),
        currency: z.string(),
        categoryId: z.string(),
        insuranceOffered: z.boolean(),
        insuranceSelected: z.boolean(),
      }),
    ),
  }),
]);

/** What the order's sales record is made of. */
export async function readSalesRecord(shop: string, orderId: string): Promise<SalesRecord> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o."purchasedAt", o."paymentMethod", o."salesChannel",
      (SELECT COALESCE(jsonb_agg(to_jsonb(line) ORDER BY line."lineId"), '[]') FROM "OrderLine" AS line
       WHERE line.shop = o.shop AND line."orderId" = o."orderId") AS lines
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return salesRecord.parse(rows)[0];
}
