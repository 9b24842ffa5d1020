/** Runs before all tests that need a database: one is made and migrated once, and tests begin from a copy. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { migratedDatabase } from "./migrated.ts";

/** @returns what puts it away; nothing where another project has made it already */
export default async function migrate(): Promise<(() => Promise<void>) | undefined> {
  if (migratedDatabase()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "parasol-migrated-"));
  await promisify(execFile)(process.execPath, ["test/migrated-database.ts", folder]);
  // The workers that run the tests inherit the environment.
  process.env["MIGRATED_DATABASE"] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
