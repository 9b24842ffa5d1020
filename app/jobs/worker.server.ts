/**
 * Runs jobs: joins each handler to its queue with the concurrency that the catalogue of jobs states.
 */
import { randomUUID } from "node:crypto";
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
  for (const name of jobNames) await listen(name, handlers[name]);
}

async function listen<Name extends JobName>(name: Name, handler: JobHandlers[Name]): Promise<void> {
  const { payload, concurrency, merchantConcurrency } = jobs[name];
  const queue = await jobQueue();
  await queue.work<unknown>(
    name,
    {
      batchSize: 1,
      localConcurrency: concurrency,
      localGroupConcurrency: merchantConcurrency,
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 5,
    },
    async (batch) => {
      for (const job of batch) {
        const requestId = carrier.parse(job.data).requestId ?? randomUUID();
        await withRequestId(requestId, async () => {
          try {
            await handler(payload.parse(job.data), { signal: job.signal });
          } catch (error) {
            log.warn({ err: error, job: name, id: job.id }, "job failed");
            throw error;
          }
        });
      }
    },
  );
}
