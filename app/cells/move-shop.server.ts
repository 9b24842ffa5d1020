/**
 * Moves a shop from this cell to another (docs/decisions/0054-cells.md). Each step may be done again: a move that was
 * killed goes on by beginning it again. Until the other cell opens the shop, it can be undone.
 */
import { z } from "zod";
import { CannotMoveError, noRows, openCell, readFenceState } from "./cell-database.server.ts";
import type { CellDatabase, FenceState } from "./cell-database.server.ts";
import { guardTables, unguardTables, waitForOtherTransactions } from "./closed-tables.server.ts";
import { compareTable, copyTable, deleteRows } from "./copy-rows.server.ts";
import type { Cells } from "./copy-rows.server.ts";
import { requireSameCells } from "./same-cells.server.ts";
import { copyJobs, deleteJobs, holdJobs, releaseJobs, waitForJobs } from "./shop-jobs.server.ts";
import { shopTables } from "./shop-tables.server.ts";

/** What a command reports, step by step. */
export type ReportStep = (line: Record<string, string | number>) => void;

export interface Move {
  shop: string;
  sourceUrl: string;
  targetUrl: string;
  report: ReportStep;
  /** how long running jobs may take to end by themselves */
  jobTimeoutMs?: number;
}

const JOB_TIMEOUT_MS = 120_000;

/** @throws CannotMoveError; the database's errors, after which it can be begun again */
export function moveShop(move: Move): Promise<void> {
  return between(move, async (cells, { here, there }) => {
    const { source, target } = cells;
    const { shop, report, jobTimeoutMs = JOB_TIMEOUT_MS } = move;
    if (here === "moved" && there === "here") return finish(source, move);
    if (here === "moved" && there === "arriving") return open(cells, move);
    if (here === "unknown" || here === "gone" || here === "arriving" || here === "moved")
      throw new CannotMoveError(
        `${shop} cannot be moved from here: it is ${here}, and ${there} in the other cell`,
      );
    if (there === "here" || there === "leaving" || there === "closed")
      throw new CannotMoveError(`${shop} is served by the other cell, too: find out which one is right`);
    if (there === "moved")
      throw new CannotMoveError(
        `The other cell still has its old copy of ${shop}: delete it there first (--forget)`,
      );
    await requireSameCells(cells);

    await setFence(source, shop, "leaving");
    report({ fence: "leaving" });
    const cut = await waitForJobs(source, shop, jobTimeoutMs);
    const tables = await shopTables(source.query);
    await guardTables(source, tables);
    await setFence(source, shop, "closed");
    await waitForOtherTransactions(source);
    await holdJobs(source, shop);
    report({ fence: "closed", jobsCutOff: cut });

    await copyMerchant(cells, shop);
    for (const { name } of tables.toReversed()) await deleteRows(target, name, shop);
    for (const table of tables) {
      const rows = await copyTable(cells, table, shop);
      if (rows > 0) report({ table: table.name, rows });
    }
    await copyJobs(cells, shop);
    await copyRestores(cells);
    for (const table of tables) await compareTable(cells, table, shop);
    report({ compared: tables.length });

    // From here on the source cannot open it again by itself, so that never both serve it.
    await setFence(source, shop, "moved");
    await open(cells, move);
  });
}

/** The shop stays here; what was copied is deleted. @throws CannotMoveError once the other cell has opened it */
export function undoMove(move: Move): Promise<void> {
  return between(move, async ({ source, target }, { here, there }) => {
    const { shop, report } = move;
    if (there === "here")
      throw new CannotMoveError(`${shop} is served by the other cell: move it back from there`);
    const isOnItsWay = here === "leaving" || here === "closed" || (here === "moved" && there === "arriving");
    // Moved long ago, it may have gone on from there to a third cell.
    if (!isOnItsWay)
      throw new CannotMoveError(
        `${shop} is not being moved from here: it is ${here}, and ${there} in the other cell`,
      );
    // Nobody opens it there any more; from here on a killed undo is begun again.
    if (here === "moved") await setFence(source, shop, "closed");
    if (there === "arriving") await emptyCell(target, shop);
    await source.transaction(async (query) => {
      await query(noRows, `UPDATE "Merchant" SET fence = NULL WHERE shop = $1`, [shop]);
      await releaseJobs(query, shop);
    });
    await unguardWhereNobodyIs(source);
    report({ undone: shop });
  });
}

/** Deletes the copy that a move has left here. @throws CannotMoveError where the other cell does not serve the shop */
export function forgetMovedShop(move: Move): Promise<void> {
  return between(move, async ({ source }, { here, there }) => {
    const { shop, report } = move;
    if (here !== "moved" || there !== "here")
      throw new CannotMoveError(
        `Nothing of ${shop} is deleted: it is ${here} here, and ${there} in the other cell`,
      );
    await emptyCell(source, shop);
    await unguardWhereNobodyIs(source);
    report({ forgotten: shop });
  });
}

async function between(
  { shop, sourceUrl, targetUrl }: Move,
  work: (cells: Cells, standing: { here: FenceState; there: FenceState }) => Promise<void>,
): Promise<void> {
  const source = await openCell(sourceUrl, shop);
  try {
    const target = await openCell(targetUrl, shop);
    try {
      const [here, there] = await Promise.all([readFenceState(source, shop), readFenceState(target, shop)]);
      await work({ source, target }, { here, there });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function setFence(cell: CellDatabase, shop: string, fence: FenceState): Promise<void> {
  await cell.query(noRows, `UPDATE "Merchant" SET fence = $2 WHERE shop = $1`, [shop, fence]);
}

const text = z.object({ row: z.string() });

/** The other cell knows from now on that the shop comes; what it had of it before is replaced. */
async function copyMerchant({ source, target }: Cells, shop: string): Promise<void> {
  const [merchant] = await source.query(
    text,
    `SELECT (to_jsonb(m) || '{"fence": "arriving"}')::text AS row FROM "Merchant" AS m WHERE shop = $1`,
    [shop],
  );
  await target.transaction(async (query) => {
    await query(noRows, `DELETE FROM "Merchant" WHERE shop = $1 AND fence IN ('gone', 'arriving')`, [shop]);
    await query(
      noRows,
      `INSERT INTO "Merchant" SELECT * FROM json_populate_record(NULL::"Merchant", $1::json)`,
      [merchant?.row],
    );
  });
}

const moments = z.object({ at: z.string() });

/** What was restored from a backup here may lack plans that the service has: that stays true of the copy. */
async function copyRestores({ source, target }: Cells): Promise<void> {
  for (const { at } of await source.query(moments, `SELECT at::text AS at FROM "Restore"`))
    await target.query(noRows, `INSERT INTO "Restore" (at) VALUES ($1::timestamptz) ON CONFLICT DO NOTHING`, [
      at,
    ]);
}

/** The moment from which the other cell serves the shop. */
async function open({ source, target }: Cells, move: Move): Promise<void> {
  const { shop, report } = move;
  await target.transaction(async (query) => {
    await query(noRows, `UPDATE "Merchant" SET fence = NULL WHERE shop = $1 AND fence = 'arriving'`, [shop]);
    await releaseJobs(query, shop);
  });
  report({ opened: shop });
  await finish(source, move);
}

async function finish(source: CellDatabase, { shop, report }: Move): Promise<void> {
  await deleteJobs(source, shop);
  report({ moved: shop });
}

/** Leaves the merchant's name alone, which says that another cell serves it. */
async function emptyCell(cell: CellDatabase, shop: string): Promise<void> {
  await deleteJobs(cell, shop);
  for (const { name } of (await shopTables(cell.query)).toReversed()) await deleteRows(cell, name, shop);
  await cell.transaction(async (query) => {
    await query(noRows, `DELETE FROM "Merchant" WHERE shop = $1`, [shop]);
    await query(noRows, `INSERT INTO "Merchant" (shop, fence, "updatedAt") VALUES ($1, 'gone', now())`, [
      shop,
    ]);
  });
}

const closed = z.object({ closed: z.boolean() });

async function unguardWhereNobodyIs(cell: CellDatabase): Promise<void> {
  const [row] = await cell.query(
    closed,
    `SELECT EXISTS (SELECT FROM "Merchant" WHERE fence IN ('closed', 'moved')) AS closed`,
  );
  if (row && !row.closed) await unguardTables(cell);
}

const shops = z.object({ shop: z.string() });

/** The shops that a cell serves, for the proxy's map. */
export async function shopsServedHere(url: string): Promise<string[]> {
  const cell = await openCell(url, "");
  try {
    const rows = await cell.query(shops, `SELECT shop FROM "Merchant" WHERE fence IS NULL ORDER BY shop`);
    return rows.map(({ shop }) => shop);
  } finally {
    await cell.close();
  }
}
