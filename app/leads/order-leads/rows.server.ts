/** The quotes of an order's items in the database: which are pending, requested once, and withdrawn. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { orderLeadStates } from "./states.ts";
import type { OrderLeadReason, OrderLeadState } from "./states.ts";

export const orderLeadRow = z.object({
  shop: z.string(),
  orderId: z.string(),
  lineId: z.string(),
  unitNumber: z.int(),
  state: z.enum(orderLeadStates),
  environment,
  variantId: z.string(),
  productTitle: z.string(),
  priceMinor: z.int(),
  currency: z.string(),
  categoryId: z.string(),
  attempt: z.int(),
});
export type OrderLeadRow = z.infer<typeof orderLeadRow>;

export async function listDue(shop: string, orderId: string): Promise<OrderLeadRow[]> {
  const rows = await db.orderLead.findMany({
    where: { shop, orderId, state: "due" },
    orderBy: [{ lineId: "asc" }, { unitNumber: "asc" }],
  });
  return rows.map((row) => orderLeadRow.parse(row));
}

/** How many items of the line `line` of another statement are not insured. A plan of unclear product may insure any. */
const uninsured = Prisma.sql`line."currentQuantity" - (
  SELECT count(*) FROM "InsuredUnit" AS u WHERE u.shop = line.shop AND u."orderId" = line."orderId" AND u.wanted
    AND (u."insuredLineId" IS NULL OR u."insuredLineId" = line."lineId"))`;

/** An expired quote takes no place of its item: staff may have requested another. */
const isExpired = (row: Prisma.Sql) =>
  Prisma.sql`(${row}.state = 'open' AND left(${row}."expiresOn", 10) < to_char(now(), 'YYYY-MM-DD'))`;
const expired = isExpired(Prisma.sql`l`);

const isDead = Prisma.sql`o."cancelledAt" IS NOT NULL OR o."erasedAt" IS NOT NULL`;

/**
 * Marks a quote as being sent, unless it is another worker's, or not to be made any more: right before the request, and
 * in one statement, because the order may have been cancelled, refunded or insured meanwhile.
 * @returns whether it is to be sent now
 */
export async function claim(row: OrderLeadRow, emailDigest: string): Promise<OrderLeadRow | null> {
  const { shop, orderId, lineId, unitNumber } = row;
  const rows = await db.$queryRaw`
    UPDATE "OrderLead" AS l SET state = 'sending', "sentAt" = now(), attempt = l.attempt + 1
    FROM "Order" AS o JOIN "OrderLine" AS line ON line.shop = o.shop AND line."orderId" = o."orderId"
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = ${lineId} AND l."unitNumber" = ${unitNumber}
      AND l.state = 'due' AND l.attempt = ${row.attempt}
      AND o.shop = l.shop AND o."orderId" = l."orderId" AND line."lineId" = l."lineId"
      AND o."acceptsMarketing" AND NOT (${isDead})
      AND NOT EXISTS (
        SELECT FROM "LeadSuppression" AS s WHERE s.shop = l.shop AND s."emailDigest" = ${emailDigest})
      AND ${uninsured} > (
        SELECT count(*) FROM "OrderLead" AS other WHERE other.shop = l.shop AND other."orderId" = l."orderId"
          AND other."lineId" = l."lineId" AND other.state IN ('sending', 'unknown', 'open', 'sold')
          AND NOT ${isExpired(Prisma.sql`other`)})
    RETURNING l.*`;
  return z.array(orderLeadRow).max(1).parse(rows)[0] ?? null;
}

/** After the request. A late response still shows its outcome. @returns false: the row has another state by now */
export async function moveSent(
  { shop, orderId, lineId, unitNumber, attempt }: OrderLeadRow,
  data: Prisma.OrderLeadUpdateManyMutationInput & { state: OrderLeadState },
  tx: Pick<typeof db, "orderLead"> = db,
): Promise<boolean> {
  const { count } = await tx.orderLead.updateMany({
    where: { shop, orderId, lineId, unitNumber, attempt, state: { in: ["sending", "unknown"] } },
    data,
  });
  return count === 1;
}

/** Nothing was done: the row of a request that staff may make again. */
export async function dropSent({ shop, orderId, lineId, unitNumber }: OrderLeadRow): Promise<void> {
  await db.orderLead.deleteMany({ where: { shop, orderId, lineId, unitNumber, state: "sending" } });
}

/** The client gives up long before; a worker that is stopped for longer finds its quote moved on. */
const SENDING_SECONDS = 120;

/**
 * Quotes that a dead worker was sending, and those that were pending before a backup was restored, have an unknown
 * outcome: they may have been requested in the lost time.
 */
export async function markLostAsUnknown(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "OrderLead" AS l SET state = 'unknown'
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND (
      (l.state = 'sending' AND l."sentAt" < now() - ${SENDING_SECONDS} * interval '1 second')
      OR (l.state = 'due' AND EXISTS (SELECT FROM "Restore" AS r WHERE r.at >= l."createdAt")))`;
}

/**
 * The quotes of an order whose item is gone: cancelled, returned or insured otherwise. Of a line with fewer items left
 * they are the last ones; a quote that has led to a contract keeps its item longest.
 */
export const surplusQuotes = (shop: Prisma.Sql, orderId: Prisma.Sql) => Prisma.sql`
  SELECT ranked.* FROM (
    SELECT l."lineId", l."unitNumber", o."cancelledAt" IS NOT NULL AS cancelled, o."erasedAt" IS NOT NULL AS erased, ${uninsured} AS items,
      ${expired} AS expired, row_number() OVER (PARTITION BY l."lineId" ORDER BY ${expired},
        l.state IN ('sending', 'unknown', 'sold') DESC, l.state = 'open' DESC, l."unitNumber") AS rank
    FROM "OrderLead" AS l
      JOIN "Order" AS o ON o.shop = l.shop AND o."orderId" = l."orderId"
      JOIN "OrderLine" AS line ON line.shop = l.shop AND line."orderId" = l."orderId" AND line."lineId" = l."lineId"
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l.state NOT IN ('refused', 'withdrawn')
  ) AS ranked
  WHERE ranked.erased OR ranked.cancelled OR (ranked.rank > ranked.items AND NOT ranked.expired)`;

/** Withdraws what is not to be used any more. */
export async function withdrawSurplus(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    WITH surplus AS (${surplusQuotes(Prisma.sql`${shop}`, Prisma.sql`${orderId}`)}), withdrawn AS (
      UPDATE "OrderLead" AS l SET state = 'withdrawn', "withdrawnAt" = now(),
        reason = CASE WHEN surplus.erased THEN 'erased' WHEN surplus.cancelled THEN 'order_cancelled' ELSE 'fewer_pieces' END
      FROM surplus
      WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = surplus."lineId"
        AND l."unitNumber" = surplus."unitNumber" AND l.state IN ('due', 'open')
      RETURNING l.environment, l."leadId"
    )
    UPDATE "Lead" AS lead SET status = 'withdrawn' FROM withdrawn
    WHERE lead.shop = ${shop} AND lead.environment = withdrawn.environment AND lead."leadId" = withdrawn."leadId"`;
}

/** Withdraws those of these orders, or of these quotes, whatever their items. */
export async function withdrawAll(
  shop: string,
  which: Prisma.OrderLeadWhereInput,
  reason: OrderLeadReason,
): Promise<string[]> {
  const where = { ...which, shop, state: { in: ["due", "open"] } };
  const found = await db.orderLead.findMany({ where, select: { orderId: true, leadId: true } });
  await db.$transaction([
    db.orderLead.updateMany({ where, data: { state: "withdrawn", withdrawnAt: new Date(), reason } }),
    db.lead.updateMany({
      where: { shop, leadId: { in: found.flatMap(({ leadId }) => leadId ?? []) } },
      data: { status: "withdrawn" },
    }),
  ]);
  return [...new Set(found.map(({ orderId }) => orderId))];
}
