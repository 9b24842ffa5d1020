/** A run as the merchant watches it. */
import type { SyncRun } from "#app/platform/prisma/client.ts";
import { percentOf, secondsLeft } from "./progress.ts";
import type { RunKind } from "./progress.ts";

export interface RunView {
  id: string;
  kind: RunKind;
  /** queued, running, done, failed, cancelled */
  state: string;
  reason: string;
  active: boolean;
  /** it is over, and another one that was requested meanwhile begins at once */
  followed: boolean;
  /** it was cancelled, and has not stopped yet */
  stopping: boolean;
  phase: string;
  /** 0 to 100 */
  percent: number;
  /** of the phase */
  done: number;
  total: number;
  secondsLeft: number | null;
  /** what it has done so far: references_added, variants_created, problems, … */
  counts: Record<string, number>;
  /** calls to the service, calls and points at the shop */
  spent: { serviceCalls: number; adminCalls: number; points: number };
  /** why it failed or waits: a code, and the message of the system that refused */
  error: string | null;
  errorDetail: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export function runView(run: SyncRun, now: Date): RunView {
  const kind = run.kind === "products" ? "products" : "catalogue";
  const { id, state, reason, phase, done, total, error, errorDetail, createdAt, finishedAt } = run;
  const active = run.active === true;
  return {
    id,
    kind,
    state,
    reason,
    phase,
    done,
    total,
    error,
    errorDetail,
    createdAt,
    finishedAt,
    active,
    followed: !active && run.followUpReason !== null && state !== "cancelled",
    stopping: active && run.cancelRequestedAt !== null,
    percent: percentOf({ kind, state, phase, done, total, phaseStartedAt: run.phaseStartedAt }),
    secondsLeft: active ? secondsLeft({ ...run, kind }, now) : null,
    counts: countsOf(run.counts),
    spent: { serviceCalls: run.serviceCalls, adminCalls: run.adminCalls, points: run.points },
  };
}

/** Only whole numbers are counts; the run itself writes nothing else. */
function countsOf(given: SyncRun["counts"]): Record<string, number> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])),
  );
}
