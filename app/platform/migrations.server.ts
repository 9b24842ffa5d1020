/**
 * Applies the pending migrations of prisma/migrations at start and records them in Prisma's own table, name and
 * checksum, so that `prisma migrate deploy` agrees with what is there (docs/decisions/0002-toolchain.md).
 */
import { AppError } from "./app-error.ts";
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

export interface Sql {
  /** Runs statements without parameters, in one simple query. */
  exec(sql: string): Promise<void>;
  query(sql: string, values?: string[]): Promise<unknown[]>;
}

/** A migration that was applied has other text now. */
export class MigrationChangedError extends AppError {
  override name = "MigrationChangedError";
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

/**
 * @param folder the migrations, relative to where the app is started
 * @throws MigrationChangedError; what the database says where a migration fails (it is rolled back whole)
 */
export async function applyMigrations(sql: Sql, folder = "prisma/migrations"): Promise<void> {
  await sql.exec(`SELECT pg_advisory_lock(${LOCK})`);
  try {
    await sql.exec(TABLE);
    const applied = new Map(
      appliedRows
        .parse(
          await sql.query(
            "SELECT migration_name, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL",
          ),
        )
        .map((row) => [row.migration_name, row.checksum]),
    );
    for (const migration of await readMigrations(folder)) {
      const known = applied.get(migration.name);
      if (known === migration.checksum) continue;
      if (known !== undefined) {
        throw new MigrationChangedError(
          `The migration ${migration.name} was changed after it had been applied`,
        );
      }
      await sql
        .exec(
          `BEGIN;\n${migration.text}\n;
        INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
        VALUES ('${randomUUID()}', '${migration.checksum}', now(), '${migration.name}', 1);\nCOMMIT;`,
        )
        .catch(async (error: unknown) => {
          await sql.exec("ROLLBACK");
          throw error;
        });
    }
  } finally {
    await sql.exec(`SELECT pg_advisory_unlock(${LOCK})`);
  }
}

async function readMigrations(folder: string): Promise<{ name: string; text: string; checksum: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name, "migration.sql"), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}
