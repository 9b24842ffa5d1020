/**
 * Closes a shop's tables: triggers refuse every write of its rows, also of a job or request that began before and does not
 * know that the shop is moved. They are there only while a shop is closed or its copy is kept; nobody else pays for them.
 */
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { CannotMoveError, noRows } from "./cell-database.server.ts";
import type { CellDatabase } from "./cell-database.server.ts";
import type { ShopTable } from "./shop-tables.server.ts";

// After the row is written: its transaction has a number by then, which `waitForOtherTransactions` waits for.
const FUNCTION = `CREATE OR REPLACE FUNCTION refuse_moved_shop() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named TEXT := CASE WHEN TG_OP = 'DELETE' THEN OLD.shop ELSE NEW.shop END;
BEGIN
  IF current_setting('parasol.moved_shop', true) IS DISTINCT FROM named
    AND EXISTS (SELECT FROM "Merchant" AS m WHERE m.shop = named AND m.fence IN ('closed', 'moved')) THEN
    RAISE EXCEPTION 'The shop % is moved to another cell', named;
  END IF;
  RETURN NULL;
END $$`;

/** A trigger makes everybody wait who writes the table, for as long as it waits itself. */
const LOCK_MS = 2_000;
const TRIES = 20;
const PAUSE_MS = 1_000;

const triggerRow = z.object({ table: z.string() });

/** @throws CannotMoveError where a long transaction holds a table */
export async function guardTables(cell: CellDatabase, tables: readonly ShopTable[]): Promise<void> {
  await cell.query(noRows, FUNCTION);
  const guarded = await guardedTables(cell);
  for (const { name } of tables.filter((table) => !guarded.has(table.name)))
    await withLockRetries(
      cell,
      `CREATE TRIGGER moved_shop AFTER INSERT OR UPDATE OR DELETE ON "${name}"
        FOR EACH ROW EXECUTE FUNCTION refuse_moved_shop()`,
    );
}

/** Opens the tables again, for every shop. */
export async function unguardTables(cell: CellDatabase): Promise<void> {
  for (const name of await guardedTables(cell))
    await withLockRetries(cell, `DROP TRIGGER moved_shop ON "${name}"`);
}

async function guardedTables({ query }: CellDatabase): Promise<Set<string>> {
  const found = await query(
    triggerRow,
    `SELECT relname AS table FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE tgname = 'moved_shop'`,
  );
  return new Set(found.map(({ table }) => table));
}

const LOCK_NOT_AVAILABLE = "55P03";

async function withLockRetries(cell: CellDatabase, sql: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await cell.transaction(async (query) => {
        await query(noRows, `SET LOCAL lock_timeout = ${LOCK_MS}`);
        await query(noRows, sql);
      });
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === TRIES) throw new CannotMoveError("A long transaction holds a table: try again later");
      await wait(PAUSE_MS);
    }
  }
}

const OTHERS_END_WITHIN_MS = 120_000;
const horizon = z.object({ next: z.string() });
const ended = z.object({ ended: z.boolean() });

/** Waits for the end of every transaction that has written by now: those that come later see what is committed now. */
export async function waitForOtherTransactions({ query }: CellDatabase): Promise<void> {
  const [now] = await query(horizon, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next");
  const until = performance.now() + OTHERS_END_WITHIN_MS;
  for (;;) {
    const [row] = await query(
      ended,
      "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 AS ended",
      [now?.next],
    );
    if (row?.ended) return;
    if (performance.now() > until)
      throw new CannotMoveError(
        "A transaction that writes does not end (pg_stat_activity): begin again when it has",
      );
    await wait(50);
  }
}
