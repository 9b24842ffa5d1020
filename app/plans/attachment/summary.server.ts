/** What the home page shows of insurance: how it sold lately, and whether something needs a person. */
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { noFigures, requestRecount } from "./overview.server.ts";
import {
  type AttachmentSettings,
  type AttachmentSummary,
  type PlansSummary,
  readSums,
  summaryRow,
  uncountedDays,
} from "./rows.server.ts";

const noSales: AttachmentSummary = { ...noFigures, insuredOrders: 0 };

/** Whether an order has had a contract. */
export async function isInsuredOrderSeen(shop: string): Promise<boolean> {
  const where = { shop, contractId: { not: null } };
  return (await db.insuredUnit.findFirst({ where, select: { orderId: true } })) !== null;
}

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
  const found = await readSums(shop, range, uncounted, today);
  const month = found.find(({ isToday }) => isToday === null) ?? found[0];
  await requestRecount(shop, month.uncountedLines);
  return {
    today: summaryRow.parse(found.find(({ isToday }) => isToday === true) ?? noSales),
    month: summaryRow.parse(month),
    plans: month.plans,
  };
}
