/** A shop's jobs while it is moved: held at the source, copied, and let go where the shop is served. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { HELD } from "#app/jobs/definitions.ts";
import { noRows } from "./cell-database.server.ts";
import type { CellDatabase, Query } from "./cell-database.server.ts";
import type { Cells } from "./copy-rows.server.ts";

const OF_SHOP = "data->>'shop' = $1";
const IS_HELD = `priority <= ${-HELD / 2}`;
const LOOK_EVERY_MS = 200;
const JOBS_AT_ONCE = 1_000;

const running = z.object({ running: z.int() });
const page = z.object({ rows: z.string().nullable(), last: z.string().nullable() });

/** Nobody begins a job that waits. */
export async function holdJobs({ query }: CellDatabase, shop: string): Promise<void> {
  await query(
    noRows,
    `UPDATE pgboss.job SET priority = priority - ${HELD} WHERE ${OF_SHOP} AND state < 'active' AND NOT ${IS_HELD}`,
    [shop],
  );
}

/** They go on. @param query part of the transaction that opens the shop */
export async function releaseJobs(query: Query, shop: string): Promise<void> {
  await query(noRows, `UPDATE pgboss.job SET priority = priority + ${HELD} WHERE ${OF_SHOP} AND ${IS_HELD}`, [
    shop,
  ]);
}

/**
 * Holds what waits until nothing runs.
 * @returns how many ran still when the patience was over: what they write later is refused
 */
export async function waitForJobs(cell: CellDatabase, shop: string, jobTimeoutMs: number): Promise<number> {
  const until = performance.now() + jobTimeoutMs;
  for (;;) {
    await holdJobs(cell, shop);
    const [left] = await cell.query(
      running,
      `SELECT count(*)::int AS running FROM pgboss.job WHERE ${OF_SHOP} AND state = 'active'`,
      [shop],
    );
    if (left?.running === 0 || performance.now() > until) return left?.running ?? 0;
    await wait(LOOK_EVERY_MS);
  }
}

/**
 * Copies what has not ended, held, and the dead letters. One that runs is tried again there. Of jobs of which one with a
 * key may wait, one does.
 */
export async function copyJobs({ source, target }: Cells, shop: string): Promise<void> {
  await deleteJobs(target, shop);
  for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
    const [found] = await source.query(
      page,
      `WITH page AS (
        SELECT * FROM pgboss.job WHERE ${OF_SHOP} AND state <= 'active' AND id > $2::uuid ORDER BY id LIMIT ${JOBS_AT_ONCE})
      SELECT json_agg(CASE WHEN state = 'active'
          THEN to_jsonb(job) || jsonb_build_object('state', 'retry', 'priority', priority - ${HELD},
            'started_on', NULL, 'heartbeat_on', NULL)
          ELSE to_jsonb(job) END)::text AS rows, max(id::text) AS last
      FROM page AS job`,
      [shop, after],
    );
    if (!found?.rows || found.last === null) return;
    await target.query(
      noRows,
      `INSERT INTO pgboss.job SELECT * FROM json_populate_recordset(NULL::pgboss.job, $1::json) ON CONFLICT DO NOTHING`,
      [found.rows],
    );
    after = found.last;
  }
}

export async function deleteJobs({ query }: CellDatabase, shop: string): Promise<void> {
  await query(noRows, `DELETE FROM pgboss.job WHERE ${OF_SHOP}`, [shop]);
}
