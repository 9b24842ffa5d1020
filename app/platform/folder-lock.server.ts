/**
 * PGlite takes no lock on its folder: two processes that open one folder both succeed and one side's rows vanish.
 * So we take one, and it names the process that holds it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import lockfile from "proper-lockfile";

/** Another process has the embedded database open. */
export class FolderInUseError extends Error {
  override name = "FolderInUseError";
}

/**
 * @returns a function that releases the lock; a killed process's lock goes stale after 10 seconds
 * @throws FolderInUseError naming the other process
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const holder = join(folder, "holder.txt");
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(folder, {
      lockfilePath: join(folder, "lock"),
      stale: 10_000,
      // A restart right after a kill finds the old lock fresh: wait until it is known to be stale.
      retries: { retries: 12, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 },
    });
  } catch (cause) {
    const by = await readFile(holder, "utf8").catch(() => "another process");
    throw new FolderInUseError(
      `The embedded database in ${folder} is in use by ${by.trim()}. It serves one process: stop that one, or name a PostgreSQL server in DATABASE_URL.`,
      { cause },
    );
  }
  await writeFile(holder, `process ${process.pid} (started ${new Date().toISOString()})\n`);
  return release;
}
