/**
 * Runs of long work: one at a time per shop and kind, with progress and cancellation. A run outlives the process: its
 * job is delivered again, and the work begins where the shop and the catalogue still differ.
 */
import { randomUUID } from "node:crypto";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { environmentToSync } from "#app/merchants/environment.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { SyncRun } from "#app/platform/prisma/client.ts";
import {
  hasFailedToEndSale,
  reasonsAfterCancelled,
  runJobs,
  type RunKind,
  type RunProblems,
  type RunReason,
  runView,
  type RunView,
} from "./run.ts";

/** All others mean that something has changed that a run under way may have read already: another one follows it. */
const reasonsWithoutChange: readonly RunReason[] = ["merchant", "schedule"];

/** After this long without a heartbeat, a run has lost its job for good. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;

/**
 * Starts a run and its job in one transaction; where one is under way, that one is returned. Where it has begun and the
 * reason is a change, another one follows it.
 * @param actor the person who requested it, if any
 * @param transaction that of the change: it is never saved without its run
 */
export async function startRun(
  shop: string,
  kind: RunKind,
  reason: RunReason,
  { actor, transaction }: { actor?: Actor; transaction?: Transaction } = {},
): Promise<SyncRun> {
  if (!transaction) return db.$transaction((tx) => startRun(shop, kind, reason, { actor, transaction: tx }));
  const isActive = { shop, kind, active: true };
  await transaction.syncRun.updateMany({
    where: { ...isActive, lastProgressAt: { lt: new Date(Date.now() - ABANDONED_AFTER_MS) } },
    data: { state: "failed", active: null, error: "abandoned", finishedAt: new Date() },
  });
  const environment = await environmentToSync(shop, transaction);
  const id = randomUUID();
  for (;;) {
    const data = { id, shop, kind, environment, reason };
    const [run] = await transaction.syncRun.createManyAndReturn({ data, skipDuplicates: true });
    if (run) {
      await sendJob(transaction, runJobs[kind], { shop, runId: id });
      const entry = { action: "run_started", subject: id, after: { kind, environment, reason } } as const;
      if (actor) await recordAudit({ shop, actor, ...entry }, transaction);
      return run;
    }
    // One that has not begun waits, and then reads what this transaction changes.
    await transaction.$executeRaw`
      SELECT 1 FROM "SyncRun" WHERE shop = ${shop} AND kind = ${kind} AND active FOR NO KEY UPDATE`;
    if (!reasonsWithoutChange.includes(reason)) await requestFollowUpRun(shop, kind, reason, transaction);
    const active = await transaction.syncRun.findFirst({ where: isActive });
    if (active) return active;
    // It was over in the meantime.
  }
}

/** Has another run follow the one that is under way, which may have read already what is different now. */
export async function requestFollowUpRun(
  shop: string,
  kind: RunKind,
  reason: RunReason,
  tx: Transaction = db,
): Promise<void> {
  // A run that has not begun reads what is there, unless it is stopping, or has no account with which to take plans off
  // sale.
  const begun =
    reason === "selling" ? {} : { OR: [{ startedAt: { not: null } }, { cancelRequestedAt: { not: null } }] };
  // Only a run that ends the sale takes plans off sale without an account, and a cancelled run is followed for no lesser
  // reason: neither is replaced.
  const stronger = reasonsAfterCancelled.slice(reasonsAfterCancelled.indexOf(reason) + 1);
  const isFree = { OR: [{ followUpReason: null }, { followUpReason: { notIn: stronger } }] };
  await tx.syncRun.updateMany({
    where: { shop, kind, active: true, AND: [begun, isFree] },
    data: { followUpReason: reason },
  });
}

/**
 * A person starts a sync. A run that was to end the sale and failed is repeated with its reason: only such a run works
 * without an account.
 */
export async function startSync(shop: string, actor: Actor): Promise<SyncRun> {
  const [last] = await listRuns(shop, "catalogue", 1);
  const reason = last && hasFailedToEndSale(last) ? "selling" : "merchant";
  return startRun(shop, "catalogue", reason, { actor });
}

/**
 * Requests that a run stop; what it has written stays. It is followed only by what another account or the end of the
 * sale needs, and by what changes from now on.
 * @returns false where it was over already
 */
export async function cancelRun(shop: string, runId: string, actor: Actor): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const cancelled = await tx.syncRun.updateMany({
      where: { shop, id: runId, active: true },
      data: { cancelRequestedAt: new Date() },
    });
    if (cancelled.count === 0) return false;
    await tx.syncRun.updateMany({
      where: { shop, id: runId, followUpReason: { notIn: [...reasonsAfterCancelled] } },
      data: { followUpReason: null },
    });
    await recordAudit({ shop, actor, action: "run_stopped", subject: runId }, tx);
    return true;
  });
}

export async function findRun(shop: string, runId: string): Promise<SyncRun | null> {
  return db.syncRun.findFirst({ where: { shop, id: runId } });
}

/** Whether a run of this kind has been at work since then. */
export async function hasRunSince(shop: string, kind: RunKind, since: Date): Promise<boolean> {
  const atWork = { OR: [{ active: true }, { finishedAt: { gte: since } }] };
  return (await db.syncRun.count({ where: { shop, kind, startedAt: { not: null }, ...atWork } })) > 0;
}

export async function listRuns(shop: string, kind: RunKind, take = 20): Promise<SyncRun[]> {
  return db.syncRun.findMany({ where: { shop, kind }, orderBy: { createdAt: "desc" }, take });
}

/** A run has one for each reference or product in the worst case. */
const SHOWN_PROBLEMS = 50;

/** The last run of a kind, and what it could not do. */
export async function readLastRun(
  shop: string,
  kind: RunKind,
): Promise<{ run: RunView | null; problems: RunProblems }> {
  const [run] = await listRuns(shop, kind, 1);
  if (!run) return { run: null, problems: { items: [], hasMore: false } };
  const problems = await db.syncProblem.findMany({
    where: { shop, runId: run.id },
    orderBy: { createdAt: "asc" },
    take: SHOWN_PROBLEMS + 1,
  });
  const items = problems.slice(0, SHOWN_PROBLEMS);
  return { run: runView(run, new Date()), problems: { items, hasMore: problems.length > SHOWN_PROBLEMS } };
}

// What Shopify's events mean for the catalogue.

/** After `shop/update`: where the currency changed, everything is checked again; what no longer fits is unpublished. */
export async function handleShopCurrency(shop: string): Promise<void> {
  const merchant = await findMerchant(shop);
  if (!merchant) return;
  const { currency } = merchant;
  const cured = await db.reference.count({
    where: { shop, state: "offered", problem: "currency", currency },
  });
  const broken = await db.reference.count({
    where: { shop, state: "offered", problem: null, currency: { not: currency } },
  });
  if (cured + broken > 0) await startRun(shop, "catalogue", "currency");
}
