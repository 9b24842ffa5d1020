/** Reconciliation runs, as the admin lists and starts them. */
import type { Actor } from "#app/audit/actor.ts";
import { db } from "#app/platform/db.server.ts";
import { toLocalDay, startOfDay } from "#app/platform/day.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { type ListPage, type PageRequest, toListPage } from "#app/platform/list-page.ts";
import { readKeyset, timeKey } from "#app/platform/keyset.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import {
  reconciliationForm,
  type ReconciliationKind,
  type ReconciliationProblems,
  reconciliationProblems,
} from "./reconciliation.ts";
import { startReconciliation } from "./reconciliation.server.ts";
import { type ReconciliationRunRow, readRuns, runRow } from "./rows.server.ts";

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
