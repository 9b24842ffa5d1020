/**
 * Starts the worker in the web process, unless it runs in processes of its own.
 */
import { startWorker } from "#app/jobs/worker.server.ts";
import { env } from "#app/platform/env.server.ts";
import { jobHandlers } from "./job-handlers.server.ts";
import { startOperations } from "./start-operations.server.ts";

declare global {
  // See app/platform/db.server.ts: once a process, however often the development server evaluates this module.
  var parasolWorker: Promise<void> | undefined;
}

await startOperations();
if (env.WORKER === "inline") await (globalThis.parasolWorker ??= startWorker(jobHandlers));
