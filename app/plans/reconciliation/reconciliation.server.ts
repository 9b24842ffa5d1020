/**
 * Starts, stops and lists reconciliation runs. The hourly ones and those that a merchant starts find what webhooks lost and
 * where the service differs; the backfill records past orders at the service.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob, sendJobs } from "#app/jobs/queue.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { startOfDay, toLocalDay } from "#app/platform/day.ts";
import { databaseNow, db, inSmallSteps } from "#app/platform/db.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { readKeyset, timeKey } from "#app/platform/keyset.ts";
import { type ListPage, type PageRequest, toListPage } from "#app/platform/list-page.ts";
import {
  reconciliationForm,
  type ReconciliationKind,
  type ReconciliationProblems,
  reconciliationProblems,
} from "./reconciliation.ts";
import {
  deleteHourlyRuns,
  type ReconciliationRunRow,
  readRuns,
  runRow,
  storeDueRuns,
} from "./rows.server.ts";

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

// Runs, as the admin lists and starts them.

/** One page, latest first, without the hourly runs that found nothing. */
export async function listReconciliationRuns(
  shop: string,
  request: PageRequest,
  size: number,
): Promise<ListPage<ReconciliationRunRow>> {
  const keyset = readKeyset(timeKey, request);
  const runs = await readRuns(shop, keyset, size + 1);
  return toListPage(runs, size, keyset, ({ createdAt, id }) => [createdAt, id]);
}

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

/** When the last hourly reconciliation ended; null: none did yet. */
export async function readLastReconciledAt(shop: string): Promise<Date | null> {
  const last = await db.reconciliationRun.findFirst({
    where: { shop, kind: "hourly", state: "done" },
    orderBy: { createdAt: "desc" },
    select: { finishedAt: true },
  });
  return last?.finishedAt ?? null;
}

export type RequestReconciliationResult =
  { state: "started" } | { state: "running" } | { state: "invalid"; problems: ReconciliationProblems };

/** Starts a run over a range of days in the shop's time zone; one of each kind at a time. */
export async function requestReconciliation(
  merchant: Merchant,
  form: unknown,
  actor: Actor,
): Promise<RequestReconciliationResult> {
  const { shop, timezone } = merchant;
  const now = new Date();
  const parsed = reconciliationForm(toLocalDay(timezone, now)).safeParse(form);
  if (!parsed.success)
    return { state: "invalid", problems: fieldProblems(parsed.error, reconciliationProblems) };
  const { kind, start, end } = parsed.data;
  const running = await db.reconciliationRun.count({
    where: { shop, kind, state: { in: ["queued", "running"] } },
  });
  if (running > 0) return { state: "running" };
  const nextDay = new Date(Date.parse(end) + 86_400_000).toISOString().slice(0, 10);
  const until = startOfDay(timezone, nextDay);
  await startReconciliation(shop, kind, startOfDay(timezone, start), until < now ? until : now, actor);
  return { state: "started" };
}

// A restored backup: the service has plans that the ledger does not, because units are back in an earlier state and
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
