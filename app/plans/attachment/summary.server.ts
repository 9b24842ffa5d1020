/** What the home page shows of insurance: how it sold lately, and whether something needs a person. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import {
  attachmentLines,
  type AttachmentSettings,
  countedDaysOf,
  insuredOrders,
  lineFigures,
  ordersOf,
  requestRecount,
  uncountedDays,
} from "./lines.server.ts";
import { attachmentFigures, noFigures, sums } from "./overview.server.ts";

const summary = attachmentFigures.extend({
  /** with a contract in force now */
  insuredOrders: z.coerce.number(),
});
export type AttachmentSummary = z.infer<typeof summary>;

const noSales: AttachmentSummary = { ...noFigures, insuredOrders: 0 };

const plansRow = z.object({
  /** an order has had a contract */
  insuredOrderSeen: z.boolean(),
  /** tasks that wait for a person */
  openTasks: z.coerce.number(),
  /** orders that wait for the service (app/plans/reconciler/account.server.ts) */
  waitingOrders: z.coerce.number(),
});
export type PlansSummary = z.infer<typeof plansRow>;

/** Whether an order has had a contract. */
export async function isInsuredOrderSeen(shop: string): Promise<boolean> {
  const where = { shop, contractId: { not: null } };
  return (await db.insuredUnit.findFirst({ where, select: { orderId: true } })) !== null;
}

const row = summary.extend({
  isToday: z.boolean().nullable(),
  uncountedLines: z.coerce.number(),
  plans: plansRow,
});
const rows = z.tuple([row], row);

export interface HomeSummary {
  today: AttachmentSummary;
  /** the last thirty days */
  month: AttachmentSummary;
  plans: PlansSummary;
}

/**
 * How insurance sold today and in the last thirty days (the daily sums, and the order lines of the days that changed
 * since those were counted), and what the page says of plans.
 * @param today `YYYY-MM-DD` in the shop's time zone
 */
export async function homeSummary(
  shop: string,
  settings: AttachmentSettings & { environment: Environment },
  today: string,
): Promise<HomeSummary> {
  const start = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10);
  const range = { ...settings, start, end: today };
  const uncounted = await uncountedDays(shop, range);
  const found = rows.parse(
    await db.$queryRaw`
      WITH ${attachmentLines(shop, settings, ordersOf(range, uncounted))},
      part AS (
        SELECT day, false AS "isUncounted", eligible, seen, chosen, paid, cancelled, "premiumMinor", "insuredOrders"
        FROM "AttachmentDay" WHERE dimension = 'day' AND ${countedDaysOf(shop, range, uncounted)}
        UNION ALL
        SELECT day, true, ${lineFigures}, ${insuredOrders} FROM line GROUP BY day
      ),
      dated AS (SELECT *, day = ${today}::date AS "isToday" FROM part),
      plans AS MATERIALIZED (
        SELECT EXISTS (SELECT 1 FROM "InsuredUnit" WHERE shop = ${shop} AND "contractId" IS NOT NULL) AS "insuredOrderSeen",
          (SELECT count(*) FROM "Task" AS t LEFT JOIN "Order" AS o ON o.shop = t.shop AND o."orderId" = t."orderId"
            WHERE t.shop = ${shop} AND t."closedAt" IS NULL
              AND (${settings.environment === "test"} OR o.environment IS DISTINCT FROM 'test')) AS "openTasks",
          (SELECT count(*) FROM "WaitingOrder" WHERE shop = ${shop}) AS "waitingOrders"
      )
      SELECT "isToday", ${sums}, coalesce(sum("insuredOrders"), 0) AS "insuredOrders",
        coalesce(sum(eligible) FILTER (WHERE "isUncounted"), 0) AS "uncountedLines",
        (SELECT to_jsonb(plans) FROM plans) AS plans
      FROM dated GROUP BY GROUPING SETS ((), ("isToday"))`,
  );
  const month = found.find(({ isToday }) => isToday === null) ?? found[0];
  await requestRecount(shop, month.uncountedLines);
  return {
    today: summary.parse(found.find(({ isToday }) => isToday === true) ?? noSales),
    month: summary.parse(month),
    plans: month.plans,
  };
}
