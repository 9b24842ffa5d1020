/** The quotes of an order's items in the database: which are pending, requested once and withdrawn, and their figures. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { touchpoints } from "#app/shopify/touchpoints.ts";
import { type OrderLeadReason, type OrderLeadState, orderLeadStates } from "./quotes.ts";
import { shopToday } from "./settings.server.ts";
import { SENDING_MS } from "../leads.ts";

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
export const uninsured = Prisma.sql`line."currentQuantity" - (
  SELECT count(*) FROM "InsuredUnit" AS u WHERE u.shop = line.shop AND u."orderId" = line."orderId" AND u.wanted
    AND (u."insuredLineId" IS NULL OR u."insuredLineId" = line."lineId"))`;

/** An expired quote takes no place of its item: staff may have requested another. */
const isExpired = (row: Prisma.Sql) =>
  Prisma.sql`(${row}.state = 'open' AND left(${row}."expiresOn", 10) < ${shopToday(Prisma.sql`${row}.shop`)})`;
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

/** Nothing was done: the row of a request that staff or the customer may make again. */
export async function dropSent({ shop, orderId, lineId, unitNumber }: OrderLeadRow): Promise<void> {
  await db.orderLead.deleteMany({ where: { shop, orderId, lineId, unitNumber, state: "sending" } });
}

/**
 * Quotes that a dead worker was sending, and those that were pending before a backup was restored, have an unknown
 * outcome: they may have been requested in the lost time.
 */
export async function markLostAsUnknown(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "OrderLead" AS l SET state = 'unknown'
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND (
      (l.state = 'sending' AND l."sentAt" < now() - ${SENDING_MS} * interval '1 millisecond')
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

/**
 * Withdraws the quotes of these orders, or these quotes, whatever their items. Both accounts may have a quote of the
 * same id.
 * @returns their orders
 */
export async function withdrawAll(
  tx: Transaction,
  shop: string,
  which: Prisma.OrderLeadWhereInput,
  reason: OrderLeadReason,
): Promise<string[]> {
  const withdrawn = await tx.orderLead.updateManyAndReturn({
    where: { ...which, shop, state: { in: ["due", "open"] } },
    data: { state: "withdrawn", withdrawnAt: new Date(), reason },
    select: { orderId: true, environment: true, leadId: true },
  });
  for (const [account, quotes] of Map.groupBy(withdrawn, ({ environment }) => environment)) {
    await tx.lead.updateMany({
      where: { shop, environment: account, leadId: { in: quotes.flatMap(({ leadId }) => leadId ?? []) } },
      data: { status: "withdrawn" },
    });
  }
  return [...new Set(withdrawn.map(({ orderId }) => orderId))];
}

const orderLeadContext = z.object({
  environment,
  storeId: z.string().nullable(),
  timezone: z.string(),
  /** it has quotes, or had some that may be in its metafield */
  hasQuotes: z.boolean(),
  /** some of them are pending */
  hasDue: z.boolean(),
  /** its time has come, and nothing was decided */
  isTimeToDecide: z.boolean(),
  /** the merchant wants automatic quotes and lets the order show them, and the shop sells insurance now */
  canRequest: z.boolean(),
  /** the shop's workflows receive quotes */
  tellsFlow: z.boolean(),
  delayHours: z.int(),
});
export type OrderLeadContext = z.infer<typeof orderLeadContext>;

/** Null: there is no such order, or no such shop. */
export async function readOrderLeadContext(shop: string, orderId: string): Promise<OrderLeadContext | null> {
  const rows = await db.$queryRaw`
    SELECT o.environment, o."storeId", m.timezone,
      o."leadsDigest" IS NOT NULL OR EXISTS (
        SELECT FROM "OrderLead" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId") AS "hasQuotes",
      EXISTS (SELECT FROM "OrderLead" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state = 'due')
        AS "hasDue",
      COALESCE(o."leadsDecidedAt" IS NULL AND o."paidAt" > s.since
        AND o."paidAt" <= now() - s."delayHours" * interval '1 hour', false) AS "isTimeToDecide",
      m."uninstalledAt" IS NULL AND m."canWriteOrders" AND s.since IS NOT NULL AND NOT EXISTS (
        SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment)
        AND m."sellingPausedAt" IS NULL AND EXISTS (SELECT FROM "Connection" AS c
          WHERE c.shop = o.shop AND c.environment = o.environment AND c.state <> 'refused') AS "canRequest",
      s."flowSince" IS NOT NULL AS "tellsFlow", COALESCE(s."delayHours", 0) AS "delayHours"
    FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop LEFT JOIN "LeadSettings" AS s ON s.shop = o.shop
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(orderLeadContext).max(1).parse(rows)[0] ?? null;
}

/** Null: the quote was made by hand. */
export async function findOrderLead(shop: string, leadId: string) {
  return db.orderLead.findFirst({
    where: { shop, leadId },
    select: { orderId: true, openedAt: true, withdrawnAt: true, soldAt: true, contractId: true },
  });
}

const MOST_ROWS = 50;

const figure = z.object({
  productTitle: z.string(),
  delayHours: z.int(),
  /** where the customer requested it; null: they did not */
  touchpoint: z.enum(touchpoints).nullable(),
  made: z.int(),
  opened: z.int(),
  sold: z.int(),
  expired: z.int(),
  withdrawn: z.int(),
  /** requested, with an unknown outcome */
  unknown: z.int(),
  soldMinor: z.coerce.number(),
});
export type LeadFigure = z.infer<typeof figure>;

/**
 * Those of the account in use, the product with the most first.
 * @param today `YYYY-MM-DD` in the shop's time zone
 */
export async function listLeadFigures({ shop, environment }: Merchant, today: string): Promise<LeadFigure[]> {
  const rows = await db.$queryRaw`
    SELECT max("productTitle") AS "productTitle", "delayHours", touchpoint,
      count(*) FILTER (WHERE "madeAt" IS NOT NULL)::int AS made,
      count(*) FILTER (WHERE "openedAt" IS NOT NULL)::int AS opened,
      count(*) FILTER (WHERE state = 'sold')::int AS sold,
      count(*) FILTER (WHERE state = 'open' AND left("expiresOn", 10) < ${today})::int AS expired,
      count(*) FILTER (WHERE state = 'withdrawn' AND "madeAt" IS NOT NULL)::int AS withdrawn,
      count(*) FILTER (WHERE state = 'unknown')::int AS unknown,
      COALESCE(sum("soldMinor") FILTER (WHERE state = 'sold'), 0) AS "soldMinor"
    FROM "OrderLead" WHERE shop = ${shop} AND environment = ${environment}
    GROUP BY COALESCE("productId", "productTitle"), "delayHours", touchpoint
    ORDER BY made DESC, "productTitle" LIMIT ${MOST_ROWS}`;
  return z.array(figure).parse(rows);
}
