/** The worker: one consumer per queue, with its handler and the concurrency of its definition. */
import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { z } from "zod";
import { log, withLogContext } from "#app/platform/log.server.ts";
import { metrics } from "#app/platform/metrics.server.ts";
import { inSpan } from "#app/platform/tracing.server.ts";
import { jobNames, jobs } from "./definitions.ts";
import type { JobName, JobPayloads } from "./definitions.ts";
import { onQueueStop, jobQueue, notifyChannel } from "./queue.server.ts";
import { createConsumer } from "./consumer.server.ts";
import type { Consumer } from "./consumer.server.ts";

/** A handler for every job: TypeScript reports a missing one. */
export type JobHandlers = {
  [Name in JobName]: (payload: JobPayloads[Name], context: JobContext) => Promise<void>;
};

export interface JobContext {
  /** aborted if the attempt times out, loses its claim, or the process stops */
  signal: AbortSignal;
  /**
   * the job's time slice is used up: a job that can continue later sends itself again and ends, so that other jobs
   * run
   */
  isTimeSliceUsed: () => boolean;
}

const TURN_MS = 2 * 60_000;

/** The optional data of every job: the sender's request and trace, and the subject. */
const jobData = z.object({
  requestId: z.string().optional(),
  traceparent: z.string().optional(),
  shop: z.string().optional(),
  orderId: z.string().optional(),
});

/** Timeout of the running jobs after the process has begun to stop. */
const SHUTDOWN_TIMEOUT_MS = 8_500;

/** The consumers of this process. */
let running: readonly Consumer[] = [];

/** Milliseconds since the last poll of this process's worker, for its slowest queue. Null: no worker runs here. */
export function workerIdleMs(): number | null {
  return running.length === 0 ? null : Math.max(...running.map((consumer) => consumer.idleMs()));
}

export async function startWorker(handlers: JobHandlers): Promise<void> {
  const queue = await jobQueue();
  const consumers = new Map<string, Consumer>();
  for (const name of jobNames) consumers.set(name, consume(queue, name, handlers[name]));
  running = [...consumers.values()];
  const wakeAll = () => {
    for (const consumer of consumers.values()) consumer.wake();
  };
  const listener = await queue
    .getDb()
    .listen?.(notifyChannel, (name) => consumers.get(name)?.wake(), wakeAll)
    .catch((error: unknown) => {
      log.warn({ err: error }, "Failed to listen for new jobs; the next poll finds them");
    });
  onQueueStop(async () => {
    await listener?.close();
    await Promise.all([...consumers.values()].map((consumer) => consumer.stop(SHUTDOWN_TIMEOUT_MS)));
  });
}

function consume<Name extends JobName>(queue: PgBoss, name: Name, handler: JobHandlers[Name]): Consumer {
  const { payload, concurrency, merchantConcurrency, hasBacklogs = false, policy } = jobs[name];
  // Prometheus does not see an increase if a counter first appears with its first event.
  for (const outcome of ["done", "failed"]) metrics.jobDuration.zero({ job: name, outcome });
  return createConsumer(queue, {
    name,
    concurrency,
    merchantConcurrency,
    hasBacklogs,
    coversOthers: policy === "stately",
    work: async (job, signal) => {
      const startedAt = performance.now();
      const isTimeSliceUsed = () => performance.now() - startedAt > TURN_MS;
      const { requestId = randomUUID(), traceparent, ...about } = jobData.parse(job.data);
      const span = {
        kind: "consumer",
        parent: { traceparent },
        attributes: { requestId, ...about },
      } as const;
      const perform = async () => {
        const ended = metrics.jobDuration.startTimer({ job: name });
        const durationMs = () => Math.round(performance.now() - startedAt);
        try {
          await handler(payload.parse(job.data), { signal, isTimeSliceUsed });
          ended({ outcome: "done" });
          log.info({ id: job.id, durationMs: durationMs() }, "Job done");
        } catch (error) {
          ended({ outcome: "failed" });
          log.warn(
            { err: error, id: job.id, durationMs: durationMs() },
            "Failed to process the job; the queue retries it or keeps it as a dead letter",
          );
          throw error;
        }
      };
      await withLogContext({ requestId, job: name, ...about }, () => inSpan(name, span, perform));
    },
  });
}
