/** The handler of each job (app/jobs/definitions.ts). It imports the features, so that the queue does not. */
import { deliverFlow } from "#app/outbox/flow-events.server.ts";
import { deliverMail, type RefusedMail } from "#app/outbox/outbox.server.ts";
import { runImport } from "#app/analytics/import.server.ts";
import { keepDocuments } from "#app/documents/legal-documents.server.ts";
import { noticeClaimChanges, startClaimChecks } from "#app/claims/claim-changes.server.ts";
import { categoriseProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import { startDueRuns } from "#app/catalogue/runs/due-runs.server.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import { hourlyTasks } from "#app/jobs/definitions.ts";
import type { HourlyTask } from "#app/jobs/definitions.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import type { JobHandlers } from "#app/jobs/worker.server.ts";
import { applySelling } from "#app/offers/apply-selling.server.ts";
import { publishCheckout } from "#app/offers/checkout/publish-checkout.server.ts";
import { publishStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { startHourlyReconciliations } from "#app/reconciliation/reconciliation.server.ts";
import { runReconciliation } from "#app/reconciliation/run-reconciliation.server.ts";
import { probeAccount, probeAllPaused } from "#app/issuing/probe-account.server.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { applyStatusWord } from "#app/orders/status-words.server.ts";
import { scheduleDueOrders } from "#app/orders/schedule.server.ts";
import { openTask } from "#app/orders/tasks/tasks.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { findSalesOfQuotes } from "#app/quotes/find-quote-sales.server.ts";
import { applyRetention } from "#app/privacy/retention.server.ts";
import { eraseDueShops, scheduleAbandonedShops } from "#app/privacy/shop-erasure.server.ts";
import { sendReports, startDailyImports } from "#app/reports/reports.server.ts";
import { processProductWebhooks } from "#app/webhooks/topics/products.server.ts";
import { processWebhook, reportFailedWebhooks } from "#app/webhooks/process-webhook.server.ts";

const hourlyHandlers: Record<HourlyTask, (signal: AbortSignal) => Promise<unknown>> = {
  "catalogue-runs": (signal) => startDueRuns(new Date(), signal),
  "failed-webhooks": () => reportFailedWebhooks(),
  reconciliations: startHourlyReconciliations,
  "due-orders": scheduleDueOrders,
  "paused-accounts": () => probeAllPaused(),
  retention: (signal) => applyRetention(new Date(), signal),
  "abandoned-shops": (signal) => scheduleAbandonedShops(new Date(), signal),
  "shop-erasures": (signal) => eraseDueShops(new Date(), signal),
  claims: startClaimChecks,
  imports: startDailyImports,
  reports: (signal) => sendReports(new Date(), signal),
};

/** The queue keeps one job of each key: a job of the previous hour that still waits or runs suppresses the new one. */
async function sendHourlyTasks(): Promise<void> {
  const queue = await jobQueue();
  await queue.insert(
    "hourly",
    hourlyTasks.map((task) => ({ data: { task }, singletonKey: task })),
  );
}

/** A customer must get the mail all the same: staff send it another way. */
const openMailTask = (tx: Transaction, { shop, orderId, mailId, subject, problem }: RefusedMail) =>
  openTask(
    { shop, kind: "mail_refused", orderId, subjectId: mailId, details: { problem, mailId, subject } },
    tx,
  );

export const jobHandlers: JobHandlers = {
  webhook: processWebhook,
  "product-webhooks": processProductWebhooks,
  order: async ({ shop, orderId }) => {
    await reconcileOrder(shop, orderId);
  },
  "account-probe": probeAccount,
  reconciliation: ({ shop, runId }, context) => runReconciliation(shop, runId, context),
  hourly: async ({ task }, { signal }) => {
    if (task) await hourlyHandlers[task](signal);
    else await sendHourlyTasks();
  },
  "catalogue-sync": async (payload, context) => {
    await syncCatalogue(payload, context);
    await publishStorefrontSettings(payload.shop);
    await publishCheckout(payload.shop);
    await keepDocuments(payload.shop, context.signal);
  },
  "product-categories": categoriseProducts,
  "storefront-settings": ({ shop }) => applySelling(shop),
  "analytics-import": async ({ shop, importId }, context) => {
    await runImport(shop, importId, context);
    // A sale of a quote without an order is recognised by them.
    const merchant = await findMerchant(shop);
    if (merchant) await findSalesOfQuotes(merchant);
  },
  "claim-changes": ({ shop }, { signal }) => noticeClaimChanges(shop, signal),
  "status-word": applyStatusWord,
  mail: ({ shop, mailId }) => deliverMail(shop, mailId, openMailTask),
  flow: deliverFlow,
};
