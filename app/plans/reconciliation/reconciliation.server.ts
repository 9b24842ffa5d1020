/**
 * Walks over the shop's orders. The hourly one and the one that a merchant asks for find what webhooks lost and what
 * the service has otherwise; the backfill tells the service of past orders. Each resumes where it was stopped.
 */
import pLimit from "p-limit";
import { z } from "zod";
import { InsuranceError } from "#app/insurance/errors.ts";
import { hasPendingJob, sendJob } from "#app/jobs/queue.server.ts";
import { activeConnection } from "#app/merchants/insurance-connection.server.ts";
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { countOrders, fetchOrders } from "#app/shopify/order-query.server.ts";
import { compareWithService } from "./compare-with-service.server.ts";
import { databaseNow } from "#app/plans/issuing/lease.server.ts";
import { storeOrderReport } from "#app/plans/order-webhooks.server.ts";
import { reconciliationCounts } from "./reconciliation.ts";
import type { ReconciliationCounts, ReconciliationKind } from "./reconciliation.ts";
import { issuePlans } from "#app/plans/issuing/issue-plans.server.ts";
import { NotConnectedError } from "#app/plans/issuing/run-step.server.ts";
import { NoAccess } from "#app/shopify/errors.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Webhooks may be late, and the platform's clock is not ours: ranges overlap by so much. */
const OVERLAP_MS = 15 * 60_000;
/** A creation under way is not stuck. */
const STUCK_AFTER_MS = 15 * 60_000;
/** Orders of one walk that are worked on at the same time: the queue's own work goes on beside it. */
const AT_ONCE = 4;

/** Starts a walk: its row and its job in one transaction. @returns its id */
export async function startReconciliation(
  shop: string,
  kind: ReconciliationKind,
  from: Date,
  until: Date,
): Promise<string> {
  return db.$transaction(async (transaction) => {
    const { id } = await transaction.reconciliationRun.create({ data: { shop, kind, from, until } });
    await sendJob("reconciliation", { shop, runId: id }, { transaction });
    return id;
  });
}

/** Starts the hourly reconciliation of every shop, from where its last one ended. */
export async function startHourlyReconciliations(): Promise<void> {
  const now = await databaseNow();
  await forEachMerchant("reconciliation", async ({ shop, installedAt }) => {
    const last = await db.reconciliationRun.findFirst({
      where: { shop, kind: "hourly" },
      orderBy: { createdAt: "desc" },
    });
    if (last && (last.state === "queued" || last.state === "running")) {
      // One that still runs, or waits for the platform, will get there; one whose job was given up goes on.
      if (!(await hasPendingJob("reconciliation", { runId: last.id })))
        await sendJob("reconciliation", { shop, runId: last.id });
      return;
    }
    const start = last?.state === "done" ? last.until : (last?.from ?? installedAt);
    await startReconciliation(shop, "hourly", new Date(start.getTime() - OVERLAP_MS), now);
    await db.reconciliationRun.deleteMany({
      where: { shop, kind: "hourly", createdAt: { lt: new Date(now.getTime() - 30 * DAY_MS) } },
    });
  });
}

/** Stops a walk; it can be started again over the same range. */
export async function stopReconciliation(shop: string, id: string): Promise<boolean> {
  const stopped = await db.reconciliationRun.updateMany({
    where: { shop, id, state: { in: ["queued", "running"] } },
    data: { state: "stopped", finishedAt: new Date() },
  });
  return stopped.count === 1;
}

/**
 * Walks on until the end of the range, the walk is stopped, or the process has to go.
 * @throws what the platform or the database says: the job comes back and the walk goes on where it was
 */
export async function runReconciliation(shop: string, id: string, signal: AbortSignal): Promise<void> {
  const sweep = await db.reconciliationRun.findFirst({
    where: { shop, id, state: { in: ["queued", "running"] } },
  });
  if (!sweep) return;
  const counts = reconciliationCounts.parse(sweep.counts);
  await db.reconciliationRun.updateMany({ where: { shop, id }, data: { state: "running", error: null } });
  const range = (reached: Date | null) =>
    rangeQuery(sweep.kind === "backfill", sweep.from, sweep.until, reached);
  const query = range(sweep.reached);
  try {
    // For whoever watches; nobody watches the hourly one.
    if (sweep.kind !== "hourly" && sweep.total === null) {
      const total = await countOrders(shop, range(null));
      await db.reconciliationRun.updateMany({ where: { shop, id }, data: { total } });
    }
    let page: string | null = null;
    do {
      signal.throwIfAborted();
      const { orders, next } = await fetchOrders(shop, query, page, signal);
      const limit = pLimit(AT_ONCE);
      // First, so that a contract the ledger lost is found before its unit is asked for again.
      if (sweep.kind !== "backfill") await compareWithService(shop, orders, counts);
      await limit.map(orders, (order) => reconcileOrder(shop, order, counts));
      const reached = orders.at(-1)?.updatedAt ?? sweep.reached;
      const kept = await db.reconciliationRun.updateMany({
        where: { shop, id, state: "running" },
        data: { reached, counts: reconciliationCounts.parse(counts) },
      });
      if (kept.count === 0) return;
      page = next;
    } while (page !== null);
    if (sweep.kind !== "backfill") await requeueStuckOrders(shop, counts);
  } catch (error) {
    const uninstalled = error instanceof NoAccess;
    await db.reconciliationRun.updateMany({
      where: { shop, id, state: "running" },
      data: {
        error: error instanceof Error ? error.message : String(error),
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
  log.info({ shop, sweep: sweep.kind, ...counts }, "orders walked over");
}

/** Orders of the range: those made in it, and for a reconciliation those changed in it; from `reached` on. */
export function rangeQuery(madeOnly: boolean, from: Date, until: Date, reached: Date | null): string {
  const within = (field: string): string =>
    `(${field}:>='${from.toISOString()}' AND ${field}:<='${until.toISOString()}')`;
  const range = madeOnly ? within("created_at") : `(${within("created_at")} OR ${within("updated_at")})`;
  return reached === null ? range : `${range} AND updated_at:>='${reached.toISOString()}'`;
}

/** Takes in what is not known of an order, and takes up work that was left over. */
async function reconcileOrder(shop: string, order: ShopOrder, counts: ReconciliationCounts): Promise<void> {
  counts.orders += 1;
  const known = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: order.id } },
    include: {
      lines: { where: { shop }, select: { lineId: true, currentQuantity: true } },
      units: { where: { shop }, select: { lineId: true, state: true, wanted: true } },
    },
  });
  // An order that was never paid has nothing to insure, and its cancellation nothing to cancel.
  if (!known && !order.paid) return;
  const isBehind =
    known !== null &&
    ((order.paid && known.paidAt === null) ||
      (order.cancelledAt !== null && known.cancelledAt === null) ||
      hasChangedLine(order.lines, known));
  const hasWork =
    known !== null &&
    ((known.paidAt !== null && known.salesRecordStatus === "none") ||
      (known.cancelledAt !== null && known.salesRecordStatus === "recorded") ||
      known.units.some(
        ({ state, wanted }) =>
          ["pending", "creating", "unknown", "cancelling"].includes(state) || (state === "active" && !wanted),
      ));
  if (!known) counts.missed += 1;
  else if (isBehind) counts.behind += 1;
  else if (hasWork) counts.resumed += 1;
  else return;
  if (!known || isBehind) await storeOrderReport(shop, order);
  try {
    await issuePlans(shop, order.id);
  } catch (error) {
    if (!(error instanceof InsuranceError || error instanceof NotConnectedError)) throw error;
    // What is known is stored; the rest is tried again in its own time, and the walk goes on.
    await sendJob("order-issuing", { shop, orderId: order.id }, { singletonKey: `${shop}:${order.id}` });
  }
}

interface KnownLines {
  lines: { lineId: string; currentQuantity: number }[];
  units: { lineId: string; wanted: boolean }[];
}

/** Quantities are compared, not times: several changes fall into one second. */
function hasChangedLine(lines: ShopOrder["lines"], known: KnownLines): boolean {
  return lines.some(({ id, quantity, currentQuantity }) => {
    const units = known.units.filter(({ lineId }) => lineId === id);
    if (units.length > 0) {
      return units.length < quantity || units.filter(({ wanted }) => wanted).length > currentQuantity;
    }
    return known.lines.find(({ lineId }) => lineId === id)?.currentQuantity !== currentQuantity;
  });
}

const orderIds = z.array(z.object({ orderId: z.string() }));

/** Whatever its job became of: an order with something open for a while is taken up again. */
async function requeueStuckOrders(shop: string, counts: ReconciliationCounts): Promise<void> {
  if (!(await activeConnection(shop))) return;
  const before = new Date((await databaseNow()).getTime() - STUCK_AFTER_MS);
  const stuck = orderIds.parse(
    await db.$queryRaw`
      SELECT DISTINCT u."orderId" FROM "InsuredUnit" AS u JOIN "Order" AS o USING (shop, "orderId")
      WHERE u.shop = ${shop} AND u."changedAt" < ${before} AND o."paidAt" IS NOT NULL
        AND (u.state IN ('pending', 'creating', 'unknown', 'cancelling')
          OR u.state IN ('active', 'refused') AND (NOT u.wanted OR o."cancelledAt" IS NOT NULL))
      LIMIT 1000`,
  );
  for (const { orderId } of stuck) {
    await sendJob("order-issuing", { shop, orderId }, { singletonKey: `${shop}:${orderId}` });
  }
  counts.resumed += stuck.length;
}
