/**
 * Runs of long work: one at a time per shop and kind, with progress, cancellation and a history. A run outlives the
 * process: its job is delivered again, and the work begins where the shop and the catalogue still differ.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { jobs } from "#app/jobs/definitions.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { activeEnvironment } from "#app/merchants/environment.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { SyncRun } from "#app/platform/prisma/client.ts";
import type { RunKind } from "./progress.ts";

const reasons = [
  "merchant",
  "schedule",
  "currency",
  "retry",
  "rules",
  "connection",
  "live",
  "import",
] as const;
export type RunReason = (typeof reasons)[number];

/** Something has changed that a run under way may have read already: it is to be followed by another. */
const reasonsToRunAgain: readonly RunReason[] = ["currency", "rules", "connection", "live", "import"];

const jobNames = { catalogue: "catalogue-sync", products: "product-categories" } as const satisfies Record<
  RunKind,
  string
>;

/** A run that nobody touched for so long has lost its job for good. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;
/** Progress is written at most so often. */
const HEARTBEAT_EVERY_MS = 500;

/** The merchant cancelled the run. */
export class RunCancelled extends Error {
  override name = "RunCancelled";
}

/** The run cannot succeed until somebody does something; trying again later is useless. */
export class RunRefused extends Error {
  override name = "RunRefused";
  readonly reason: "not_connected" | "token_refused" | "no_access" | "platform_refused";
  constructor(reason: RunRefused["reason"], detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/**
 * Starts a run and its job in one transaction; where one is under way, that one is the answer. Where it has begun and the
 * reason is a change, another one follows it.
 */
export async function startRun(shop: string, kind: RunKind, reason: RunReason): Promise<SyncRun> {
  await db.syncRun.updateMany({
    where: { shop, kind, active: true, touchedAt: { lt: new Date(Date.now() - ABANDONED_AFTER_MS) } },
    data: { state: "failed", active: null, error: "abandoned", finishedAt: new Date() },
  });
  const environment = await activeEnvironment(shop);
  const id = randomUUID();
  try {
    return await db.$transaction(async (transaction) => {
      const run = await transaction.syncRun.create({ data: { id, shop, kind, environment, reason } });
      await sendJob(jobNames[kind], { shop, runId: id }, { transaction });
      return run;
    });
  } catch (error) {
    const isUnderWay = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
    if (!isUnderWay) throw error;
    if (reasonsToRunAgain.includes(reason)) await requestFollowUpRun(shop, kind, reason);
    const active = await db.syncRun.findFirst({ where: { shop, kind, active: true } });
    // It was over in the meantime.
    return active ?? startRun(shop, kind, reason);
  }
}

/** Has another run follow the one that is under way, which may have read already what is different now. */
export async function requestFollowUpRun(shop: string, kind: RunKind, reason: RunReason): Promise<void> {
  await db.syncRun.updateMany({
    where: { shop, kind, active: true, startedAt: { not: null } },
    data: { followUpReason: reason },
  });
}

/** Does again what a run was to do. Null: this shop has no such run. */
export async function retryRun(shop: string, runId: string): Promise<SyncRun | null> {
  const before = await findRun(shop, runId);
  return before && startRun(shop, kindOf(before), "retry");
}

function kindOf({ kind }: SyncRun): RunKind {
  return kind === "products" ? "products" : "catalogue";
}

/** Asks a run to stop; what it has written stays. @returns false where it was over already */
export async function cancelRun(shop: string, runId: string): Promise<boolean> {
  const asked = await db.syncRun.updateMany({
    where: { shop, id: runId, active: true },
    data: { cancelRequestedAt: new Date() },
  });
  return asked.count === 1;
}

export async function findRun(shop: string, runId: string): Promise<SyncRun | null> {
  return db.syncRun.findFirst({ where: { shop, id: runId } });
}

export async function listRuns(shop: string, kind: RunKind, take = 20): Promise<SyncRun[]> {
  return db.syncRun.findMany({ where: { shop, kind }, orderBy: { createdAt: "desc" }, take });
}

export type RunProblem = Partial<Record<"categoryId" | "referenceId" | "productId", string>> & {
  problem: string;
  detail?: string;
};

export async function listRunProblems(shop: string, runId: string, take = 200) {
  return db.syncProblem.findMany({ where: { shop, runId }, orderBy: { createdAt: "asc" }, take });
}

/** What the work of a run reports to. */
export interface RunReport {
  readonly run: SyncRun;
  /** Begins a phase of so many units. @throws RunCancelled */
  phase(name: string, total: number): Promise<void>;
  /** So many units more are done. @throws RunCancelled */
  advance(units?: number): Promise<void>;
  count(name: string, by?: number): void;
  /** What this attempt has spent up to now; earlier attempts' figures are kept. */
  spent(figures: { serviceCalls?: number; adminCalls?: number; points?: number }): void;
  problems(list: RunProblem[]): Promise<void>;
}

const counts = z.record(z.string(), z.number());

/**
 * Does the work of a run: takes it up, keeps its state, and settles how it ended. What may succeed later is thrown on,
 * so that the queue delivers the job again.
 */
export async function executeRun(
  shop: string,
  runId: string,
  signal: AbortSignal,
  work: (report: RunReport) => Promise<void>,
): Promise<void> {
  const found = await db.syncRun.findFirst({ where: { shop, id: runId, active: true } });
  if (!found) return;
  const run = await db.syncRun.update({
    where: { id: runId },
    data: {
      state: "running",
      attempts: { increment: 1 },
      startedAt: found.startedAt ?? new Date(),
      touchedAt: new Date(),
    },
  });
  const report = reporter(run);
  const close = async (state: string, error: string | null, detail: string | null) => {
    const again = await report.flush({
      state,
      active: null,
      finishedAt: new Date(),
      error,
      errorDetail: detail,
    });
    log.info({ shop, run: runId, kind: run.kind, state, error }, "run over");
    const reason = reasons.find((each) => each === again);
    if (reason && state !== "cancelled") await startRun(shop, kindOf(run), reason);
  };
  try {
    await work(report);
    await close("done", null, null);
  } catch (error) {
    if (error instanceof RunCancelled) return close("cancelled", null, null);
    if (error instanceof RunRefused) return close("failed", error.reason, error.message);
    const detail = error instanceof Error ? error.message : String(error);
    const { retryLimit } = jobs[jobNames[kindOf(run)]];
    if (!signal.aborted && run.attempts > retryLimit) await close("failed", "gave_up", detail);
    else await report.flush({ error: "waiting", errorDetail: detail });
    throw error;
  }
}

/** `flush` tells why another run is to follow, or null. */
function reporter(
  run: SyncRun,
): RunReport & { flush(data?: Prisma.SyncRunUpdateInput): Promise<string | null> } {
  const before = { serviceCalls: run.serviceCalls, adminCalls: run.adminCalls, points: run.points };
  const figures = { ...before };
  const totals = counts.parse(run.counts);
  let done = 0;
  let touchedAt = 0;

  async function flush(data: Prisma.SyncRunUpdateInput = {}): Promise<string | null> {
    touchedAt = Date.now();
    const row = await db.syncRun.update({
      where: { id: run.id },
      data: { ...figures, done, counts: totals, touchedAt: new Date(), ...data },
      select: { cancelRequestedAt: true, active: true, followUpReason: true },
    });
    if (row.active && row.cancelRequestedAt !== null) throw new RunCancelled();
    return row.followUpReason;
  }

  return {
    run,
    flush,
    async phase(name, total) {
      done = 0;
      await flush({ phase: name, total, phaseStartedAt: new Date() });
    },
    async advance(units = 1) {
      done += units;
      if (Date.now() - touchedAt >= HEARTBEAT_EVERY_MS) await flush();
    },
    count(name, by = 1) {
      totals[name] = (totals[name] ?? 0) + by;
    },
    spent({ serviceCalls, adminCalls, points }) {
      if (serviceCalls !== undefined) figures.serviceCalls = before.serviceCalls + serviceCalls;
      if (adminCalls !== undefined) figures.adminCalls = before.adminCalls + adminCalls;
      if (points !== undefined) figures.points = before.points + Math.round(points);
    },
    async problems(list) {
      if (list.length === 0) return;
      await db.syncProblem.createMany({
        data: list.map((problem) => ({ id: randomUUID(), shop: run.shop, runId: run.id, ...problem })),
      });
    },
  };
}
