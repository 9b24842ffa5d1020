/** Runs a reconciliation, and resumes it where it was interrupted. */
import pLimit from "p-limit";
import { system } from "#app/audit/actor.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { JobContext } from "#app/jobs/worker.server.ts";
import { refreshOrderAccess } from "#app/merchants/order-access.server.ts";
import { saveCustomerData } from "#app/orders/admin/save-customer-data.server.ts";
import { fetchOrderIfAllowed, saveReport } from "#app/orders/save-report.server.ts";
import { db } from "#app/platform/db.server.ts";
import { describeError } from "#app/platform/describe-error.ts";
import { log } from "#app/platform/log.server.ts";
import type { ReconciliationRun } from "#app/platform/prisma/client.ts";
import { NoAccess } from "#app/shopify/errors.ts";
import { countOrders, fetchOrders } from "#app/shopify/order-query.server.ts";
import {
  compareOldestContracts,
  compareWithInsurer,
  compareWithShop,
  requeueStuckOrders,
} from "./compare.server.ts";
import { reconciliationCounts } from "./reconciliation.ts";

/** Orders of one run that are reconciled at the same time; the queue's other work goes on beside it. */
const AT_ONCE = 4;

/**
 * Reconciles the orders of the run's range, page by page, until its end, until the run is stopped, until the process
 * stops, or until its time slice is used up: then another job continues there.
 * @throws errors of Shopify, the insurer and the database: the job is retried and resumes at the last page
 */
export async function runReconciliation(
  shop: string,
  id: string,
  { signal, isTimeSliceUsed }: JobContext,
): Promise<void> {
  const run = await db.reconciliationRun.findFirst({
    where: { shop, id, state: { in: ["queued", "running"] } },
  });
  if (!run) return;
  const counts = reconciliationCounts.parse(run.counts);
  await db.reconciliationRun.updateMany({ where: { shop, id }, data: { state: "running", error: null } });
  const range = (reached: Date | null) => rangeQuery(run.kind === "backfill", run.from, run.until, reached);
  const query = range(run.reached);
  try {
    const access = await refreshOrderAccess(shop, signal, () => completeCustomers(shop, signal));
    if (access === "none") {
      await compareOldestContracts(shop, counts);
      await endWithoutAccess(shop, run);
      return;
    }
    // Settings shows the progress of the backfill.
    if (run.kind === "backfill" && run.total === null) {
      const total = await countOrders(shop, range(null));
      await db.reconciliationRun.updateMany({ where: { shop, id }, data: { total } });
    }
    let page: string | null = null;
    let size: number | undefined;
    do {
      signal.throwIfAborted();
      const { orders, ...further } = await fetchOrders(shop, query, page, { size, signal });
      const limit = pLimit(AT_ONCE);
      // First, so that a contract that the book lost is found before its item is sent again.
      if (run.kind !== "backfill")
        await compareWithInsurer(
          shop,
          orders.map((order) => order.id),
          counts,
        );
      await limit.map(orders, (order) => compareWithShop(shop, order, counts));
      const reached = orders.at(-1)?.updatedAt ?? run.reached;
      const saved = await db.reconciliationRun.updateMany({
        where: { shop, id, state: "running" },
        data: { reached, counts: reconciliationCounts.parse(counts) },
      });
      if (saved.count === 0) return;
      ({ next: page, size } = further);
      if (page !== null && isTimeSliceUsed()) {
        await sendJob(db, "reconciliation", { shop, runId: id });
        return;
      }
    } while (page !== null);
    if (run.kind !== "backfill") {
      await requeueStuckOrders(shop, counts);
      await compareOldestContracts(shop, counts);
    }
  } catch (error) {
    const uninstalled = error instanceof NoAccess;
    await db.reconciliationRun.updateMany({
      where: { shop, id, state: "running" },
      data: {
        error: describeError(error).message,
        counts,
        ...(uninstalled ? { state: "stopped", finishedAt: new Date() } : {}),
      },
    });
    if (uninstalled) return;
    throw error;
  }
  await db.reconciliationRun.updateMany({
    where: { shop, id, state: "running" },
    data: { state: "done", finishedAt: new Date(), counts },
  });
  log.info({ shop, kind: run.kind, ...counts }, "Orders reconciled");
}

/**
 * Shopify gives the app no orders, which Home says. An hourly run leaves nothing behind, so that the first one with
 * access begins where the last one ended.
 */
async function endWithoutAccess(shop: string, { id, kind }: ReconciliationRun): Promise<void> {
  if (kind === "hourly") await db.reconciliationRun.deleteMany({ where: { shop, id } });
  else {
    const data = { state: "stopped", finishedAt: new Date(), error: "ACCESS_DENIED" };
    await db.reconciliationRun.updateMany({ where: { shop, id, state: "running" }, data });
  }
  log.info({ shop, kind }, "Failed to reconcile orders: Shopify does not let the app read them");
}

/** Orders created in the range, and unless `createdOnly` those updated in it; from `reached` on. */
export function rangeQuery(createdOnly: boolean, from: Date, until: Date, reached: Date | null): string {
  const within = (field: string): string =>
    `(${field}:>='${from.toISOString()}' AND ${field}:<='${until.toISOString()}')`;
  const range = createdOnly ? within("created_at") : `(${within("created_at")} OR ${within("updated_at")})`;
  return reached === null ? range : `${range} AND updated_at:>='${reached.toISOString()}'`;
}

/** Far more than come in between; the rest stay tasks for a person. */
const LIMIT = 1_000;

/**
 * Reads the orders again whose plans wait for the customer's data, and issues the plans of those that now have it. Safe
 * to repeat. Orders that Shopify does not show, because they are too old, stay tasks.
 * @throws the signal's reason, before the next order
 */
export async function completeCustomers(shop: string, signal: AbortSignal): Promise<void> {
  const tasks = await db.task.findMany({
    where: { shop, kind: "customer_data", closedAt: null, orderId: { not: null } },
    select: { orderId: true },
    orderBy: { openedAt: "asc" },
    take: LIMIT,
  });
  for (const orderId of new Set(tasks.flatMap((task) => task.orderId ?? []))) {
    signal.throwIfAborted();
    const order = await fetchOrderIfAllowed(shop, orderId);
    if (!order) continue;
    await saveReport(shop, order, "read", { sendsJob: false });
    await saveCustomerData(shop, orderId, {}, system("reconciliation"));
  }
}
