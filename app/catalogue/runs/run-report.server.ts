/** A run's progress, figures and problems, written while it works. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { Prisma, SyncRun } from "#app/platform/prisma/client.ts";
import { RunCancelled } from "./run-errors.ts";

/** The shortest time between two writes of progress. */
const HEARTBEAT_EVERY_MS = 500;

export type RunProblem = Partial<Record<"categoryId" | "referenceId" | "productId", string>> & {
  problem: string;
  detail?: string;
};

/** Where the work of a run reports its progress. */
export interface RunReport {
  readonly run: SyncRun;
  /** Begins a phase with its number of units. @throws RunCancelled */
  phase(name: string, total: number): Promise<void>;
  /** Adds a number of units that are done. @throws RunCancelled */
  advance(units?: number): Promise<void>;
  /** The account that it works for, where that is another one by now than when it was started. */
  environment(environment: Environment): Promise<void>;
  count(name: string, by?: number): void;
  /** What this attempt has cost up to now, on top of the earlier attempts. */
  recordCost(figures: { serviceCalls?: number; adminCalls?: number; points?: number }): void;
  problems(list: RunProblem[]): Promise<void>;
}

const counts = z.record(z.string(), z.number());

/** The report as the run's executor uses it. */
export interface StoredRunReport extends RunReport {
  /** Writes the progress together with these fields. @throws RunCancelled while the run is active */
  save(data?: Prisma.SyncRunUpdateInput): Promise<{ followUpReason: string | null }>;
}

export function createRunReport(run: SyncRun): StoredRunReport {
  const earlier = { serviceCalls: run.serviceCalls, adminCalls: run.adminCalls, points: run.points };
  const figures = { ...earlier };
  const totals = counts.parse(run.counts);
  let done = 0;
  let savedAt = 0;

  async function save(data: Prisma.SyncRunUpdateInput = {}): Promise<{ followUpReason: string | null }> {
    savedAt = Date.now();
    const row = await db.syncRun.update({
      where: { shop: run.shop, id: run.id },
      data: { ...figures, done, counts: totals, lastProgressAt: new Date(), ...data },
      select: { cancelRequestedAt: true, active: true, followUpReason: true },
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
    async advance(units = 1) {
      done += units;
      if (Date.now() - savedAt >= HEARTBEAT_EVERY_MS) await save();
    },
    async environment(environment) {
      if (environment !== run.environment) await save({ environment });
    },
    count(name, by = 1) {
      totals[name] = (totals[name] ?? 0) + by;
    },
    recordCost({ serviceCalls, adminCalls, points }) {
      if (serviceCalls !== undefined) figures.serviceCalls = earlier.serviceCalls + serviceCalls;
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
