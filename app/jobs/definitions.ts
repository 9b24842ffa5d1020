/**
 * The catalogue of jobs: name, payload, retries and deadline of each. Their handlers are in
 * app/processes/job-handlers.server.ts.
 *
 * The queue's own defaults lose work (two retries, no delay, no heartbeat), so every job states its policy here.
 */
import { z } from "zod";

export const jobNames = [
  "webhook",
  "product-webhooks",
  "order",
  "account-probe",
  "reconciliation",
  "hourly",
  "catalogue-sync",
  "product-categories",
  "storefront-settings",
  "status-word",
  "analytics-import",
  "claim-changes",
  "mail",
  "flow",
] as const;
export type JobName = (typeof jobNames)[number];

/** The hourly tasks. Each is a separate job, so a blocked one does not delay the others. */
export const hourlyTasks = [
  "catalogue-runs",
  "failed-webhooks",
  "reconciliations",
  "due-orders",
  "paused-accounts",
  "retention",
  "abandoned-shops",
  "shop-erasures",
  "claims",
  "imports",
  "reports",
] as const;
export type HourlyTask = (typeof hourlyTasks)[number];

/** The payload of each job. */
const payloads = {
  webhook: z.object({ shop: z.string(), inboxId: z.string() }),
  "product-webhooks": z.object({ shop: z.string() }),
  order: z.object({ shop: z.string(), orderId: z.string() }),
  "account-probe": z.object({ shop: z.string(), environment: z.enum(["test", "production"]) }),
  reconciliation: z.object({ shop: z.string(), runId: z.string() }),
  /** without a task: the scheduled job, which sends one job for each task */
  hourly: z.object({ task: z.enum(hourlyTasks).optional() }),
  "catalogue-sync": z.object({ shop: z.string(), runId: z.string() }),
  "product-categories": z.object({ shop: z.string(), runId: z.string() }),
  "storefront-settings": z.object({ shop: z.string() }),
  "analytics-import": z.object({ shop: z.string(), importId: z.string() }),
  "claim-changes": z.object({ shop: z.string() }),
  "status-word": z.object({
    shop: z.string(),
    environment: z.enum(["test", "production"]),
    word: z.string(),
  }),
  mail: z.object({ shop: z.string(), mailId: z.string() }),
  flow: z.object({
    shop: z.string(),
    handle: z.string(),
    payload: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  }),
} satisfies Record<JobName, z.ZodType>;
export type JobPayloads = { [Name in JobName]: z.infer<(typeof payloads)[Name]> };

export interface JobDefinition<Payload> {
  payload: z.ZodType<Payload>;
  /** time limit of one attempt */
  expireInSeconds: number;
  retryLimit: number;
  /** the first retry delay; it doubles, with jitter, up to `retryDelayMax` */
  retryDelay: number;
  retryDelayMax: number;
  /**
   * concurrent jobs in one process: enough for other merchants while the insurer does not respond for several. Long
   * jobs give up their slot after a while (worker.server.ts, `isTimeSliceUsed`), or have more slots because they
   * mostly wait
   */
  concurrency: number;
  /** concurrent jobs of one merchant in all processes, so that a merchant does not delay others */
  merchantConcurrency: number;
  /**
   * thousands of one merchant's jobs may wait: only the next ones are fetched, the others form its backlog
   * (queue-tables.server.ts)
   */
  hasBacklogs?: true;
  /** `short`: at most one job per key waits, any number run; `stately`: one waits, one runs */
  policy: "standard" | "short" | "stately";
  /** the job's schedule (UTC), once for all processes */
  cron?: string;
}

/**
 * Exponential backoff from seconds to ten minutes, for more than three days (2 s × 2^n, then 441 × 10 min). After an
 * outage every waiting job is retried within ten minutes.
 */
const forDays = { retryLimit: 450, retryDelay: 2, retryDelayMax: 600 };

export const jobs: { [Name in JobName]: JobDefinition<JobPayloads[Name]> } = {
  /**
   * Processes one stored webhook (product webhooks have their own job). Webhooks of one order run concurrently and out
   * of order: `upsertOrder` merges them, the order's lease (issuing/working-order.server.ts) serialises the work. A FIFO
   * queue would block a cancellation behind a failing creation.
   */
  webhook: {
    payload: payloads["webhook"],
    expireInSeconds: 300,
    ...forDays,
    concurrency: 32,
    merchantConcurrency: 8,
    hasBacklogs: true,
    policy: "standard",
  },
  /**
   * Processes all of a shop's pending product webhooks together. One job waits, and also processes those that arrive
   * before it runs.
   */
  "product-webhooks": {
    payload: payloads["product-webhooks"],
    expireInSeconds: 900,
    ...forDays,
    concurrency: 4,
    merchantConcurrency: 1,
    policy: "short",
  },
  /** Runs the reconciler for an order: after a wait, a person's decision, a repair, or when the order is due. */
  order: {
    payload: payloads.order,
    expireInSeconds: 300,
    ...forDays,
    concurrency: 32,
    merchantConcurrency: 8,
    hasBacklogs: true,
    policy: "short",
  },
  /** Probes a paused account every 15 s until the insurer accepts it, then releases its waiting orders. */
  "account-probe": {
    payload: payloads["account-probe"],
    expireInSeconds: 300,
    retryLimit: 20_000,
    retryDelay: 2,
    retryDelayMax: 15,
    concurrency: 16,
    merchantConcurrency: 1,
    policy: "short",
  },
  /** Processes a shop's orders page by page: reconciliation, backfill. Resumes at its last position. */
  reconciliation: {
    payload: payloads["reconciliation"],
    expireInSeconds: 6 * 3_600,
    ...forDays,
    concurrency: 2,
    merchantConcurrency: 1,
    policy: "standard",
  },
  /** Starts the hourly tasks. */
  hourly: {
    payload: payloads.hourly,
    expireInSeconds: 600,
    retryLimit: 3,
    retryDelay: 30,
    retryDelayMax: 300,
    concurrency: 4,
    merchantConcurrency: 4,
    policy: "stately",
    cron: "7 * * * *",
  },
  /** Writes the catalogue of references into the shop. */
  "catalogue-sync": {
    payload: payloads["catalogue-sync"],
    expireInSeconds: 3_600,
    retryLimit: 5,
    retryDelay: 5,
    retryDelayMax: 300,
    concurrency: 6,
    merchantConcurrency: 1,
    policy: "standard",
  },
  /** Reads the shop's products, applies the category rules and writes each product's category. */
  "product-categories": {
    payload: payloads["product-categories"],
    expireInSeconds: 3_600,
    retryLimit: 5,
    retryDelay: 5,
    retryDelayMax: 300,
    concurrency: 6,
    merchantConcurrency: 1,
    policy: "standard",
  },
  /** Writes the storefront's settings into the shop if the direct write failed, and stops or resumes the sale. */
  "storefront-settings": {
    payload: payloads["storefront-settings"],
    expireInSeconds: 300,
    ...forDays,
    concurrency: 2,
    merchantConcurrency: 1,
    policy: "short",
  },
  /** Reads the orders again whose contracts have a status that the merchant explained. */
  "status-word": {
    payload: payloads["status-word"],
    expireInSeconds: 3_600,
    ...forDays,
    concurrency: 2,
    merchantConcurrency: 1,
    policy: "standard",
  },
  /** Imports the organisation's sales and commissions. Resumes after an interrupted attempt. */
  "analytics-import": {
    payload: payloads["analytics-import"],
    expireInSeconds: 4 * 3_600,
    retryLimit: 5,
    retryDelay: 5,
    retryDelayMax: 300,
    concurrency: 2,
    merchantConcurrency: 1,
    policy: "standard",
  },
  /** Lists a shop's claims and announces their changes. It mostly waits for the insurer. */
  "claim-changes": {
    payload: payloads["claim-changes"],
    expireInSeconds: 600,
    retryLimit: 3,
    retryDelay: 5,
    retryDelayMax: 300,
    concurrency: 8,
    merchantConcurrency: 1,
    policy: "stately",
  },
  /** Sends a mail of the outbox, which limits the attempts itself (app/outbox/outbox.server.ts). */
  mail: {
    payload: payloads.mail,
    expireInSeconds: 120,
    ...forDays,
    concurrency: 4,
    merchantConcurrency: 2,
    policy: "stately",
  },
  /** Starts workflows of Shopify Flow. It has no retry, because that could start them twice. */
  flow: {
    payload: payloads.flow,
    expireInSeconds: 120,
    retryLimit: 0,
    retryDelay: 1,
    retryDelayMax: 1,
    concurrency: 4,
    merchantConcurrency: 2,
    policy: "standard",
  },
};
