/**
 * Starts and stops reconciliation runs. The hourly ones and those that a merchant starts find what webhooks lost and
 * where the service differs; the backfill records past orders at the service.
 */
import type { Actor } from "#app/audit/actor.ts";
import { z } from "zod";
import { recordAudit } from "#app/audit/record.server.ts";
import { hasOpenJob } from "#app/jobs/queue-tables.server.ts";
import { sendJob, sendJobs } from "#app/jobs/queue.server.ts";
import { merchantShops } from "#app/merchants/merchant.server.ts";
import { databaseNow } from "#app/plans/reconciler/working-order.server.ts";
import { db, inSmallSteps } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { ReconciliationKind } from "./reconciliation.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Webhooks may be late, and the platform's clock differs from ours: the ranges of two runs overlap by this much. */
const OVERLAP_MS = 15 * 60_000;

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

const dueRuns = z.array(z.object({ shop: z.string(), runId: z.string() }));

/** Shops whose runs are stored by one statement. */
const SHOPS_AT_ONCE = 500;
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
    const runs = await storeDueRuns(after, now, started);
    started += runs.length;
    const last = runs.at(-1);
    if (!last) break;
    after = last.shop;
  }
  const before = new Date(now.getTime() - 30 * DAY_MS);
  await inSmallSteps(
    (size) => db.$executeRaw`
      DELETE FROM "ReconciliationRun" WHERE id IN (
        SELECT r.id FROM (${merchantShops}) AS m JOIN "ReconciliationRun" AS r USING (shop)
        WHERE r.kind = 'hourly' AND r."createdAt" < ${before} LIMIT ${size})`,
    signal,
  );
}

/** @returns the runs of the next shops, by shop: new ones, and those that had lost their job */
async function storeDueRuns(after: string, now: Date, startedBefore: number) {
  return db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw`
      WITH due AS (
        SELECT m.shop, m."installedAt", last.id, last.state, last."from", last.until
        FROM "Merchant" AS m LEFT JOIN LATERAL (
          SELECT * FROM "ReconciliationRun" AS r WHERE r.shop = m.shop AND r.kind = 'hourly'
          ORDER BY r."createdAt" DESC LIMIT 1
        ) AS last ON true
        WHERE m."uninstalledAt" IS NULL AND m.shop > ${after} AND NOT (
          last.state IN ('queued', 'running') AND ${hasOpenJob("reconciliation", { runId: Prisma.sql`last.id` })})
        ORDER BY m.shop LIMIT ${SHOPS_AT_ONCE}
      ), stored AS (
        INSERT INTO "ReconciliationRun" (id, shop, kind, "from", until)
        SELECT gen_random_uuid()::text, shop, 'hourly',
          (CASE WHEN state = 'done' THEN until ELSE COALESCE("from", "installedAt") END) - ${OVERLAP_MS} * interval '1 millisecond', ${now}
        FROM due WHERE state IS NULL OR state NOT IN ('queued', 'running')
        RETURNING shop, id
      )
      SELECT shop, id AS "runId" FROM stored
      UNION ALL SELECT shop, id FROM due WHERE state IN ('queued', 'running')
      ORDER BY shop`;
    const runs = dueRuns.parse(rows);
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
