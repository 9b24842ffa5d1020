/**
 * PGlite takes no lock on its folder: two processes that open one folder both succeed and one side's rows vanish.
 * So we take one, and it names the process that holds it.
 */
import { AppError } from "./app-error.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import lockfile from "proper-lockfile";

/** Another process has the embedded database open. */
export class FolderInUseError extends AppError {
  override name = "FolderInUseError";
}

/** A killed process's lock goes stale after this long. */
const STALE_MS = 10_000;

/**
 * @returns a function that releases the lock
 * @throws FolderInUseError naming the other process
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const holderFile = join(folder, "holder.txt");
  for (let waitedMs = 0; ; waitedMs += 1_000) {
    try {
      const release = await lockfile.lock(folder, { lockfilePath: join(folder, "lock"), stale: STALE_MS });
      await writeFile(holderFile, `${process.pid} started ${new Date().toISOString()}\n`);
      return release;
    } catch (cause) {
      const holder = await readFile(holderFile, "utf8").catch(() => "");
      // A restart right after a kill finds the dead process's lock still fresh: it is waited out. In a container a
      // dead process may have had our own number.
      const pid = Number(/^\d+/.exec(holder)?.[0]);
      if (waitedMs < STALE_MS + 2_000 && (pid === process.pid || !isRunning(pid))) {
        await wait(1_000);
        continue;
      }
      throw new FolderInUseError(
        `The embedded database in ${folder} is in use by process ${holder.trim()}. It serves one process: stop that one, or name a PostgreSQL server in DATABASE_URL.`,
        { cause },
      );
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return Number.isInteger(pid) && process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
