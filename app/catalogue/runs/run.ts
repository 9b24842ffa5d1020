/** A run: its kinds and reasons, its early ends, its progress, and the merchant's view of it. */
import { AppError } from "#app/platform/app-error.ts";
import type { SyncProblem, SyncRun } from "#app/platform/prisma/client.ts";

/** The phases of the two kinds of runs, in order, with their share of the whole. */
const phases = {
  catalogue: { start: 0, products: 5, discover: 45, read: 5, write: 35, publish: 10 },
  products: { start: 0, read: 60, write: 40 },
} as const;
export type RunKind = keyof typeof phases;

export const runReasons = [
  "merchant",
  "schedule",
  "currency",
  "rules",
  "connection",
  "live",
  "changes",
  "selling",
] as const;

export type RunReason = (typeof runReasons)[number];

/** Reasons for which a run follows even a cancelled one, the stronger reason last. */
export const reasonsAfterCancelled: readonly RunReason[] = ["connection", "selling"];

export const runJobs = {
  catalogue: "catalogue-sync",
  products: "product-categories",
} as const satisfies Record<RunKind, string>;

export function kindOf({ kind }: Pick<SyncRun, "kind">): RunKind {
  return kind === "products" ? "products" : "catalogue";
}

/** Whether the plans are still on sale although the merchant has ended the sale. */
export function hasFailedToEndSale({ state, reason }: Pick<SyncRun, "state" | "reason">): boolean {
  return state === "failed" && reason === "selling";
}

// Early ends of a run.

/** The merchant cancelled the run. */
export class RunCancelled extends AppError {
  override name = "RunCancelled";
}

/** The account sells for another store than the run reads: the next run reads the new store. */
export class StoreReplaced extends AppError {
  override name = "StoreReplaced";
}

/** The run fails until a person acts: a retry is useless. */
export class RunRefused extends AppError {
  override name = "RunRefused";
  readonly reason:
    | "not_connected"
    | "token_refused"
    | "no_access"
    | "platform_refused"
    | "no_online_store"
    | "nothing_to_sell"
    | "nothing_read";
  constructor(reason: RunRefused["reason"], detail: string) {
    super(detail);
    this.reason = reason;
  }
}

// Progress of a run.

interface RunProgress {
  kind: RunKind;
  state: string;
  phase: string;
  done: number;
  total: number;
  phaseStartedAt: Date | null;
}

/** 0 to 100. */
function percentOf({ kind, state, phase, done, total }: RunProgress): number {
  if (state === "done") return 100;
  let completedShare = 0;
  for (const [name, share] of Object.entries(phases[kind])) {
    if (name === phase)
      return Math.floor(completedShare + share * (total === 0 ? 0 : Math.min(1, done / total)));
    completedShare += share;
  }
  return 0;
}

/** Seconds until the end of the phase at the current pace; null if unknown. */
function secondsLeft({ done, total, phaseStartedAt }: RunProgress, now: Date): number | null {
  if (phaseStartedAt === null || done === 0 || total === 0) return null;
  const perItem = (now.getTime() - phaseStartedAt.getTime()) / done;
  return Math.round((perItem * Math.max(0, total - done)) / 1_000);
}

// The merchant's view of a run.

export interface RunView {
  id: string;
  kind: RunKind;
  /** queued, running, done, failed, cancelled */
  state: string;
  reason: string;
  active: boolean;
  /** it has ended, and another requested run begins at once */
  followed: boolean;
  /** it is cancelled and has not stopped yet */
  stopping: boolean;
  phase: string;
  /** 0 to 100 */
  percent: number;
  /** of the phase */
  done: number;
  total: number;
  secondsLeft: number | null;
  /** its results so far: references_added, variants_created, problems, … */
  counts: Record<string, number>;
  /** why it failed or waits: a code, and the message of the external system */
  error: string | null;
  errorDetail: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The first problems of a run. */
export interface RunProblems {
  items: Pick<SyncProblem, "id" | "categoryId" | "referenceId" | "productId" | "problem" | "detail">[];
  hasMore: boolean;
}

export function runView(run: SyncRun, now: Date): RunView {
  const kind = kindOf(run);
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
    followed: !active && run.followUpReason !== null,
    stopping: active && run.cancelRequestedAt !== null,
    percent: percentOf({ kind, state, phase, done, total, phaseStartedAt: run.phaseStartedAt }),
    secondsLeft: active ? secondsLeft({ ...run, kind }, now) : null,
    counts: countsOf(run.counts),
  };
}

/** Only integers are counts; the run writes nothing else. */
function countsOf(storedCounts: SyncRun["counts"]): Record<string, number> {
  if (typeof storedCounts !== "object" || storedCounts === null || Array.isArray(storedCounts)) return {};
  return Object.fromEntries(
    Object.entries(storedCounts).flatMap(([name, value]) =>
      typeof value === "number" ? [[name, value]] : [],
    ),
  );
}
