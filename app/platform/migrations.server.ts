/**
 * Applies the pending migrations of prisma/migrations and records them in Prisma's own table, so that `prisma migrate
 * deploy` also knows them (docs/decisions/0013-migrations.md).
 */
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "./app-error.ts";

export interface Sql {
  /** Runs statements without parameters, in one simple query. */
  exec(sql: string): Promise<void>;
  query(sql: string): Promise<unknown[]>;
}

/** A migration was edited after it was applied. */
export class MigrationChangedError extends AppError {
  override name = "MigrationChangedError";
}

/** A migration failed and was rolled back. The migrations before it stay applied. */
export class MigrationFailedError extends AppError {
  override name = "MigrationFailedError";
}

/** The database is older than the code. */
export class MigrationsMissingError extends AppError {
  override name = "MigrationsMissingError";
}

interface Migration {
  name: string;
  text: string;
  /** SHA-256 of the file, in hex, as Prisma records it */
  checksum: string;
}

const FOLDER = "prisma/migrations";

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

/** The advisory lock of `prisma migrate`: one process migrates, the others wait. */
const LOCK = 72707369;

/** While a migration waits for a table's lock, every query of that table waits too. */
const LOCK_TIMEOUT = "5s";

const appliedRows = z.array(z.object({ migration_name: z.string(), checksum: z.string() }));
const existsRow = z.tuple([z.object({ exists: z.boolean() })]);

/**
 * @returns the names of the applied migrations
 * @throws MigrationChangedError, MigrationFailedError
 */
export async function applyMigrations(sql: Sql, folder = FOLDER): Promise<string[]> {
  // The role's timeouts are for pages and jobs.
  await sql.exec("SET statement_timeout = 0; SET lock_timeout = 0");
  await sql.exec(`SELECT pg_advisory_lock(${LOCK})`);
  try {
    await sql.exec(TABLE);
    const pending = await findPending(sql, folder);
    for (const migration of pending) await apply(sql, migration);
    return pending.map(({ name }) => name);
  } finally {
    await sql.exec(`SELECT pg_advisory_unlock(${LOCK})`);
  }
}

/**
 * Refuses a database that is older than this code. A newer one is accepted. @throws MigrationsMissingError,
 * MigrationChangedError
 */
export async function requireMigrations(sql: Sql): Promise<void> {
  const [{ exists }] = existsRow.parse(
    await sql.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists"),
  );
  const pending = exists ? await findPending(sql, FOLDER) : await readMigrations(FOLDER);
  if (pending.length === 0) return;
  const names = pending.map(({ name }) => name).join(", ");
  throw new MigrationsMissingError(
    `Parasol cannot start: the database lacks the migrations of this version (${names}). Run npm run operate -- migrate first, once for all processes.`,
  );
}

async function findPending(sql: Sql, folder: string): Promise<Migration[]> {
  const rows = appliedRows.parse(
    await sql.query(`SELECT migration_name, checksum FROM _prisma_migrations
      WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL`),
  );
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const migrations = await readMigrations(folder);
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed !== undefined) {
    throw new MigrationChangedError(
      `The migration ${changed.name} differs from the one that this database has. Before the first release: delete the database (.data/) and start again; afterwards: restore the file.`,
    );
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(join(folder, name, "migration.sql"), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function apply(sql: Sql, { name, text, checksum }: Migration): Promise<void> {
  const record = `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
    VALUES ('${randomUUID()}', '${checksum}', now(), '${name}', 1)`;
  try {
    await sql.exec(`BEGIN;\nSET LOCAL lock_timeout = '${LOCK_TIMEOUT}';\n${text}\n;${record};\nCOMMIT;`);
  } catch (error) {
    await sql.exec("ROLLBACK");
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationFailedError(
      `Failed to apply the migration ${name}, which was rolled back: ${reason}`,
      {
        cause: error,
      },
    );
  }
}
