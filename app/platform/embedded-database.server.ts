/**
 * Opens the embedded database: PGlite, PostgreSQL in the process, in a folder. Loaded where there is no server alone: it
 * takes memory.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { fromPglite } from "pg-boss";
import { PrismaPGlite } from "pglite-prisma-adapter";
import type { Database } from "./database.server.ts";
import { lockFolder } from "./folder-lock.server.ts";
import { applyMigrations } from "./migrations.server.ts";
import { exitOnPanic } from "./panic.server.ts";
import { PrismaClient } from "./prisma/client.ts";

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
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) });
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
