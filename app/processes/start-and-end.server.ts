/**
 * What every process with jobs and a database starts and ends: metrics and traces, where the environment configures them
 * (their modules are loaded only then), and the end of its jobs and of its database.
 */
import { setTimeout as wait } from "node:timers/promises";
import { stopQueue } from "#app/jobs/queue.server.ts";
import { database } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { processParts } from "#app/platform/process-parts.server.ts";

type Stop = () => Promise<void>;

/** To be called before the first job runs. */
export async function startOperations(): Promise<void> {
  await (processParts.operations ??= startAll());
}

async function startAll(): Promise<Stop[]> {
  const { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  const stops: Stop[] = [];
  if (endpoint !== undefined) {
    const { exportTraces } = await import("./trace-export.server.ts");
    stops.push(exportTraces(endpoint));
  }
  if (port !== undefined) {
    const { serveOperations } = await import("./operations.server.ts");
    const server = await serveOperations({ port, host });
    stops.push(() => server.close());
  }
  return stops;
}

async function stopOperations(): Promise<void> {
  const stops = (await processParts.operations) ?? [];
  await Promise.all(stops.map((stop) => stop()));
}

/** Running jobs have 8.5 seconds (app/jobs/worker.server.ts) and the queue one: the rest is for a database that answers. */
const LIMIT_MS = 12_000;

/**
 * Lets running jobs finish and closes the database. Without its answers it gives up: what was under way goes on in another
 * process, once its claim has run out.
 * @returns whether all of it was done in time; the process may end either way
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
