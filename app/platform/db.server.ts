/**
 * The process's single database. Importing this module opens it. It applies pending migrations, except in production:
 * there `npm run operate -- migrate` does it once for all processes.
 */
import { join } from "node:path";
import { z } from "zod";
import { type Database, type DatabaseOptions, openDatabase } from "./database.server.ts";
import { DatabaseUnreachableError } from "./database-errors.ts";
import { EmbeddedDatabaseError, startCluster } from "./embedded-database.server.ts";
import { env } from "./env.server.ts";
import { MigrationsMissingError } from "./migrations.server.ts";
import { Prisma } from "./prisma/client.ts";
import { processParts } from "./process-parts.server.ts";

/** The environment variable that names the database: a server, or the folder of the embedded one. */
export const databaseVariable = env.DATABASE_URL === undefined ? "DATA_DIR" : "DATABASE_URL";

async function open(): Promise<Database> {
  const options: DatabaseOptions = {
    variable: databaseVariable,
    directUrl: env.DATABASE_DIRECT_URL,
    pool: env.DATABASE_POOL,
    queuePool: env.QUEUE_POOL,
    statementTimeoutSeconds: env.STATEMENT_TIMEOUT_SECONDS,
    lockTimeoutSeconds: env.LOCK_TIMEOUT_SECONDS,
    migrates: env.NODE_ENV !== "production",
  };
  if (env.DATABASE_URL !== undefined) return openDatabase(env.DATABASE_URL, options);
  const cluster = await startCluster({ folder: join(env.DATA_DIR, "postgres") });
  const opened = await openDatabase(cluster.url("postgres"), options);
  return {
    ...opened,
    async close() {
      await opened.close();
      await cluster.stop();
    },
  };
}

async function openOrStop(): Promise<Database> {
  try {
    return await open();
  } catch (error) {
    const isExplained = [DatabaseUnreachableError, MigrationsMissingError, EmbeddedDatabaseError].some(
      (explained) => error instanceof explained,
    );
    if (!(error instanceof Error) || !isExplained) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

export const database = await (processParts.database ??= openOrStop());
export const db = database.prisma;

/** The client inside `db.$transaction(async (tx) => …)`. */
export type Transaction = Parameters<Parameters<typeof db.$transaction>[0]>[0];

const clock = z.tuple([z.object({ now: z.coerce.date() })]);

/** The database's clock, for times that several processes compare. */
export async function databaseNow(): Promise<Date> {
  return clock.parse(await db.$queryRaw`SELECT now() AS now`)[0].now;
}

/** Whether a statement failed because another row has the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}

/** Rows per statement, which then takes well under a second, also with large rows. */
const STEP_SIZE = 2_000;

/**
 * Repeats a statement until it changes fewer rows than its limit. Each one is short, and other statements run in
 * between.
 * @param step changes rows up to its limit, and returns their number
 * @returns the total number
 * @throws the signal's reason, between two statements
 */
export async function inSmallSteps(
  step: (size: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    signal?.throwIfAborted();
    const changed = await step(STEP_SIZE);
    total += changed;
    if (changed < STEP_SIZE) return total;
  }
}
