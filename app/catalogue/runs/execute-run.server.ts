/** Executes a run from its job to its end, and saves its progress, figures and problems. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { jobs } from "#app/jobs/definitions.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { describeError } from "#app/platform/describe-error.ts";
import { log } from "#app/platform/log.server.ts";
import type { Prisma, SyncRun } from "#app/platform/prisma/client.ts";
import { kindOf, RunCancelled, runJobs, runReasons, RunRefused } from "./run.ts";
import { startRun } from "./runs.server.ts";

/**
 * Executes a run until it is done, cancelled, failed or has to be retried. It rethrows an error that a retry may
 * solve, so that the queue delivers the job again.
 * @param undone is called before a run ends without success
 */
export async function executeRun(
  shop: string,
  runId: string,
  work: (report: RunReport) => Promise<void>,
  undone: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const run = await beginAttempt(shop, runId);
  if (!run) return;
  const report = createRunReport(run);
  try {
    await work(report);
    await finishRun(report, { state: "done", error: null, errorDetail: null });
  } catch (error) {
    if (error instanceof RunCancelled) {
      await undone();
      return finishRun(report, { state: "cancelled", error: null, errorDetail: null });
    }
    if (error instanceof RunRefused) {
      await undone();
      return finishRun(report, { state: "failed", error: error.reason, errorDetail: error.message });
    }
    const errorDetail = describeError(error).message;
    // A process that is ending counts too: the queue has no further delivery.
    const isLastAttempt = run.attempts > jobs[runJobs[kindOf(run)]].retryLimit;
    if (isLastAttempt) {
      await undone();
      await finishRun(report, { state: "failed", error: "gave_up", errorDetail });
    } else await report.save({ error: "waiting", errorDetail });
    throw error;
  }
}

/** Null: the run has ended already, or the shop has no such run. */
async function beginAttempt(shop: string, runId: string): Promise<SyncRun | null> {
  const run = await db.syncRun.findFirst({ where: { shop, id: runId, active: true } });
  if (!run) return null;
  // Pages show only the problems of the last run.
  await db.$executeRaw`
    DELETE FROM "SyncProblem" AS p USING "SyncRun" AS r
    WHERE p.shop = ${shop} AND r.shop = p.shop AND r.id = p."runId" AND r.kind = ${run.kind} AND r.id <> ${runId}`;
  const now = new Date();
  return db.syncRun.update({
    where: { shop, id: runId },
    data: {
      state: "running",
      attempts: { increment: 1 },
      startedAt: run.startedAt ?? now,
      lastProgressAt: now,
    },
  });
}

interface RunEnd {
  state: "done" | "failed" | "cancelled";
  error: string | null;
  errorDetail: string | null;
}

/** Ends the run, and starts the run that has to follow it. */
async function finishRun({ run, save }: StoredRunReport, end: RunEnd): Promise<void> {
  const { id, shop, kind } = run;
  const ended = await db.$transaction(async (transaction) => {
    const saved = await save({ ...end, active: null, finishedAt: new Date() }, transaction);
    const reason = runReasons.find((each) => each === saved.followUpReason);
    if (reason) await startRun(shop, kindOf(run), reason, { transaction });
    return saved;
  });
  const { state, error } = end;
  const { insurerCalls, adminCalls, points } = ended;
  const figures = { counts: countsSchema.parse(ended.counts), insurerCalls, adminCalls, points };
  log.info({ shop, run: id, kind, reason: run.reason, state, error, ...figures }, "Run ended");
}

// The progress of the run.

/** The minimum interval between two writes of progress. */
const HEARTBEAT_EVERY_MS = 500;

type RunProblem = Partial<Record<"categoryId" | "referenceId" | "productId", string>> & {
  problem: string;
  detail?: string;
};

/** The interface through which a run reports its progress. */
export interface RunReport {
  readonly run: SyncRun;
  /** Begins a phase with its number of items. @throws RunCancelled */
  phase(name: string, total: number): Promise<void>;
  /** Adds finished items. @throws RunCancelled */
  advance(items?: number): Promise<void>;
  /** Saves the run's account if it has changed since the start. */
  environment(environment: Environment): Promise<void>;
  count(name: string, by?: number): void;
  /** The cost of this attempt so far; the cost of earlier attempts is added. */
  recordCost(figures: { insurerCalls?: number; adminCalls?: number; points?: number }): void;
  problems(list: RunProblem[]): Promise<void>;
}

const countsSchema = z.record(z.string(), z.number());

type SavedRun = Pick<SyncRun, "followUpReason" | "counts" | "insurerCalls" | "adminCalls" | "points">;

/** The report with the executor's own methods. */
interface StoredRunReport extends RunReport {
  /** Saves the progress together with these fields. @throws RunCancelled while the run is active */
  save: (data?: Prisma.SyncRunUpdateInput, tx?: Transaction) => Promise<SavedRun>;
}

function createRunReport(run: SyncRun): StoredRunReport {
  const earlier = { insurerCalls: run.insurerCalls, adminCalls: run.adminCalls, points: run.points };
  const figures = { ...earlier };
  const totals = countsSchema.parse(run.counts);
  let done = 0;
  let savedAt = -Infinity;

  async function save(data: Prisma.SyncRunUpdateInput = {}, tx: Transaction = db) {
    savedAt = performance.now();
    const row = await tx.syncRun.update({
      where: { shop: run.shop, id: run.id },
      data: { ...figures, done, counts: totals, lastProgressAt: new Date(), ...data },
    });
    if (row.active && row.cancelRequestedAt !== null) throw new RunCancelled();
    return row;
  }

  return {
    run,
    save,
    async phase(name, total) {
      done = 0;
      await save({ phase: name, total, phaseStartedAt: new Date() });
    },
    async advance(items = 1) {
      done += items;
      if (performance.now() - savedAt >= HEARTBEAT_EVERY_MS) await save();
    },
    async environment(environment) {
      if (environment !== run.environment) await save({ environment });
    },
    count(name, by = 1) {
      totals[name] = (totals[name] ?? 0) + by;
    },
    recordCost({ insurerCalls, adminCalls, points }) {
      if (insurerCalls !== undefined) figures.insurerCalls = earlier.insurerCalls + insurerCalls;
      if (adminCalls !== undefined) figures.adminCalls = earlier.adminCalls + adminCalls;
      if (points !== undefined) figures.points = earlier.points + Math.round(points);
    },
    async problems(list) {
      if (list.length === 0) return;
      await db.syncProblem.createMany({
        data: list.map((problem) => ({ id: randomUUID(), shop: run.shop, runId: run.id, ...problem })),
      });
    },
  };
}
