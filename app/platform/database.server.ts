/** The database as the app has it, and how it is opened and migrated. */
import { Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { ConstructorOptions } from "pg-boss";
import { applyMigrations, requireMigrations } from "./migrations.server.ts";
import type { Sql } from "./migrations.server.ts";
import { PrismaClient } from "./prisma/client.ts";

export interface Database {
  prisma: PrismaClient;
  /** How the queue reaches the same database. */
  queue: ConstructorOptions;
  /** The connections of pages and jobs. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * Each statement has its own limit. Within the library's 5 seconds for all of them, a large order could never be stored
 * on a busy server; and longer than the library's 2 seconds the pool itself waits for a connection.
 */
const transactionOptions = { maxWait: 10_000, timeout: 60_000 };

/** How the database is used (env.server.ts says what each is for). */
export interface DatabaseOptions {
  directUrl: string | undefined;
  pool: number;
  queuePool: number;
  statementTimeoutSeconds: number;
  lockTimeoutSeconds: number;
  /** applies missing migrations; otherwise they have to be there */
  migrates: boolean;
}

/** Opens the database. @throws MigrationsMissingError, and what applyMigrations throws */
export async function openDatabase(connectionString: string, options: DatabaseOptions): Promise<Database> {
  const direct = options.directUrl ?? connectionString;
  if (options.migrates) await migrateDatabase(direct);
  else await withSession(direct, (sql) => requireMigrations(sql));
  // PgBouncer refuses connections that set timeouts.
  const timeouts =
    options.directUrl === undefined
      ? {
          statement_timeout: options.statementTimeoutSeconds * 1_000,
          lock_timeout: options.lockTimeoutSeconds * 1_000,
        }
      : {};
  const stream = endingWhenSilent(options.statementTimeoutSeconds);
  const pool = new pg.Pool({
    connectionString,
    ...timeouts,
    max: options.pool,
    connectionTimeoutMillis: 4_000,
    stream,
  });
  // pg-boss hands all of it on to its pool, and does not name `stream` in its types.
  const queue = { connectionString: direct, max: options.queuePool, stream };
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return {
    prisma,
    pool,
    queue,
    close: () => prisma.$disconnect(),
  };
}

/** How much longer than a statement may take a connection may be silent. Idle ones are closed sooner, by the pool. */
const SILENCE_BEYOND_STATEMENT_S = 5;

/**
 * Connections that end once nothing has come or gone for longer than a statement may take. A server whose machine is lost
 * says nothing, and the system goes on sending to it for a quarter of an hour (docs/decisions/0012-one-database.md).
 */
function endingWhenSilent(statementTimeoutSeconds: number): () => Socket {
  const seconds = statementTimeoutSeconds + SILENCE_BEYOND_STATEMENT_S;
  return () => {
    const socket = new Socket();
    return socket.setTimeout(seconds * 1_000, () => {
      socket.destroy(new Error(`The database timed out: nothing received for ${seconds} s`));
    });
  };
}

/**
 * Brings the database's schema up to date.
 * @param url without PgBouncer in between: a session holds a lock
 * @returns the names of the applied migrations
 */
export function migrateDatabase(url: string, folder?: string): Promise<string[]> {
  return withSession(url, (sql) => applyMigrations(sql, folder));
}

async function withSession<T>(connectionString: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: "parasol-migrate" });
  await client.connect();
  try {
    return await work({
      exec: async (sql) => {
        await client.query(sql);
      },
      query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    });
  } finally {
    await client.end();
  }
}
