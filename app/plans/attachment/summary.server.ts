/** What the home page shows of insurance: how it sold lately, and whether something needs a person. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { attachmentLines, isWithin, lineFigures } from "./lines.server.ts";
import type { AttachmentSettings } from "./lines.server.ts";
import { attachmentFigures } from "./overview.server.ts";

const summary = attachmentFigures.extend({
  /** with a contract in force now */
  insuredOrders: z.coerce.number(),
});
export type AttachmentSummary = z.infer<typeof summary>;

const noSales: AttachmentSummary = {
  eligible: 0,
  seen: 0,
  chosen: 0,
  paid: 0,
  cancelled: 0,
  premiumMinor: 0,
  insuredOrders: 0,
};

/** Today and the last thirty days, in one statement. @param today `YYYY-MM-DD` in the shop's time zone */
export async function attachmentSummary(
  shop: string,
  { environment, ...settings }: AttachmentSettings & { environment: Environment },
  today: string,
): Promise<{ today: AttachmentSummary; month: AttachmentSummary }> {
  const first = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10);
  const orders = Prisma.sql`environment = ${environment}
    AND ${isWithin(Prisma.sql`"purchasedAt"`, { first, last: today }, settings)}`;
  const found = await db.$queryRaw`
    WITH ${attachmentLines(shop, settings, orders)},
    dated AS (SELECT *, day = ${today}::date AS "isToday" FROM line)
    SELECT "isToday", count(DISTINCT "orderId") FILTER (WHERE "inForce") AS "insuredOrders", ${lineFigures}
    FROM dated GROUP BY GROUPING SETS ((), ("isToday"))`;
  const rows = z.array(summary.extend({ isToday: z.boolean().nullable() })).parse(found);
  return {
    today: summary.parse(rows.find(({ isToday }) => isToday === true) ?? noSales),
    month: summary.parse(rows.find(({ isToday }) => isToday === null) ?? noSales),
  };
}

const plansRow = z.object({
  /** an order has had a contract */
  insuredOrderSeen: z.boolean(),
  /** tasks that wait for a person */
  openTasks: z.coerce.number(),
  /** orders that wait for the service (app/plans/issuing/pauses.server.ts) */
  waitingOrders: z.coerce.number(),
});
export type PlansSummary = z.infer<typeof plansRow>;

/** What the home page says of plans, in one statement. */
export async function plansSummary(shop: string): Promise<PlansSummary> {
  const found = await db.$queryRaw`
    SELECT EXISTS (SELECT 1 FROM "InsuredUnit" WHERE shop = ${shop} AND "contractId" IS NOT NULL) AS "insuredOrderSeen",
      (SELECT count(*) FROM "Task" WHERE shop = ${shop} AND "closedAt" IS NULL) AS "openTasks",
      (SELECT count(*) FROM "WaitingOrder" WHERE shop = ${shop}) AS "waitingOrders"`;
  return z.tuple([plansRow]).parse(found)[0];
}
