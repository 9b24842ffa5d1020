/** The migrations of prisma/migrations, as files. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "./app-error.ts";

export interface Migration {
  name: string;
  text: string;
  /** SHA-256 of the file, in hex, as Prisma records it */
  checksum: string;
  /** the index that the file makes or drops without a transaction; null: the file runs in one */
  concurrentIndex: string | null;
}

/** A file with CONCURRENTLY that could not be run twice. */
export class MigrationNotRepeatableError extends AppError {
  override name = "MigrationNotRepeatableError";
}

/**
 * One statement: the server runs several in a transaction, which it refuses for this one. It can be repeated, because
 * it may have been carried out without being recorded.
 */
const CONCURRENTLY =
  /^(?:CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS|DROP INDEX CONCURRENTLY IF EXISTS) "(\w+)"[^;]*;?$/;

/** @throws MigrationNotRepeatableError */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name, "migration.sql"), "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      return { name, text, checksum, concurrentIndex: concurrentIndexOf(name, text) };
    }),
  );
}

function concurrentIndexOf(name: string, text: string): string | null {
  const statement = text.replaceAll(/--.*$/gm, "").trim();
  if (!/\bCONCURRENTLY\b/i.test(statement)) return null;
  const index = CONCURRENTLY.exec(statement)?.[1];
  if (index === undefined) {
    throw new MigrationNotRepeatableError(
      `The migration ${name} has to be one statement: CREATE INDEX CONCURRENTLY IF NOT EXISTS "…" or DROP INDEX CONCURRENTLY IF EXISTS "…"`,
    );
  }
  return index;
}
