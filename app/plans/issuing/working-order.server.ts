/** Orders in the database: reading one to work on it, and what the service knows of it. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { insuredCustomer } from "#app/plans/ledger/customer.ts";
import { orderRecords } from "./next-step.ts";
import type { OrderToRecord } from "./plan-request.ts";
import { unitRow } from "#app/plans/ledger/units.server.ts";

export const workingOrder = z.object({
  orderId: z.string(),
  paid: z.boolean(),
  cancelled: z.boolean(),
  record: z.enum(orderRecords),
  environment: z.enum(["test", "production"]),
  customer: insuredCustomer.nullable(),
  facts: z.int(),
  now: z.coerce.date(),
  units: z.array(unitRow),
});
export type WorkingOrder = z.infer<typeof workingOrder>;

/** What a statement about an order (`o`) tells of it: `workingOrder`. */
export const workingOrderColumns = Prisma.sql`
  o."orderId", o."paidAt" IS NOT NULL AS paid, o."cancelledAt" IS NOT NULL AS cancelled, o.record,
  o.environment, o.customer, o.facts, now() AS now,
  (SELECT COALESCE(jsonb_agg(to_jsonb(u) ORDER BY u."lineId", u.unit), '[]')
   FROM "InsuredUnit" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS units`;

/** An order with its units as it is now, with the database's time. Null: there is none. */
export async function readWorkingOrder(shop: string, orderId: string): Promise<WorkingOrder | null> {
  const rows = await db.$queryRaw`
    SELECT ${workingOrderColumns} FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(workingOrder).parse(rows)[0] ?? null;
}

/** Notes what the service knows of the order now. */
export async function writeRecord(
  shop: string,
  orderId: string,
  record: WorkingOrder["record"],
): Promise<void> {
  await db.order.updateMany({ where: { shop, orderId }, data: { record } });
}

const orderToRecord = z.tuple([
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

/** What the order's sales data is made of. */
export async function readOrderToRecord(shop: string, orderId: string): Promise<OrderToRecord> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o."purchasedAt", o."paymentMethod", o."salesChannel",
      (SELECT COALESCE(jsonb_agg(to_jsonb(line) ORDER BY line."lineId"), '[]') FROM "OrderLine" AS line
       WHERE line.shop = o.shop AND line."orderId" = o."orderId") AS lines
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return orderToRecord.parse(rows)[0];
}
