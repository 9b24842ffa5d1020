/**
 * Opens the embedded database: PGlite, PostgreSQL in the process, in a folder. Loaded where there is no server alone: it
 * takes memory.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { fromPglite } from "pg-boss";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { type Database, transactionOptions } from "./database.server.ts";
import { applyMigrations } from "./migrations.server.ts";
import { PrismaClient } from "#app/platform/prisma/client.ts";
import { AppError } from "./app-error.ts";
import { setTimeout as wait } from "node:timers/promises";
import lockfile from "proper-lockfile";
import { log } from "./log.server.ts";

export interface EmbeddedOptions {
  /** `memory:`, or undefined for the folder */
  url: string | undefined;
  dataDir: string;
}

/**
 * All its buffers are in memory from the start: by itself it takes 128 MB of them. What does not fit is read from its
 * files, which the system keeps in memory as far as there is room.
 */
const START_PARAMETERS = [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB"];

/** Opens the embedded database and brings its schema up to date. @throws FolderInUseError, MigrationChangedError */
export async function openEmbedded({ url, dataDir }: EmbeddedOptions): Promise<Database> {
  return url === "memory:"
    ? openPglite(await PGlite.create({ startParams: START_PARAMETERS }))
    : openFolder(join(dataDir, "postgres"));
}

async function openFolder(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  return openPglite(await PGlite.create(join(folder, "data"), { startParams: START_PARAMETERS }), unlock);
}

async function openPglite(pglite: PGlite, unlock?: () => Promise<void>): Promise<Database> {
  exitOnPanic(pglite);
  await applyMigrations({
    exec: async (sql) => {
      await pglite.exec(sql);
    },
    query: async (sql) => (await pglite.query(sql)).rows,
  });
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite), transactionOptions });
  return {
    prisma,
    kind: "embedded",
    pool: null,
    queue: { db: fromPglite(pglite), backend: "pglite" },
    close: async () => {
      await prisma.$disconnect();
      await pglite.close();
      await unlock?.();
    },
  };
}

// PGlite takes no lock on its folder: two processes that open one folder both succeed and one side's rows vanish.
// So we take one, and it names the process that holds it.

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

// An embedded database that cannot write its log any more (disk full) panics, and its next statement would hang the
// process forever. A server would restart itself; here the process exits, so that its supervisor restarts it with what
// was written. Nothing is acknowledged meanwhile.

const fatalSeverities = new Set<unknown>(["PANIC", "FATAL"]);

/** Exits the process as soon as the database has panicked, before the next statement. */
export function exitOnPanic(pglite: PGlite): void {
  const execProtocol = pglite.execProtocol.bind(pglite);
  const execProtocolStream = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocol = async (...given) => execProtocol(...given).catch(exitIfPanicked);
  pglite.execProtocolStream = async (...given) => execProtocolStream(...given).catch(exitIfPanicked);
}

function exitIfPanicked(error: unknown): never {
  if (
    typeof error === "object" &&
    error !== null &&
    "severity" in error &&
    fatalSeverities.has(error.severity)
  ) {
    log.fatal({ err: error }, "the embedded database panicked: the process exits to be restarted");
    process.exit(1);
  }
  throw error;
}
