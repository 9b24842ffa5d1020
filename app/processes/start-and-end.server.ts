/**
 * Starts and ends what every process with jobs and a database shares: jobs, database, metrics and traces. The modules
 * of metrics and traces load only if the environment configures them.
 */
import { setTimeout as wait } from "node:timers/promises";
import { stopQueue } from "#app/jobs/queue.server.ts";
import { database, databaseVariable } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { watchDatabase } from "#app/platform/database-watch.server.ts";
import { log } from "#app/platform/log.server.ts";
import { processParts } from "#app/platform/process-parts.server.ts";
import { version } from "#app/platform/version.ts";

type Stop = () => Promise<void>;

/** Call this before the first job runs. */
export async function startOperations(): Promise<void> {
  await (processParts.operations ??= startAll());
}

async function startAll(): Promise<Stop[]> {
  const { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  log.info({ version }, `Parasol ${version} starts`);
  const watch = watchDatabase({ variable: databaseVariable, connectionString: database.url });
  processParts.databaseWatch = watch;
  const stops: Stop[] = [() => watch.stop()];
  if (endpoint !== undefined) {
    const { exportTraces } = await import("./trace-export.server.ts");
    stops.push(exportTraces(endpoint));
  }
  if (port !== undefined) {
    const { serveOperations } = await import("./operations.server.ts");
    const server = await serveOperations({ port, host }).catch((error: unknown) => {
      stopIfTaken(error, "METRICS_PORT", port);
      throw error;
    });
    stops.push(() => server.close());
  }
  return stops;
}

/** Ends the process with one sentence if the port is in use. */
export function stopIfTaken(error: unknown, variable: string, port: number): void {
  if (!(error instanceof Error) || !("code" in error)) return;
  const reason =
    error.code === "EADDRINUSE"
      ? "another process uses it"
      : error.code === "EACCES"
        ? "this user may not"
        : null;
  if (reason === null) return;
  process.stderr.write(`Parasol cannot start: failed to listen on port ${port} (${variable}): ${reason}.\n`);
  process.exit(1);
}

/** Why this process cannot serve; null: it can. */
export function whyNotReady(): string | null {
  return processParts.databaseWatch?.problem() ?? null;
}

async function stopOperations(): Promise<void> {
  const stops = (await processParts.operations) ?? [];
  await Promise.all(stops.map((stop) => stop()));
}

/**
 * Running jobs have 8.5 seconds (app/jobs/worker.server.ts) and the queue has one; the rest is for closing the
 * database.
 */
const LIMIT_MS = 12_000;

/**
 * Lets running jobs finish and closes the database. If the database does not answer it gives up; another process
 * resumes the jobs after their claims expire.
 * @returns whether everything finished in time; the process may exit either way
 */
export async function drain(): Promise<boolean> {
  const done = await Promise.race([close(), wait(LIMIT_MS, false)]);
  if (!done)
    log.error("Failed to close the database connections in time: the process stops without its answer");
  return done;
}

async function close(): Promise<true> {
  await stopQueue();
  await stopOperations();
  await database.close();
  return true;
}
