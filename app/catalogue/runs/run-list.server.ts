/** The history of runs, and what went wrong in each. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import type { ManualEdit, SyncProblem } from "#app/platform/prisma/client.ts";
import { readCursor, writeCursor } from "#app/catalogue/cursor.ts";
import { runView } from "./run-view.ts";
import type { RunView } from "./run-view.ts";
import { findRun } from "./runs.server.ts";

const cursor = z.tuple([z.iso.datetime().transform((text) => new Date(text)), z.string()]);

/** The order of a list, and the rows beyond the cursor. Both lists are sorted by a time and, within it, by an id. */
function keyset(request: PageRequest, latestFirst: boolean) {
  const at = readCursor(cursor, request.after ?? request.before);
  const backwards = at !== null && request.after === null;
  const descending = latestFirst !== backwards;
  const beyond = descending ? ("lt" as const) : ("gt" as const);
  return {
    request: at === null ? { after: null, before: null } : request,
    order: [{ createdAt: descending ? "desc" : "asc" }, { id: descending ? "desc" : "asc" }] as const,
    where:
      at === null
        ? {}
        : { OR: [{ createdAt: { [beyond]: at[0] } }, { createdAt: at[0], id: { [beyond]: at[1] } }] },
  };
}

const cursorOf = ({ createdAt, id }: { createdAt: Date; id: string }) =>
  writeCursor([createdAt.toISOString(), id]);

/** Runs of both kinds, the latest first. */
export async function pageOfRuns(shop: string, page: PageRequest, size: number): Promise<ListPage<RunView>> {
  const { request, order, where } = keyset(page, true);
  const rows = await db.syncRun.findMany({ where: { shop, ...where }, orderBy: [...order], take: size + 1 });
  const now = new Date();
  return toListPage(
    rows.map((row) => runView(row, now)),
    size,
    request,
    cursorOf,
  );
}

export type RunProblemRow = Pick<
  SyncProblem,
  "id" | "categoryId" | "referenceId" | "productId" | "problem" | "detail"
>;
export type EditRow = Pick<
  ManualEdit,
  "id" | "productId" | "variantId" | "field" | "ours" | "theirs" | "outcome"
>;

export interface RunDetail {
  run: RunView;
  problems: ListPage<RunProblemRow>;
  /** changes by hand that it noticed; the first hundred */
  edits: EditRow[];
}

/** Null: this shop has no such run. */
export async function runDetail(
  shop: string,
  runId: string,
  page: PageRequest,
  size: number,
): Promise<RunDetail | null> {
  const run = await findRun(shop, runId);
  if (!run) return null;
  const { request, order, where } = keyset(page, false);
  const problems = await db.syncProblem.findMany({
    where: { shop, runId, ...where },
    orderBy: [...order],
    take: size + 1,
  });
  const edits = await db.manualEdit.findMany({
    where: { shop, runId },
    orderBy: [{ noticedAt: "asc" }, { id: "asc" }],
    take: 100,
  });
  return { run: runView(run, new Date()), problems: toListPage(problems, size, request, cursorOf), edits };
}
