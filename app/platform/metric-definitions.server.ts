/**
 * The definitions of the Prometheus metrics. Labels come from fixed lists: a shop or an external value could grow
 * without limit.
 */
import { Counter, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** Includes the bounds of both objectives: 60 seconds and 15 minutes. */
const LAG_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];
const CALL_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800];

/** The main reason for a plan's delay. */
const waitedFor = ["insurer", "person", "report"] as const;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const created = {
    registry,
    webhooks: new Counter({
      name: "parasol_webhooks_total",
      help: "Requests to the webhook endpoint, by topic and outcome",
      labelNames: ["topic", "outcome"],
      registers,
    }),
    webhookStoredLag: new Histogram({
      name: "parasol_webhook_stored_lag_seconds",
      help: "From what Shopify says of when it happened to the event being stored",
      buckets: LAG_SECONDS,
      registers,
    }),
    webhookDoneLag: new Histogram({
      name: "parasol_webhook_done_lag_seconds",
      help: "From Shopify's time of the event to its processing; without product events",
      buckets: LAG_SECONDS,
      registers,
    }),
    jobDuration: new Histogram({
      name: "parasol_job_duration_seconds",
      help: "Attempts of jobs, by job and whether they failed",
      labelNames: ["job", "outcome"],
      buckets: JOB_SECONDS,
      registers,
    }),
    planDelay: new Histogram({
      name: "parasol_plan_delay_seconds",
      help: "From an order's payment to a contract in force, by what it waited for",
      labelNames: ["waited_for"],
      buckets: LAG_SECONDS,
      registers,
    }),
    insurerCalls: new Histogram({
      name: "parasol_insurer_call_duration_seconds",
      help: "Calls to the insurer with their repetitions, by endpoint and outcome",
      labelNames: ["endpoint", "outcome"],
      buckets: CALL_SECONDS,
      registers,
    }),
    adminRequests: new Counter({
      name: "parasol_admin_api_requests_total",
      help: "Requests to the Admin API, by outcome",
      labelNames: ["outcome"],
      registers,
    }),
    adminCost: new Counter({
      name: "parasol_admin_api_points_total",
      help: "Query cost points of the Admin API that were used",
      registers,
    }),
  };
  // Prometheus does not see an increase if a counter first appears with its first event.
  for (const each of waitedFor) created.planDelay.zero({ waited_for: each });
  return created;
}
