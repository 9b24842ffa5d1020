/**
 * Runs jobs: joins each handler to its queue with the concurrency that the catalogue of jobs states.
 */
import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { z } from "zod";
import { log, withRequestId } from "#app/platform/log.server.ts";
import { jobNames, jobs } from "./catalogue.ts";
import type { JobName, JobPayloads } from "./catalogue.ts";
import { jobQueue } from "./queue.server.ts";

/** One handler per job; the worker is only complete with all of them. */
export type JobHandlers = {
  [Name in JobName]: (payload: JobPayloads[Name], context: JobContext) => Promise<void>;
};

export interface JobContext {
  /** aborted when the attempt has run out of time or the process is stopping */
  signal: AbortSignal;
}

const carrier = z.object({ requestId: z.string().optional() });

export async function startWorker(handlers: JobHandlers): Promise<void> {
  const queue = await jobQueue();
  for (const name of jobNames) {
    for (let slot = 0; slot < jobs[name].concurrency; slot++) await openSlot(queue, name, handlers[name]);
  }
}

/**
 * One slot works off one job at a time. Left to itself the library waits for its next poll after each job; a slot
 * that has just worked wakes itself instead, so a backlog drains without a pause and an idle slot costs a poll in
 * five seconds. Batches would do without the trick, but one slow merchant would hold back a whole batch.
 */
async function openSlot<Name extends JobName>(
  queue: PgBoss,
  name: Name,
  handler: JobHandlers[Name],
): Promise<void> {
  const { payload, merchantConcurrency } = jobs[name];
  // The first job may run before its slot's name is known here; the next poll makes up for that one.
  const opened: { slot?: string } = {};
  opened.slot = await queue.work<unknown>(
    name,
    {
      batchSize: 1,
      localConcurrency: 1,
      groupConcurrency: merchantConcurrency,
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 5,
    },
    async ([job]) => {
      if (opened.slot !== undefined) queue.notifyWorker(opened.slot);
      if (!job) return;
      const requestId = carrier.parse(job.data).requestId ?? randomUUID();
      await withRequestId(requestId, async () => {
        try {
          await handler(payload.parse(job.data), { signal: job.signal });
        } catch (error) {
          log.warn({ err: error, job: name, id: job.id }, "job failed");
          throw error;
        }
      });
    },
  );
}
