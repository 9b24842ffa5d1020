/** Where the migrated database of this test run is (test/database.setup.ts). */
import { cp } from "node:fs/promises";
import { join } from "node:path";

/** @returns undefined outside a test run: whoever opens a database then makes it */
export function migratedDatabase(): string | undefined {
  return process.env["MIGRATED_DATABASE"];
}

/** Where there is one, the app finds a copy of it in `dataDir`. */
export async function copyMigratedDatabase(dataDir: string): Promise<void> {
  const folder = migratedDatabase();
  if (folder !== undefined)
    await cp(join(folder, "postgres"), join(dataDir, "postgres"), { recursive: true });
}

/** The address of a database in memory, migrated where there is one to copy. */
export function memoryDatabase(): string {
  const folder = migratedDatabase();
  return folder === undefined ? "memory:" : `memory:${join(folder, "dump.tar")}`;
}
