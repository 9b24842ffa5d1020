/** The end of a process that has jobs and a database. */
import { setTimeout as wait } from "node:timers/promises";
import { stopQueue } from "#app/jobs/queue.server.ts";
import { database } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { stopOperations } from "./start-operations.server.ts";

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
