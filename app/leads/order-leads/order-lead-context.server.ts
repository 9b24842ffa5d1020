/** What is known of an order when its quotes are worked on: one statement, because a busy shop has thousands an hour. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";

const orderLeadContext = z.object({
  environment,
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
    SELECT o.environment, m.timezone,
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
