/**
 * Applies the pending migrations of prisma/migrations and records them in Prisma's own table, name and checksum
 * (docs/decisions/0045-migrations.md).
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "./app-error.ts";
import { readMigrations } from "./migration-files.server.ts";
import type { Migration } from "./migration-files.server.ts";

export interface Sql {
  /** Runs statements without parameters, in one simple query. */
  exec(sql: string): Promise<void>;
  query(sql: string, values?: string[]): Promise<unknown[]>;
}

export interface MigrationOptions {
  /** the migrations, relative to where the app is started */
  folder?: string;
  /** another connection to the same server, which sees who is in the way */
  watcher?: Sql | undefined;
  timeouts?: MigrationTimeouts;
}

/** A migration that waits for a lock makes everybody behind it wait: it asks often, and never for long. */
export interface MigrationTimeouts {
  lockMs: number;
  tries: number;
  pauseMs: number;
  /** for what makes nobody else wait: an index made CONCURRENTLY, another process that migrates */
  idleMs: number;
}

const DEFAULT_TIMEOUTS: MigrationTimeouts = { lockMs: 2_000, tries: 20, pauseMs: 3_000, idleMs: 600_000 };

/** A migration that was applied has other text now. */
export class MigrationChangedError extends AppError {
  override name = "MigrationChangedError";
}

/** Somebody holds a lock that a migration needs. What was applied before it stays; the migration itself left nothing. */
export class MigrationBlockedError extends AppError {
  override name = "MigrationBlockedError";
}

/** The database is older than the code. */
export class MigrationsMissingError extends AppError {
  override name = "MigrationsMissingError";
}

// Prisma's own definition of its table.
const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** The advisory lock that `prisma migrate` takes too: several processes may start at once. */
const LOCK = 72707369;

const appliedRows = z.array(z.object({ migration_name: z.string(), checksum: z.string() }));
const found = z.tuple([z.object({ found: z.boolean() })]);
const pids = z.array(z.object({ pid: z.int() }));
const sessions = z.array(z.object({ session: z.string() }));
/** lock_not_available, deadlock_detected */
const lockError = z.object({ code: z.enum(["55P03", "40P01"]) });

/**
 * @returns the names of what was applied
 * @throws MigrationChangedError, MigrationNotRepeatableError, MigrationBlockedError; what the database says where a
 * migration fails (it is rolled back whole)
 */
export async function applyMigrations(
  sql: Sql,
  { folder = "prisma/migrations", watcher, timeouts = DEFAULT_TIMEOUTS }: MigrationOptions = {},
): Promise<string[]> {
  // The role may have timeouts that are meant for pages and jobs.
  await sql.exec("SET statement_timeout = 0; SET lock_timeout = 0");
  await takeTurn(sql, timeouts);
  try {
    await sql.exec(TABLE);
    const missing = await findMissing(sql, folder);
    for (const migration of missing) await apply(sql, migration, timeouts, watcher);
    return missing.map(({ name }) => name);
  } finally {
    await sql.exec(`SELECT pg_advisory_unlock(${LOCK})`);
  }
}

/** Whether the database has what this code needs. It may have more: the next version's. @throws MigrationsMissingError, MigrationChangedError */
export async function requireMigrations(sql: Sql, folder = "prisma/migrations"): Promise<void> {
  const [{ found: isThere }] = found.parse(
    await sql.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found"),
  );
  const missing = isThere ? await findMissing(sql, folder) : await readMigrations(folder);
  if (missing.length === 0) return;
  const [first, last] = [missing[0]?.name, missing.at(-1)?.name];
  const which =
    first === last ? `the migration ${first}` : `${missing.length} migrations (${first} to ${last})`;
  throw new MigrationsMissingError(
    `Parasol cannot start. The database lacks ${which}, which this version needs: run npm run operate -- migrate first, once for all processes.`,
  );
}

async function findMissing(sql: Sql, folder: string): Promise<Migration[]> {
  const rows = appliedRows.parse(
    await sql.query(`SELECT migration_name, checksum FROM _prisma_migrations
      WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL`),
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const missing: Migration[] = [];
  for (const migration of await readMigrations(folder)) {
    const known = applied.get(migration.name);
    if (known === undefined) missing.push(migration);
    else if (known !== migration.checksum) {
      throw new MigrationChangedError(
        `The migration ${migration.name} was changed after it had been applied`,
      );
    }
  }
  return missing;
}

/**
 * One process migrates at a time. The lock is asked for again and again: a statement that waited for it would hold a
 * snapshot, and an index made CONCURRENTLY waits for the end of all of them.
 */
async function takeTurn(sql: Sql, { idleMs, pauseMs }: MigrationTimeouts): Promise<void> {
  const until = performance.now() + idleMs;
  for (;;) {
    const [{ found: isOurs }] = found.parse(await sql.query(`SELECT pg_try_advisory_lock(${LOCK}) AS found`));
    if (isOurs) return;
    if (performance.now() > until) {
      const holders = pids.parse(
        await sql.query(
          `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ),
      );
      const who = holders.map(({ pid }) => `process ${pid} of the server`).join(", ");
      throw new MigrationBlockedError(`Another process is migrating this database: ${who}`);
    }
    await wait(Math.min(pauseMs, 500));
  }
}

async function apply(
  sql: Sql,
  migration: Migration,
  timeouts: MigrationTimeouts,
  watcher: Sql | undefined,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    const watch = watcher ? watchBlockers(watcher, await ownPid(sql)) : undefined;
    try {
      await (migration.concurrentIndex === null
        ? runInTransaction(sql, migration, timeouts)
        : runConcurrently(sql, migration, migration.concurrentIndex, timeouts));
      return;
    } catch (error) {
      if (!lockError.safeParse(error).success) throw error;
      const blockers = (await watch?.end()) ?? [];
      // What runs CONCURRENTLY has been patient already.
      if (tried === timeouts.tries || migration.concurrentIndex !== null) {
        throw new MigrationBlockedError(
          `The migration ${migration.name} was given up: ${blockers.join(", ") || "somebody"} holds what it needs. Wait for the end of that, or end it (SELECT pg_terminate_backend(…)), and run npm run migrate again`,
          { cause: error },
        );
      }
    } finally {
      await watch?.end();
    }
    await wait(timeouts.pauseMs);
  }
}

async function runInTransaction(
  sql: Sql,
  migration: Migration,
  { lockMs }: MigrationTimeouts,
): Promise<void> {
  try {
    await sql.exec(
      `BEGIN;\nSET LOCAL lock_timeout = ${lockMs};\n${migration.text}\n;${recordOf(migration)};\nCOMMIT;`,
    );
  } catch (error) {
    await sql.exec("ROLLBACK");
    throw error;
  }
}

/** Left unfinished before, the index is there but not valid: it is made anew. */
async function runConcurrently(
  sql: Sql,
  migration: Migration,
  index: string,
  { idleMs }: MigrationTimeouts,
): Promise<void> {
  await sql.exec(`SET lock_timeout = ${idleMs}`);
  try {
    const unfinished = await sql.query(
      "SELECT 1 AS one FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
      [`"${index}"`],
    );
    if (unfinished.length > 0) await sql.exec(`DROP INDEX CONCURRENTLY "${index}"`);
    await sql.exec(migration.text);
    await sql.exec(recordOf(migration));
  } finally {
    await sql.exec("SET lock_timeout = 0");
  }
}

function recordOf({ name, checksum }: Migration): string {
  return `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
    VALUES ('${randomUUID()}', '${checksum}', now(), '${name}', 1)`;
}

async function ownPid(sql: Sql): Promise<number> {
  const [row] = z
    .tuple([z.object({ pid: z.int() })])
    .parse(await sql.query("SELECT pg_backend_pid() AS pid"));
  return row.pid;
}

/** Looks again and again at who makes the session `pid` wait. `end` gives those seen last. */
function watchBlockers(watcher: Sql, pid: number): { end(): Promise<string[]> } {
  let blockers: string[] = [];
  let isOver = false;
  const look = async (): Promise<void> => {
    while (!isOver) {
      const rows = sessions.parse(
        await watcher.query(
          `SELECT format('process %s of the server (%s, %s, in a transaction since %s)', pid,
              coalesce(nullif(application_name, ''), usename), state, xact_start::timestamptz(0)) AS session
            FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1::int))`,
          [String(pid)],
        ),
      );
      if (rows.length > 0) blockers = rows.map(({ session }) => session);
      await wait(50);
    }
  };
  // Who cannot be seen is not named; the migration goes on.
  const looking = look().catch(() => undefined);
  return {
    async end() {
      isOver = true;
      await looking;
      return blockers;
    },
  };
}
