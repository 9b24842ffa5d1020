/**
 * Starts and stops reconciliation runs. The hourly ones and those that a merchant starts find what webhooks lost and
 * where the service differs; the backfill records past orders at the service.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob, sendJobs } from "#app/jobs/queue.server.ts";
import { databaseNow } from "#app/plans/reconciler/working-order.server.ts";
import { db, inSmallSteps } from "#app/platform/db.server.ts";
import type { ReconciliationKind } from "./reconciliation.ts";
import { deleteHourlyRuns, storeDueRuns } from "./rows.server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Stores a run and its job in one transaction.
 * @param actor the person who requested it, if any
 * @returns the id of the run
 */
export async function startReconciliation(
  shop: string,
  kind: ReconciliationKind,
  from: Date,
  until: Date,
  actor?: Actor,
): Promise<string> {
  return db.$transaction(async (tx) => {
    const { id } = await tx.reconciliationRun.create({ data: { shop, kind, from, until } });
    await sendJob("reconciliation", { shop, runId: id }, { transaction: tx });
    const after = { kind, from: from.toISOString(), until: until.toISOString() };
    if (actor) await recordAudit({ shop, actor, action: "reconciliation_started", after }, tx);
    return id;
  });
}

/** So much later than the one before begins the run of each shop: all at once, they would crowd out what else waits. */
const SPREAD_MS = 200;

/**
 * Starts the hourly reconciliation of every shop, from where its last run ended. A run whose job gave up gets another;
 * one that has a job will get there.
 */
export async function startHourlyReconciliations(signal?: AbortSignal): Promise<void> {
  const now = await databaseNow();
  for (let started = 0, after = ""; ;) {
    signal?.throwIfAborted();
    const runs = await startDueRuns(after, now, started);
    started += runs.length;
    const last = runs.at(-1);
    if (!last) break;
    after = last.shop;
  }
  const before = new Date(now.getTime() - 30 * DAY_MS);
  await inSmallSteps((size) => deleteHourlyRuns(before, size), signal);
}

/** Gives the runs of the next shops their jobs. @returns these runs, by shop */
async function startDueRuns(after: string, now: Date, startedBefore: number) {
  return db.$transaction(async (tx) => {
    const runs = await storeDueRuns(tx, after, now);
    await sendJobs(
      "reconciliation",
      runs.map((payload, index) => ({
        payload,
        startAfter: new Date(now.getTime() + (startedBefore + index) * SPREAD_MS),
      })),
      tx,
    );
    return runs;
  });
}

/** Stops a run; another can be started over the same range. @returns false where it had ended */
export async function stopReconciliation(shop: string, id: string, actor: Actor): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const stopped = await tx.reconciliationRun.updateMany({
      where: { shop, id, state: { in: ["queued", "running"] } },
      data: { state: "stopped", finishedAt: new Date() },
    });
    if (stopped.count === 0) return false;
    await recordAudit({ shop, actor, action: "reconciliation_stopped" }, tx);
    return true;
  });
}
