/** A walk over the shop's orders as the merchant watches it. */
import { db } from "#app/platform/db.server.ts";
import { sweepCounts, sweepStates } from "./sweep.ts";
import type { SweepCounts, SweepKind, SweepState } from "./sweep.ts";

export interface SweepView {
  id: string;
  state: SweepState;
  from: Date;
  until: Date;
  counts: SweepCounts;
  /** why it waits; null where it does not */
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The last walk of a kind; null before the first. */
export async function lastSweep(shop: string, kind: SweepKind): Promise<SweepView | null> {
  const row = await db.orderSweep.findFirst({ where: { shop, kind }, orderBy: { createdAt: "desc" } });
  if (!row) return null;
  const { id, from, until, error, createdAt, finishedAt } = row;
  const state = sweepStates.find((known) => known === row.state) ?? "stopped";
  return { id, state, from, until, counts: sweepCounts.parse(row.counts), error, createdAt, finishedAt };
}
