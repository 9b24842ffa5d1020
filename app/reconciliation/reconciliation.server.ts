/**
 * Starts and stops reconciliation runs. The hourly ones find what webhooks lost and where the insurer differs; the
 * backfill, which a merchant starts, records past orders at the insurer.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob, sendJobs } from "#app/jobs/queue.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { startOfDay, toLocalDay } from "#app/platform/day.ts";
import { databaseNow, db, inSmallSteps } from "#app/platform/db.server.ts";
import { isBackfillDay, type ReconciliationKind } from "./reconciliation.ts";
import { deleteHourlyRuns, type ReconciliationRunRow, runRow, storeDueRuns } from "./runs.server.ts";

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
    await sendJob(tx, "reconciliation", { shop, runId: id });
    const after = { from: from.toISOString(), until: until.toISOString() };
    if (actor) await recordAudit({ shop, actor, action: "backfill_started", after }, tx);
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
      tx,
      "reconciliation",
      runs.map((payload, index) => ({
        payload,
        startAfter: new Date(now.getTime() + (startedBefore + index) * SPREAD_MS),
      })),
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
    await recordAudit({ shop, actor, action: "backfill_stopped" }, tx);
    return true;
  });
}

// Past orders, as the merchant has them sent.

/** The last run of a kind; null before the first. */
export async function readLastReconciliationRun(
  shop: string,
  kind: ReconciliationKind,
): Promise<ReconciliationRunRow | null> {
  const last = await db.reconciliationRun.findFirst({
    where: { shop, kind },
    orderBy: { createdAt: "desc" },
  });
  return runRow.nullable().parse(last);
}

/**
 * Starts sending the orders since a day of the shop, one run at a time.
 * @returns `day`: it is none, is to come, or is too long ago
 */
export async function startBackfill(
  { shop, timezone }: Pick<Merchant, "shop" | "timezone">,
  since: string,
  actor: Actor,
): Promise<"started" | "running" | "day"> {
  const now = new Date();
  if (!isBackfillDay(since, toLocalDay(timezone, now))) return "day";
  const active = { shop, kind: "backfill", state: { in: ["queued", "running"] } };
  if ((await db.reconciliationRun.count({ where: active })) > 0) return "running";
  await startReconciliation(shop, "backfill", startOfDay(timezone, since), now, actor);
  return "started";
}

// A restored backup: the insurer has plans that the books do not, because orders are back in an earlier state and
// webhooks are processed again.

/** From now on the plans of all orders that were bought before are looked up before they are created. @returns when */
export async function noteRestore(): Promise<Date> {
  const { at } = await db.restore.create({ data: {} });
  return at;
}

/** When a backup was restored last; null: never. */
export async function lastRestore(): Promise<Date | null> {
  const row = await db.restore.findFirst({ orderBy: { at: "desc" } });
  return row?.at ?? null;
}
