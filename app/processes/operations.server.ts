/**
 * The operators' own port: `/metrics` for Prometheus, `/livez` for the supervisor that restarts a stuck process. It has
 * no authentication, so it listens on an address that the public cannot reach (app/platform/env.server.ts).
 */
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { collectDefaultMetrics, Gauge } from "prom-client";
import { countCircuits } from "#app/insurance/limits.ts";
import { queueBacklog } from "#app/jobs/queue-tables.server.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { workerIdleMs } from "#app/jobs/worker.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { database } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { metrics } from "#app/platform/metrics.server.ts";
import { createBoundedServer } from "./bounded-server.ts";
import { countOverdue } from "./overdue.server.ts";

/** Thirty polls of the queue. Long jobs do not count: the worker polls while they run. */
const STALLED_AFTER_MS = 60_000;

/**
 * Probes send few and small requests. Without these limits, one client could hold all connections and the probe would
 * fail.
 */
const limits = {
  connections: 50,
  headersMs: 2_000,
  requestMs: 2_000,
  idleMs: 5_000,
  stalledMs: 10_000,
  checkMs: 1_000,
};

export interface OperationsOptions {
  host: string;
  /** 0 means any free port */
  port: number;
  stalledAfterMs?: number;
}

export interface OperationsServer {
  port: number;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  contentType?: string;
  body: string;
}

export async function serveOperations({
  host,
  port,
  stalledAfterMs = STALLED_AFTER_MS,
}: OperationsOptions): Promise<OperationsServer> {
  const answers: Partial<Record<string, () => Promise<Answer>>> = {
    "/metrics": async () => ({ status: 200, ...(await exposition()) }),
    "/livez": () => Promise.resolve(liveness(stalledAfterMs)),
  };
  const server = createBoundedServer(limits, ({ method, url = "" }, response) => {
    const answer = method === "GET" ? answers[url] : undefined;
    const answered: Promise<Answer> = answer ? answer() : Promise.resolve({ status: 404, body: "" });
    answered.then(
      ({ status, body, contentType = "text/plain; charset=utf-8" }) =>
        response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" }).end(body),
      (error: unknown) => {
        log.error({ err: error }, "Failed to answer a request of the metrics");
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new AppError("The metrics have no port");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** In a process without a worker, any response shows that the process is alive. */
function liveness(stalledAfterMs: number): Answer {
  const idleMs = workerIdleMs();
  if (idleMs === null || idleMs < stalledAfterMs) return { status: 200, body: "alive\n" };
  return {
    status: 503,
    body: `the worker has not looked for work for ${Math.round(idleMs / 1_000)} seconds\n`,
  };
}

/** The process queries the database at most once in this time, however often metrics are scraped. */
const READ_AGAIN_AFTER_MS = 10_000;

/** Prometheus waits ten seconds. A process that waits longer for its database would look dead itself. */
const DATABASE_ANSWERS_WITHIN_MS = 5_000;

const { registry } = metrics;
const registers = [registry];

const deadLetters = new Gauge({
  name: "parasol_dead_letters",
  help: "Jobs that used up their retries, of all shops; 10,000 means that many or more",
  registers,
});
const queueReady = new Gauge({
  name: "parasol_queue_ready",
  help: "Jobs that are due and wait for a place",
  labelNames: ["job"],
  registers,
});
const queueOldest = new Gauge({
  name: "parasol_queue_oldest_seconds",
  help: "For how long the first job in the queue has been due",
  labelNames: ["job"],
  registers,
});
const overdue = new Gauge({
  name: "parasol_items_overdue",
  help: "Paid items without a contract after `after` seconds; 10,000 means 10,000 or more",
  labelNames: ["after"],
  registers,
});
const reconciliationLag = new Gauge({
  name: "parasol_reconciliation_lag_seconds",
  help: "Age of the oldest change of an order that no hourly reconciliation has checked",
  registers,
});

/** The database query in flight, if any. */
let asking: Promise<void> | null = null;

async function readDatabase(): Promise<void> {
  const [backlog, late] = await Promise.all([queueBacklog(), countOverdue()]);
  deadLetters.set(backlog.deadLetters);
  for (const { job, ready, oldestSeconds } of backlog.queues) {
    queueReady.set({ job }, ready);
    queueOldest.set({ job }, oldestSeconds);
  }
  overdue.set({ after: "60" }, late.promised);
  overdue.set({ after: "900" }, late.latest);
  reconciliationLag.set(late.reconciliationLagSeconds);
}

/** @returns 1 if the database has answered in time; otherwise 0, and the gauges are empty */
async function askDatabase(): Promise<number> {
  try {
    asking ??= readDatabase().finally(() => (asking = null));
    const tooLate = new AppError(`The database timed out after ${DATABASE_ANSWERS_WITHIN_MS} ms`);
    await Promise.race([
      asking,
      wait(DATABASE_ANSWERS_WITHIN_MS, undefined, { ref: false }).then(() => Promise.reject(tooLate)),
    ]);
    return 1;
  } catch (error) {
    log.warn(
      { err: error },
      "Failed to read the metrics of the database; its gauges are NaN until the next scrape",
    );
    // A stale or missing figure would look healthy.
    for (const gauge of [deadLetters, reconciliationLag]) gauge.set(NaN);
    for (const gauge of [queueReady, queueOldest, overdue]) gauge.reset();
    return 0;
  }
}

let read: { at: number; result: Promise<number> } | undefined;

const databaseUp = new Gauge({
  name: "parasol_database_up",
  help: "1 where the database answered the statements behind these metrics",
  registers,
});

/** Queries the database for its gauges, unless it has just done so. */
async function refresh(): Promise<void> {
  if (!read || performance.now() - read.at > READ_AGAIN_AFTER_MS) {
    read = { at: performance.now(), result: askDatabase() };
  }
  databaseUp.set(await read.result);
}

/** The metrics as Prometheus reads them. */
export async function exposition(): Promise<{ contentType: string; body: string }> {
  await refresh();
  return { contentType: registry.contentType, body: await registry.metrics() };
}

// Memory, processor time, garbage collection, the event loop's lag.
collectDefaultMetrics({ register: registry });

new Gauge({
  name: "parasol_circuits",
  help: "Accounts at the insurer by the state of their circuit breaker in this process",
  labelNames: ["state"],
  registers,
  collect() {
    for (const [state, count] of Object.entries(countCircuits())) this.set({ state }, count);
  },
});

new Gauge({
  name: "parasol_worker_idle_seconds",
  help: "How long ago the worker of this process last looked for work",
  registers,
  collect() {
    const idleMs = workerIdleMs();
    this.set(idleMs === null ? NaN : idleMs / 1_000);
  },
});

new Gauge({
  name: "parasol_database_connections",
  help: "Connections to the database: in use, and requests that wait for one",
  labelNames: ["pool", "state"],
  registers,
  async collect() {
    const queueDatabase = (await jobQueue()).getDb();
    const pools = { app: database.pool, queue: "pool" in queueDatabase ? queueDatabase.pool : null };
    for (const [name, pool] of Object.entries(pools)) {
      if (!(pool instanceof pg.Pool)) continue;
      this.set({ pool: name, state: "in_use" }, pool.totalCount - pool.idleCount);
      this.set({ pool: name, state: "idle" }, pool.idleCount);
      this.set({ pool: name, state: "waiting" }, pool.waitingCount);
    }
  },
});
