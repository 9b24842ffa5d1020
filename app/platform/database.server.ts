/**
 * Opens the database: a PostgreSQL server by address, or PGlite (PostgreSQL in the process) in a folder.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { fromPglite } from "pg-boss";
import type { ConstructorOptions } from "pg-boss";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { lockFolder } from "./folder-lock.server.ts";
import { applyMigrations, requireMigrations } from "./migrations.server.ts";
import type { MigrationOptions, Sql } from "./migrations.server.ts";
import { exitOnPanic } from "./panic.server.ts";
import { PrismaClient } from "./prisma/client.ts";

export interface Database {
  prisma: PrismaClient;
  kind: "server" | "embedded";
  /** How the queue reaches the same database. */
  queue: ConstructorOptions;
  /** The connections of pages and jobs; null: embedded, in the process itself. */
  pool: pg.Pool | null;
  close(): Promise<void>;
}

/** How a PostgreSQL server is used (env.server.ts says what each is for). */
export interface ServerOptions {
  directUrl: string | undefined;
  pool: number;
  queuePool: number;
  statementTimeoutSeconds: number;
  lockTimeoutSeconds: number;
  /** applies missing migrations; otherwise they have to be there */
  migrates: boolean;
}

export interface EmbeddedOptions {
  /** `memory:`, or undefined for the folder */
  url: string | undefined;
  dataDir: string;
}

/** Opens the embedded database and brings its schema up to date. @throws FolderInUseError, MigrationChangedError */
export async function openEmbedded({ url, dataDir }: EmbeddedOptions): Promise<Database> {
  return url === "memory:" ? openPglite(await PGlite.create()) : openFolder(join(dataDir, "postgres"));
}

/** Opens a PostgreSQL server's database. @throws MigrationsMissingError, and what applyMigrations throws */
export async function openServer(connectionString: string, options: ServerOptions): Promise<Database> {
  const direct = options.directUrl ?? connectionString;
  if (options.migrates) await migrateServer(direct);
  else await withSession(direct, (sql) => requireMigrations(sql));
  // PgBouncer refuses connections that ask for timeouts.
  const timeouts =
    options.directUrl === undefined
      ? {
          statement_timeout: options.statementTimeoutSeconds * 1_000,
          lock_timeout: options.lockTimeoutSeconds * 1_000,
        }
      : {};
  const pool = new pg.Pool({
    connectionString,
    ...timeouts,
    max: options.pool,
    connectionTimeoutMillis: 4_000,
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
  return {
    prisma,
    kind: "server",
    pool,
    queue: { connectionString: direct, max: options.queuePool },
    close: () => prisma.$disconnect(),
  };
}

/**
 * Brings the schema of a PostgreSQL server's database up to date.
 * @param url without PgBouncer in between: a session holds a lock
 * @returns the names of what was applied
 */
export function migrateServer(url: string, options?: Omit<MigrationOptions, "watcher">): Promise<string[]> {
  return withSession(url, (sql) =>
    withSession(url, (watcher) => applyMigrations(sql, { ...options, watcher })),
  );
}

async function withSession<T>(connectionString: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: "parasol-migrate" });
  await client.connect();
  try {
    return await work({
      exec: async (sql) => {
        await client.query(sql);
      },
      query: async (sql, values) => (await client.query<Record<string, unknown>>(sql, values)).rows,
    });
  } finally {
    await client.end();
  }
}

async function openFolder(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  return openPglite(await PGlite.create(join(folder, "data")), unlock);
}

async function openPglite(pglite: PGlite, unlock?: () => Promise<void>): Promise<Database> {
  exitOnPanic(pglite);
  await applyMigrations({
    exec: async (sql) => {
      await pglite.exec(sql);
    },
    query: async (sql, values) => (await pglite.query(sql, values)).rows,
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
