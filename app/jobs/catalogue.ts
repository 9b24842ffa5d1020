/**
 * The catalogue of jobs: name, payload, retries and deadline of each. Handlers are joined to them in app/worker.ts.
 *
 * The queue's own defaults lose work (two retries, no delay, no heartbeat), so every job states its policy here.
 */
import { z } from "zod";

export const jobNames = ["platform-event", "catalogue-sync"] as const;
export type JobName = (typeof jobNames)[number];

/** What each job carries, besides its merchant. */
const payloads = {
  "platform-event": z.object({ shop: z.string(), eventId: z.string() }),
  "catalogue-sync": z.object({ shop: z.string(), runId: z.string() }),
} satisfies Record<JobName, z.ZodType>;
export type JobPayloads = { [Name in JobName]: z.infer<(typeof payloads)[Name]> };

export interface JobDefinition<Payload> {
  payload: z.ZodType<Payload>;
  /** how long one attempt may take */
  expireInSeconds: number;
  retryLimit: number;
  /** the first delay; it doubles, with jitter, up to `retryDelayMax` */
  retryDelay: number;
  retryDelayMax: number;
  /** how many at once in one process */
  concurrency: number;
  /** how many of one merchant at once in one process, so that none delays another */
  merchantConcurrency: number;
  /** `key_strict_fifo`: jobs with the same key run one after another, in order; `stately`: one queued, one active */
  policy: "standard" | "key_strict_fifo" | "stately";
}

/** Grows from seconds to an hour and ends after more than three days: 2 s × 2^n up to 1 h, then hourly. */
const forDays = { retryLimit: 90, retryDelay: 2, retryDelayMax: 3_600 };

export const jobs: { [Name in JobName]: JobDefinition<JobPayloads[Name]> } = {
  /** Works off one event of the platform that the webhook route stored. */
  "platform-event": {
    payload: payloads["platform-event"],
    expireInSeconds: 300,
    ...forDays,
    concurrency: 16,
    merchantConcurrency: 8,
    policy: "standard",
  },
  /** Writes the catalogue of references into the shop. */
  "catalogue-sync": {
    payload: payloads["catalogue-sync"],
    expireInSeconds: 3_600,
    retryLimit: 5,
    retryDelay: 5,
    retryDelayMax: 300,
    concurrency: 2,
    merchantConcurrency: 1,
    policy: "standard",
  },
};
