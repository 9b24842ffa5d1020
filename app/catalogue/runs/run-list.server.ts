/** The history of runs, and what went wrong in each. */
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import type { Prisma, SyncProblem } from "#app/platform/prisma/client.ts";
import { keysetQuery } from "#app/platform/keyset.server.ts";
import { readKeyset, timeKey } from "#app/platform/keyset.ts";
import type { TimeKey } from "#app/platform/keyset.ts";
import { runView } from "./run-view.ts";
import type { RunView } from "./run-view.ts";
import { findRun } from "./runs.server.ts";

const keyOf = ({ createdAt, id }: { createdAt: Date; id: string }): TimeKey => [createdAt, id];

/** Runs of both kinds, the latest first. */
export async function pageOfRuns(
  shop: string,
  request: PageRequest,
  size: number,
): Promise<ListPage<RunView>> {
  const keyset = readKeyset(timeKey, request);
  const { where, orderBy } = keysetQuery<Prisma.SyncRunScalarFieldEnum>(keyset, ["createdAt", "id"]);
  const rows = await db.syncRun.findMany({ where: { shop, ...where }, orderBy, take: size + 1 });
  const now = new Date();
  return toListPage(
    rows.map((row) => runView(row, now)),
    size,
    keyset,
    keyOf,
  );
}

export type RunProblemRow = Pick<
  SyncProblem,
  "id" | "categoryId" | "referenceId" | "productId" | "problem" | "detail"
>;

export interface RunDetail {
  run: RunView;
  problems: ListPage<RunProblemRow>;
}

/** Null: this shop has no such run. */
export async function runDetail(
  shop: string,
  runId: string,
  request: PageRequest,
  size: number,
): Promise<RunDetail | null> {
  const run = await findRun(shop, runId);
  if (!run) return null;
  const keyset = readKeyset(timeKey, request);
  const columns = ["createdAt", "id"] as const;
  const { where, orderBy } = keysetQuery<Prisma.SyncProblemScalarFieldEnum>(keyset, columns, "ASC");
  const problems = await db.syncProblem.findMany({
    where: { shop, runId, ...where },
    orderBy,
    take: size + 1,
  });
  return { run: runView(run, new Date()), problems: toListPage(problems, size, keyset, keyOf) };
}
