/**
 * Runs jobs: joins each handler to its queue with the concurrency that the catalogue of jobs states.
 */
import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { z } from "zod";
import { log, withRequestId } from "#app/platform/log.server.ts";
import { jobNames, jobs } from "./definitions.ts";
import type { JobName, JobPayloads } from "./definitions.ts";
import { beforeQueueStops, jobQueue, notifyChannel } from "./queue.server.ts";
import { openTaker } from "./consumer.server.ts";
import type { Taker } from "./consumer.server.ts";

/** One handler per job; the worker is only complete with all of them. */
export type JobHandlers = {
  [Name in JobName]: (payload: JobPayloads[Name], context: JobContext) => Promise<void>;
};

export interface JobContext {
  /** aborted when the attempt has run out of time, has lost its claim, or the process is stopping */
  signal: AbortSignal;
}

const carrier = z.object({ requestId: z.string().optional() });

/** How long the running jobs may go on when the process is to end. */
const PATIENCE_MS = 8_500;

export async function startWorker(handlers: JobHandlers): Promise<void> {
  const queue = await jobQueue();
  const takers = new Map<string, Taker>();
  for (const name of jobNames) takers.set(name, open(queue, name, handlers[name]));
  const lookEverywhere = () => {
    for (const taker of takers.values()) taker.look();
  };
  const listening = await queue
    .getDb()
    .listen?.(notifyChannel, (name) => takers.get(name)?.look(), lookEverywhere)
    .catch((error: unknown) => {
      log.warn({ err: error }, "jobs are not announced: they are found by looking");
    });
  beforeQueueStops(async () => {
    await listening?.close();
    await Promise.all([...takers.values()].map((taker) => taker.end(PATIENCE_MS)));
  });
}

function open<Name extends JobName>(queue: PgBoss, name: Name, handler: JobHandlers[Name]): Taker {
  const { payload, concurrency, merchantConcurrency } = jobs[name];
  return openTaker(queue, {
    name,
    concurrency,
    merchantConcurrency,
    work: async (job, signal) => {
      const requestId = carrier.parse(job.data).requestId ?? randomUUID();
      await withRequestId(requestId, async () => {
        try {
          await handler(payload.parse(job.data), { signal });
        } catch (error) {
          log.warn({ err: error, job: name, id: job.id }, "job failed");
          throw error;
        }
      });
    },
  });
}
