/** A process that only runs jobs (`npm run worker`). Any number of them can run beside the web processes. */
import { startWorker } from "#app/jobs/worker.server.ts";
import { log } from "#app/platform/log.server.ts";
import { drain, startOperations } from "./start-and-end.server.ts";
import { jobHandlers } from "./job-handlers.server.ts";

await startOperations();
await startWorker(jobHandlers);
log.info("Worker started");

async function shutDown(): Promise<void> {
  process.exit((await drain()) ? 0 : 1);
}
process.once("SIGTERM", () => void shutDown());
process.once("SIGINT", () => void shutDown());
