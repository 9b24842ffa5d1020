/** Which quotes of an order are pending, are being requested, and have an unknown outcome. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { isExpired, quotablePaidSince, uninsured } from "#app/orders/quote-conditions.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { SENDING_MS } from "#app/quotes/quotes.ts";
import { type OrderQuoteState, orderQuoteStates } from "./order-quotes.ts";

export const orderQuoteRow = z.object({
  shop: z.string(),
  orderId: z.string(),
  lineId: z.string(),
  itemNumber: z.int(),
  state: z.enum(orderQuoteStates),
  environment,
  variantId: z.string(),
  productTitle: z.string(),
  priceMinor: z.int(),
  currency: z.string(),
  categoryId: z.string(),
  attempt: z.int(),
});
export type OrderQuoteRow = z.infer<typeof orderQuoteRow>;

export async function listDue(shop: string, orderId: string): Promise<OrderQuoteRow[]> {
  const rows = await db.orderQuote.findMany({
    where: { shop, orderId, state: "due" },
    orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }],
  });
  return rows.map((row) => orderQuoteRow.parse(row));
}

const isDead = Prisma.sql`o."cancelledAt" IS NOT NULL OR o."erasedAt" IS NOT NULL`;

/**
 * Marks a quote as being sent, unless it is another worker's, or not to be made any more: right before the request, and
 * in one statement, because the order may have been cancelled, refunded or insured meanwhile.
 * @returns whether it is to be sent now
 */
export async function lockQuote(row: OrderQuoteRow, emailDigest: string): Promise<OrderQuoteRow | null> {
  const { shop, orderId, lineId, itemNumber } = row;
  const rows = await db.$queryRaw`
    UPDATE "OrderQuote" AS l SET state = 'sending', "sentAt" = now(), attempt = l.attempt + 1
    FROM "Order" AS o JOIN "OrderLine" AS line ON line.shop = o.shop AND line."orderId" = o."orderId"
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = ${lineId} AND l."itemNumber" = ${itemNumber}
      AND l.state = 'due' AND l.attempt = ${row.attempt}
      AND o.shop = l.shop AND o."orderId" = l."orderId" AND line."lineId" = l."lineId"
      AND o."acceptsMarketing" AND NOT (${isDead})
      AND NOT EXISTS (
        SELECT FROM "QuoteSuppression" AS s WHERE s.shop = l.shop AND s."emailDigest" = ${emailDigest})
      AND ${uninsured} > (
        SELECT count(*) FROM "OrderQuote" AS other WHERE other.shop = l.shop AND other."orderId" = l."orderId"
          AND other."lineId" = l."lineId" AND other.state IN ('sending', 'unknown', 'open', 'sold')
          AND NOT ${isExpired(Prisma.sql`other`)})
    RETURNING l.*`;
  return z.array(orderQuoteRow).max(1).parse(rows)[0] ?? null;
}

/** After the request. A late response still shows its outcome. @returns false: the row has another state by now */
export async function moveSent(
  { shop, orderId, lineId, itemNumber, attempt }: OrderQuoteRow,
  data: Prisma.OrderQuoteUpdateManyMutationInput & { state: OrderQuoteState },
  tx: Pick<typeof db, "orderQuote"> = db,
): Promise<boolean> {
  const { count } = await tx.orderQuote.updateMany({
    where: { shop, orderId, lineId, itemNumber, attempt, state: { in: ["sending", "unknown"] } },
    data,
  });
  return count === 1;
}

/** Nothing was done: the row of a request that staff or the customer may make again. */
export async function dropSent({ shop, orderId, lineId, itemNumber }: OrderQuoteRow): Promise<void> {
  await db.orderQuote.deleteMany({ where: { shop, orderId, lineId, itemNumber, state: "sending" } });
}

/**
 * Quotes that a dead worker was sending, and those that were pending before a backup was restored, have an unknown
 * outcome: they may have been requested in the lost time.
 */
export async function markLostAsUnknown(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "OrderQuote" AS l SET state = 'unknown'
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND (
      (l.state = 'sending' AND l."sentAt" < now() - ${SENDING_MS} * interval '1 millisecond')
      OR (l.state = 'due' AND EXISTS (SELECT FROM "Restore" AS r WHERE r.at >= l."createdAt")))`;
}

/** A quote that could not be requested while its customer expected it, or whose customer wants no mail any more, is not made. */
export async function dropLate(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "OrderQuote" AS l USING "Order" AS o
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l.state = 'due'
      AND o.shop = l.shop AND o."orderId" = l."orderId" AND (NOT o."acceptsMarketing"
        OR o."paidAt" <= ${quotablePaidSince})`;
}
