/** Stores a report of an order, then takes the steps that it calls for: creates or cancels contracts. */
import { InsuranceError } from "#app/insurance/errors.ts";
import type { ReportOrigin } from "#app/orders/book/report.ts";
import { saveReport } from "#app/orders/save-report.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { ShopError } from "#app/shopify/errors.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { reconcileOrder } from "./reconcile-order.server.ts";
import { sendOrderJob } from "#app/orders/schedule.server.ts";

/** Stores an order report, and reconciles the order. */
export async function storeAndReconcile(shop: string, order: ShopOrder, origin: ReportOrigin): Promise<void> {
  await saveReport(shop, order, origin, { sendsJob: false });
  await reconcileOrQueue(shop, order.id);
}

const RETRY_MS = 2_000;

/** The report is stored: a step that the insurer or Shopify refuses now is tried again by a job. */
export async function reconcileOrQueue(shop: string, orderId: string): Promise<void> {
  try {
    await reconcileOrder(shop, orderId, { isFromWebhook: true });
  } catch (error) {
    if (!(error instanceof InsuranceError || error instanceof ShopError)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to reconcile an order at once; a job does it later");
    await sendOrderJob(db, shop, orderId, { startAfter: new Date(Date.now() + RETRY_MS) });
  }
}
