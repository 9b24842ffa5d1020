/** How long the slowest statement and the longest transaction were, as the database says. */
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { z } from "zod";

const slowest = z.tuple([z.object({ ms: z.coerce.number() })]);
const oldest = z.tuple([z.object({ ms: z.coerce.number().nullable() })]);

export interface Watched<Result> {
  result: Result;
  seconds: number;
  /** milliseconds */
  statement: number;
  /** milliseconds, checked every twenty */
  transaction: number;
}

export async function watch<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Watched<Result>> {
  await client.query("SELECT pg_stat_statements_reset()");
  const started = performance.now();
  const end = new AbortController();
  const working = work().finally(() => end.abort());
  let transaction = 0;
  while (!end.signal.aborted) {
    const { rows } = await client.query(
      `SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) * 1000 AS ms FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    transaction = Math.max(transaction, oldest.parse(rows)[0].ms ?? 0);
    await wait(20);
  }
  const result = await working;
  const seconds = (performance.now() - started) / 1_000;
  const { rows } = await client.query(
    `SELECT max(max_exec_time) AS ms FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return { result, seconds, statement: slowest.parse(rows)[0].ms, transaction };
}
