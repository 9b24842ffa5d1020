/** When the quotes of an order are worked on: once its time has come, while something is left to do, and after a change. */
import { z } from "zod";
import { sendOrderJob, sendOrderJobs } from "#app/jobs/order-jobs.server.ts";
import { forEachDueShop } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { shopsWithQuotes } from "./settings.server.ts";

/** Orders of one shop in an hour. */
const AT_ONCE = 5_000;
const IN_ONE_STATEMENT = 500;
/**
 * An order that could not be decided within this many days of its delay gets no quotes: no customer expects one by
 * then.
 */
const LATE_DAYS = 3;

const orderRows = z.array(z.object({ orderId: z.string() }));

/** Orders whose account is paused wait for it: their jobs would only fail. */
const isNotPaused = Prisma.sql`NOT EXISTS (
  SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment)`;

/** The orders of the shop `m.shop`, with its settings, whose time has come and of which nothing was decided yet. */
const undecided = Prisma.sql`
  SELECT o."orderId" FROM "Order" AS o
  WHERE m.since IS NOT NULL AND o.shop = m.shop AND o."acceptsMarketing" AND o."leadsDecidedAt" IS NULL AND o."cancelledAt" IS NULL
    AND o."erasedAt" IS NULL AND o."paidAt" > m.since
    AND o."paidAt" <= now() - m."delayHours" * interval '1 hour'
    AND o."paidAt" > now() - m."delayHours" * interval '1 hour' - ${LATE_DAYS} * interval '1 day'
    AND ${isNotPaused}
    AND EXISTS (SELECT FROM "OrderLine" AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId"
      AND line."categoryId" <> '' AND line."currentQuantity" > 0)`;

/** Those with pending quotes, or whose worker is gone. */
const unasked = Prisma.sql`
  SELECT l."orderId" FROM "OrderLead" AS l JOIN "Order" AS o ON o.shop = l.shop AND o."orderId" = l."orderId"
  WHERE l.shop = m.shop AND ${isNotPaused}
    AND ((l.state = 'due' AND m.since IS NOT NULL) OR (l.state = 'sending' AND l."sentAt" < now() - interval '10 minutes'))`;

/**
 * Those to search for among the plans: an opened one every hour of its first day and then every day; an unopened one
 * every week, because a busy shop has hundreds of thousands of them. Each is searched a last time when it expires and
 * is taken off the order.
 */
const unsold = Prisma.sql`
  SELECT l."orderId" FROM "OrderLead" AS l JOIN "Order" AS o ON o.shop = l.shop AND o."orderId" = l."orderId"
  WHERE l.shop = m.shop AND ${isNotPaused} AND l.state = 'open' AND (
    CASE WHEN left(l."expiresOn", 10) < to_char(now(), 'YYYY-MM-DD')
      THEN to_char(COALESCE(l."lookedAt", l."madeAt"), 'YYYY-MM-DD') <= left(l."expiresOn", 10)
      ELSE COALESCE(l."lookedAt", l."madeAt") < now() - CASE
        WHEN l."openedAt" IS NULL THEN interval '7 days'
        WHEN l."openedAt" > now() - interval '1 day' THEN interval '1 hour'
        ELSE interval '1 day' END
      END)`;

/** The hourly job. */
export async function scheduleDueOrderLeads(signal: AbortSignal): Promise<void> {
  const due = Prisma.sql`SELECT shop FROM (${shopsWithQuotes}) AS m
    WHERE EXISTS (${undecided}) OR EXISTS (${unasked}) OR EXISTS (${unsold})`;
  await forEachDueShop("quotes", due, (shop) => scheduleShop(shop, signal), signal);
}

async function scheduleShop(shop: string, signal: AbortSignal): Promise<void> {
  // Sales are counted later just as well; a quote that is made too late is made for nobody.
  const rows = await db.$queryRaw`
    SELECT due."orderId" FROM (${shopsWithQuotes}) AS m, LATERAL (
      SELECT u."orderId", 1 AS rank FROM (${undecided}) AS u
      UNION ALL SELECT u."orderId", 2 FROM (${unasked}) AS u
      UNION ALL SELECT u."orderId", 3 FROM (${unsold}) AS u) AS due
    WHERE m.shop = ${shop} GROUP BY due."orderId" ORDER BY min(due.rank) LIMIT ${AT_ONCE}`;
  const orders = orderRows.parse(rows);
  for (let start = 0; start < orders.length; start += IN_ONE_STATEMENT) {
    signal.throwIfAborted();
    await sendOrderJobs("order-leads", shop, orders.slice(start, start + IN_ONE_STATEMENT));
  }
}

/** After its link was opened, a contract may follow: looked for in some minutes. */
const LOOK_AFTER_MS = 10 * 60_000;

export async function scheduleLookForSale(shop: string, orderId: string): Promise<void> {
  const startAfter = new Date(Date.now() + LOOK_AFTER_MS);
  await sendOrderJob("order-leads", shop, orderId, { startAfter, reason: "opened" });
}

/** The order's quotes were withdrawn: they are taken off the order. */
export async function scheduleOrderLeads(shop: string, orderId: string): Promise<void> {
  await sendOrderJob("order-leads", shop, orderId);
}
