/**
 * Long runs: one at a time per shop and kind, with progress and cancellation. A run survives a restart: the queue
 * delivers its job again, and the work continues with the remaining differences between shop and catalogue.
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

/** All other reasons mean a change that an active run may have missed, so another run follows it. */
const reasonsWithoutChange: readonly RunReason[] = ["merchant", "schedule"];

/** After this time without a heartbeat, a run has lost its job permanently. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;

/**
 * Starts a run and its job in one transaction, or returns the active run. If that run has begun and the reason is a
 * change, another run follows it.
 * @param actor the person who requested it, if any
 * @param transaction the transaction of the change, so that a change is never saved without its run
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
    // A run that has not begun waits for this transaction, and then reads its changes.
    await transaction.$executeRaw`
      SELECT 1 FROM "SyncRun" WHERE shop = ${shop} AND kind = ${kind} AND active FOR NO KEY UPDATE`;
    if (!reasonsWithoutChange.includes(reason)) await requestFollowUpRun(shop, kind, reason, transaction);
    const active = await transaction.syncRun.findFirst({ where: isActive });
    if (active) return active;
    // It has ended in the meantime.
  }
}

/** Requests a run after the active one, which may have read data before it changed. */
export async function requestFollowUpRun(
  shop: string,
  kind: RunKind,
  reason: RunReason,
  tx: Transaction = db,
): Promise<void> {
  // A run that has not begun reads the new data, unless it is stopping or lacks the account to unpublish plans.
  const begun =
    reason === "selling" ? {} : { OR: [{ startedAt: { not: null } }, { cancelRequestedAt: { not: null } }] };
  // A stronger reason stays: only the reason "selling" unpublishes plans without an account, and a weaker reason is
  // dropped after a cancelled run.
  const stronger = reasonsAfterCancelled.slice(reasonsAfterCancelled.indexOf(reason) + 1);
  const isFree = { OR: [{ followUpReason: null }, { followUpReason: { notIn: stronger } }] };
  await tx.syncRun.updateMany({
    where: { shop, kind, active: true, AND: [begun, isFree] },
    data: { followUpReason: reason },
  });
}

/**
 * Starts a sync for a person. A failed run that should have ended the sale is repeated with its reason: only such a
 * run works without an account.
 */
export async function startSync(shop: string, actor: Actor): Promise<SyncRun> {
  const [last] = await listRuns(shop, "catalogue", 1);
  const reason = last && hasFailedToEndSale(last) ? "selling" : "merchant";
  return startRun(shop, "catalogue", reason, { actor });
}

/**
 * Requests that a run stop. What it has written stays. Only an account change, the end of the sale, or a later change
 * starts another run.
 * @returns false if it had ended already
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

/** Whether a run of this kind was active at or after that time. */
export async function hasRunSince(shop: string, kind: RunKind, since: Date): Promise<boolean> {
  const atWork = { OR: [{ active: true }, { finishedAt: { gte: since } }] };
  return (await db.syncRun.count({ where: { shop, kind, startedAt: { not: null }, ...atWork } })) > 0;
}

export async function listRuns(shop: string, kind: RunKind, take = 20): Promise<SyncRun[]> {
  return db.syncRun.findMany({ where: { shop, kind }, orderBy: { createdAt: "desc" }, take });
}

/** Limit of problems to show: a run can have one for each reference or product. */
const SHOWN_PROBLEMS = 50;

/** The last run of a kind, with its problems. */
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

/** Where Shopify refused plan products at the last run: names of catalogues and channels, each with its reason. */
export async function listUnsoldPlaces(shop: string): Promise<string[]> {
  const problems = await db.syncProblem.findMany({
    where: { shop, problem: "not_published" },
    distinct: ["detail"],
    orderBy: { detail: "asc" },
  });
  return problems.map(({ detail }) => detail);
}

// Reactions to Shopify's webhooks.

/** After `shop/update`: a new currency starts a run, which unpublishes plans in another currency. */
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
