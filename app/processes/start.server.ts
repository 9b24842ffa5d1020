/**
 * Starts the worker in the web process, unless it runs in processes of its own.
 */
import { stopQueue } from "#app/jobs/queue.server.ts";
import { startWorker } from "#app/jobs/worker.server.ts";
import { database } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { jobHandlers } from "./job-handlers.server.ts";
import { startOperations, stopOperations } from "./start-operations.server.ts";

declare global {
  // See app/platform/db.server.ts: once a process, however often the development server evaluates this module.
  var parasolWorker: Promise<void> | undefined;
}

await startOperations();
if (env.WORKER === "inline") await (globalThis.parasolWorker ??= startWorker(jobHandlers));

/** Lets running jobs finish, within ten seconds, and closes the database. */
export async function drain(): Promise<void> {
  await stopQueue();
  await stopOperations();
  await database.close();
}
