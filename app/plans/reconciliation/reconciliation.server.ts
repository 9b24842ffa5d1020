/**
 * Starts and stops reconciliation runs. The hourly ones and those that a merchant starts find what webhooks lost and
 * where the service differs; the backfill records past orders at the service.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { hasPendingJob, sendJob } from "#app/jobs/queue.server.ts";
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { databaseNow } from "#app/plans/issuing/lease.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { ReconciliationKind } from "./reconciliation.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Webhooks may be late, and the platform's clock differs from ours: the ranges of two runs overlap by this much. */
const OVERLAP_MS = 15 * 60_000;

/**
 * Stores a run and its job in one transaction.
 * @param actor who asked for it, where a person did
 * @returns the id of the run
 */
export async function startReconciliation(
  shop: string,
  kind: ReconciliationKind,
  from: Date,
  until: Date,
  actor?: Actor,
): Promise<string> {
  return db.$transaction(async (transaction) => {
    const { id } = await transaction.reconciliationRun.create({ data: { shop, kind, from, until } });
    await sendJob("reconciliation", { shop, runId: id }, { transaction });
    const after = { kind, from: from.toISOString(), until: until.toISOString() };
    if (actor) await recordAudit({ shop, actor, action: "reconciliation_started", after }, transaction);
    return id;
  });
}

/** Starts the hourly reconciliation of every shop, from where its last run ended. */
export async function startHourlyReconciliations(signal?: AbortSignal): Promise<void> {
  const now = await databaseNow();
  await forEachMerchant(
    "reconciliation",
    async ({ shop, installedAt }) => {
      const last = await db.reconciliationRun.findFirst({
        where: { shop, kind: "hourly" },
        orderBy: { createdAt: "desc" },
      });
      if (last && (last.state === "queued" || last.state === "running")) {
        // A run whose job gave up gets another; one that has a job will get there.
        if (!(await hasPendingJob("reconciliation", { runId: last.id })))
          await sendJob("reconciliation", { shop, runId: last.id });
        return;
      }
      const start = last?.state === "done" ? last.until : (last?.from ?? installedAt);
      await startReconciliation(shop, "hourly", new Date(start.getTime() - OVERLAP_MS), now);
      await db.reconciliationRun.deleteMany({
        where: { shop, kind: "hourly", createdAt: { lt: new Date(now.getTime() - 30 * DAY_MS) } },
      });
    },
    { signal },
  );
}

/** Stops a run; another can be started over the same range. @returns false where it had ended */
export async function stopReconciliation(shop: string, id: string, actor: Actor): Promise<boolean> {
  return db.$transaction(async (transaction) => {
    const stopped = await transaction.reconciliationRun.updateMany({
      where: { shop, id, state: { in: ["queued", "running"] } },
      data: { state: "stopped", finishedAt: new Date() },
    });
    if (stopped.count === 0) return false;
    await recordAudit({ shop, actor, action: "reconciliation_stopped" }, transaction);
    return true;
  });
}
