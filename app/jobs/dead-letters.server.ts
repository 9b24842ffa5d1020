/** Replays dead letters: the queue keeps each job that failed at its last attempt with its payload. */
import type { RedriveFilter } from "pg-boss";
import type { DeadLetterChoice } from "./queue-tables.server.ts";
import { DEAD_LETTER } from "./queue-tables.server.ts";
import { jobQueue } from "./queue.server.ts";

/** How many one statement moves. */
const REDRIVE_BATCH_SIZE = 1_000;

/** Sends all that the filter matches again. @returns how many were sent */
async function redriveAll(filter: Pick<RedriveFilter, "data" | "ids" | "sourceName">): Promise<number> {
  const queue = await jobQueue();
  // A job that fails again meanwhile is not replayed by the same act.
  const createdBefore = new Date();
  let moved = 0;
  for (;;) {
    const count = await queue.redrive(DEAD_LETTER, { ...filter, createdBefore, limit: REDRIVE_BATCH_SIZE });
    moved += count;
    if (count < REDRIVE_BATCH_SIZE) return moved;
  }
}

/** Sends them again, those that are there by now. @returns how many were sent */
export async function replayChosen({ job, shop, id }: DeadLetterChoice): Promise<number> {
  return redriveAll({
    ...(job === undefined ? {} : { sourceName: job }),
    ...(shop === undefined ? {} : { data: { shop } }),
    ...(id === undefined ? {} : { ids: [id] }),
  });
}
