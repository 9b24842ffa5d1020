/**
 * A process that only runs jobs (`npm run worker`). Any number of them can run beside web processes, on a PostgreSQL
 * server.
 */
import { stopQueue } from "#app/jobs/queue.server.ts";
import { startWorker } from "#app/jobs/worker.server.ts";
import { database } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { jobHandlers } from "./job-handlers.server.ts";
import { startOperations, stopOperations } from "./start-operations.server.ts";

await startOperations();
await startWorker(jobHandlers);
log.info("worker up");

async function shutDown(): Promise<void> {
  await stopQueue();
  await stopOperations();
  await database.close();
  process.exit(0);
}
process.once("SIGTERM", () => void shutDown());
process.once("SIGINT", () => void shutDown());
