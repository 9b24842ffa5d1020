/** Opens and migrates the app's database. */
import { Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { ConstructorOptions } from "pg-boss";
import { connectionProblem, DatabaseUnreachableError, serverOf } from "./database-errors.ts";
import { applyMigrations, requireMigrations } from "./migrations.server.ts";
import type { Sql } from "./migrations.server.ts";
import { PrismaClient } from "./prisma/client.ts";

export interface Database {
  prisma: PrismaClient;
  /** The queue's connection to the same database. */
  queue: ConstructorOptions;
  /** The connection pool of pages and jobs. */
  pool: pg.Pool;
  /** The address of that pool's server. */
  url: string;
  close(): Promise<void>;
}

/**
 * Each statement has a limit of its own. With the library's timeout of 5 seconds per transaction, a busy server could
 * never store a large order. The pool may take longer to connect than the library's maxWait of 2 seconds.
 */
const transactionOptions = { maxWait: 10_000, timeout: 60_000 };

/** The options of the database (env.server.ts explains each). */
export interface DatabaseOptions {
  /** the environment variable that names the server; default: DATABASE_URL */
  variable?: string;
  directUrl: string | undefined;
  pool: number;
  queuePool: number;
  statementTimeoutSeconds: number;
  lockTimeoutSeconds: number;
  /** applies missing migrations; otherwise they must have been applied */
  migrates: boolean;
}

/** Opens the database. @throws DatabaseUnreachableError, MigrationsMissingError, and errors of applyMigrations */
export async function openDatabase(connectionString: string, options: DatabaseOptions): Promise<Database> {
  const direct = options.directUrl ?? connectionString;
  const variable = options.directUrl === undefined ? options.variable : "DATABASE_DIRECT_URL";
  if (options.migrates) await migrateDatabase(direct, undefined, variable);
  else await withSession(direct, variable, (sql) => requireMigrations(sql));
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
  // pg-boss passes all options to its pool, but its types lack `stream`.
  const queue = { connectionString: direct, max: options.queuePool, stream };
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return {
    prisma,
    pool,
    url: connectionString,
    queue,
    close: () => prisma.$disconnect(),
  };
}

/** How much longer than a statement's limit a connection may be silent. The pool closes idle ones earlier. */
const SILENCE_BEYOND_STATEMENT_S = 5;

/**
 * Creates sockets that end after a silence longer than a statement's limit. If the server's machine is lost, the
 * operating system would keep sending for a quarter of an hour (docs/decisions/0012-one-database.md).
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
 * Applies the pending migrations.
 * @param url without PgBouncer, because a session holds a lock
 * @param variable the environment variable with this address
 * @returns the names of the applied migrations
 */
export function migrateDatabase(url: string, folder?: string, variable?: string): Promise<string[]> {
  return withSession(url, variable, (sql) => applyMigrations(sql, folder));
}

async function withSession<T>(
  connectionString: string,
  variable: string | undefined,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: "parasol-migrate" });
  try {
    await client.connect();
  } catch (cause) {
    throw new DatabaseUnreachableError(
      `Parasol cannot start: the PostgreSQL server ${serverOf(connectionString)} (${variable ?? "DATABASE_URL"}) ${connectionProblem(cause)}.`,
      { cause },
    );
  }
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
