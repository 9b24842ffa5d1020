/** Executes a run: from its job to its end. */
import { jobs } from "#app/jobs/definitions.ts";
import { db } from "#app/platform/db.server.ts";
import { describeError } from "#app/platform/describe-error.ts";
import { log } from "#app/platform/log.server.ts";
import type { SyncRun } from "#app/platform/prisma/client.ts";
import { RunCancelled, RunRefused } from "./run-errors.ts";
import { runJobs, kindOf, runReasons } from "./run-kinds.ts";
import { createRunReport } from "./run-report.server.ts";
import type { RunReport, StoredRunReport } from "./run-report.server.ts";
import { startRun } from "./runs.server.ts";

/**
 * Works on a run until it is done, cancelled, failed or to be retried. An error that a later attempt may overcome is
 * rethrown, so that the queue delivers the job again.
 * @param undone is called before a run ends that was not done
 */
export async function executeRun(
  shop: string,
  runId: string,
  signal: AbortSignal,
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
    const isLastAttempt = !signal.aborted && run.attempts > jobs[runJobs[kindOf(run)]].retryLimit;
    if (isLastAttempt) {
      await undone();
      await finishRun(report, { state: "failed", error: "gave_up", errorDetail });
    } else await report.save({ error: "waiting", errorDetail });
    throw error;
  }
}

/** Null: the run is over already, or the shop has no such run. */
async function beginAttempt(shop: string, runId: string): Promise<SyncRun | null> {
  const found = await db.syncRun.findFirst({ where: { shop, id: runId, active: true } });
  if (!found) return null;
  const now = new Date();
  return db.syncRun.update({
    where: { shop, id: runId },
    data: {
      state: "running",
      attempts: { increment: 1 },
      startedAt: found.startedAt ?? now,
      lastProgressAt: now,
    },
  });
}

interface RunEnd {
  state: "done" | "failed" | "cancelled";
  error: string | null;
  errorDetail: string | null;
}

/** Ends the run, and starts the one that is to follow it. */
async function finishRun(report: StoredRunReport, end: RunEnd): Promise<void> {
  const { id, shop, kind } = report.run;
  const { followUpReason } = await report.save({ ...end, active: null, finishedAt: new Date() });
  log.info({ shop, run: id, kind, state: end.state, error: end.error }, "Run ended");
  const reason = runReasons.find((each) => each === followUpReason);
  // A cancelled run is not followed by what it was meant to do, but by what another account, or the end of the sale, needs.
  if (reason && (end.state !== "cancelled" || reason === "connection" || reason === "selling"))
    await startRun(shop, kindOf(report.run), reason);
}
