/**
 * From the paid order to the plan, on PostgreSQL, with the load generator and the stand-ins on the same machine. Its
 * parts are intake, iterationTrips, latency, drain, growth, each in a fresh database; BENCH_ORDERS is how many orders
 * are drained.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { z } from "zod";
import { eventually } from "#test/eventually.ts";
import { connect, serverUrl, steadyPort } from "#test/cluster.ts";
import { runProcess, startProcess } from "#test/faults/processes.ts";
import type { AppProcess } from "#test/faults/processes.ts";
import { openTestApp } from "#test/faults/stage.ts";
import type { TestApp } from "#test/faults/stage.ts";
import { httpAnswers, openProxy, postgresAnswers } from "#test/faults/proxy.ts";
import type { NewFault } from "#test/sandbox/faults.ts";
import { figure, median, runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { grow } from "./orders/grow.ts";
import { paidOrder } from "./orders/paid-order.ts";
import { Sender, drip, flood, percentile } from "./orders/load.ts";
import type { Webhook } from "./orders/load.ts";
import { processorSeconds } from "./orders/processor.ts";

const SERVICE_LATENCY_MS = 50;
/** The service as it is measured with. */
const slow: NewFault = { kind: "latency", ms: SERVICE_LATENCY_MS, times: null };
/** The configured concurrency for one merchant (app/jobs/definitions.ts). */
const MERCHANT_CONCURRENCY = 8;
/** An insured order calls the service twice: its plan, its record. */
const CALLS_PER_ORDER = 2;
const soon = { withinMs: 120_000, everyMs: 5 };

interface Bench {
  testApp: TestApp;
  client: pg.Client;
  url: string;
  secret: string;
  database: string;
  start(
    entry: "app/processes/server.ts" | "app/processes/worker.ts",
    env?: Record<string, string>,
  ): Promise<AppProcess>;
  /** an insured order's orders/paid, each with an id of its own */
  paid(): Webhook & { orderId: string };
}

export async function bench(): Promise<Figure[]> {
  const testApp = await openTestApp();
  // Webhooks are sent by the bench, so that they can be timed.
  testApp.shops[0].webhooks.behaviour.dropShare = 1;
  const inFreshDatabase = (part: (on: Bench) => Promise<Figure[]>) => async () => {
    const on = await openBench(testApp, testApp.webPort);
    const figures = await part(on);
    await on.client.end();
    return figures;
  };
  try {
    return await runParts({
      intake: inFreshDatabase(intake),
      iterationTrips: inFreshDatabase(iterationTrips),
      latency: inFreshDatabase(latency),
      drain: inFreshDatabase(drain),
      growth: () => growth(testApp),
    });
  } finally {
    await testApp.close();
  }
}

/** A fresh database, and the app's processes on it. */
async function openBench(testApp: TestApp, port: number): Promise<Bench> {
  const [shop] = testApp.shops;
  const database = serverUrl(testApp.postgresPort, await testApp.newServerDatabase());
  const client = await connect(database);
  const env = { LOG_LEVEL: "info", WORKER: "separate", DATABASE_URL: database, PORT: String(port) };
  return {
    testApp,
    client,
    database,
    url: `http://127.0.0.1:${port}`,
    secret: testApp.env["SHOPIFY_API_SECRET"] ?? "",
    start: (entry, more = {}) =>
      startProcess({
        entry,
        env: { ...testApp.env, ...env, ...more },
        logFile: `${testApp.folder}/bench.log`,
      }),
    paid: () => ({ topic: "orders/paid", shop: shop.shopDomain, ...paidOrder(testApp, shop) }),
  };
}

/** Requests per second of the intake, and of a bare route in the same run, alternately. */
async function intake(on: Bench): Promise<Figure[]> {
  const web = await on.start("app/processes/server.ts");
  const barePort = await steadyPort();
  const bare = await startProcess({
    entry: "test/bench/orders/bare.ts",
    env: { DATABASE_URL: on.database, SHOPIFY_API_SECRET: on.secret, PORT: String(barePort) },
    logFile: `${on.testApp.folder}/bare.log`,
  });
  const bareUrl = `http://127.0.0.1:${barePort}`;
  const webhook = on.paid();
  const pairs: { app: number; bare: number }[] = [];
  for (const url of [on.url, bareUrl]) await flood(url, on.secret, webhook, 2);
  for (let pair = 0; pair < 3; pair++) {
    const { rate: app } = await flood(on.url, on.secret, webhook, 5);
    const { rate: bareRate } = await flood(bareUrl, on.secret, webhook, 5);
    pairs.push({ app, bare: bareRate });
  }
  const app = median(pairs.map((pair) => pair.app));
  const ratio = median(pairs.map((pair) => pair.app / pair.bare));
  const half = await drip(on.url, on.secret, () => webhook, { seconds: 8, rate: app / 2 });
  const p99 = percentile(half.times, 0.99);
  await Promise.all([web.end(), bare.end()]);
  return [
    figure("intake: webhooks a second", app, "1/s"),
    figure("bare Fastify route, one row", median(pairs.map((pair) => pair.bare)), "1/s"),
    figure("intake ÷ bare route, median of 3", ratio, "ratio", "at least 0.4", ratio >= 0.4),
    figure("intake at half its rate, p99", p99, "ms", "under 100", p99 < 100 && half.failed === 0),
  ];
}

/** Statements that one paid, insured order costs, from the webhook to the recorded order. */
async function iterationTrips(on: Bench): Promise<Figure[]> {
  const [webProxy, workProxy] = await Promise.all(
    [0, 1].map(() => openProxy({ port: on.testApp.postgresPort }, postgresAnswers)),
  );
  const service = await openProxy({ port: Number(new URL(on.testApp.insurance.base_url).port) }, httpAnswers);
  if (!webProxy || !workProxy) throw new Error("No proxy");
  const through = (port: number) => ({ DATABASE_URL: on.database.replace(/:\d+\//, `:${port}/`) });
  const url = `http://127.0.0.1:${service.port}`;
  const web = await on.start("app/processes/server.ts", through(webProxy.port));
  const worker = await on.start("app/processes/worker.ts", {
    ...through(workProxy.port),
    INSURANCE_BASE_URL_TEST: url,
  });
  const sender = new Sender(on.url, on.secret, 1);
  const count = async (orders: number): Promise<{ web: number; work: number; service: number }> => {
    const before = { web: webProxy.answers(), work: workProxy.answers(), service: service.answers() };
    for (let each = 0; each < orders; each++) {
      const paid = on.paid();
      await sender.send(paid);
      await eventually(async () => (await recorded(on, paid.orderId)) === 1, "the recorded order", soon);
    }
    return {
      web: webProxy.answers() - before.web,
      work: workProxy.answers() - before.work,
      service: service.answers() - before.service,
    };
  };
  await count(5);
  const started = performance.now();
  const busy = await count(40);
  const seconds = (performance.now() - started) / 1_000;
  // The queue's queries while it is idle are no order's cost.
  const idleFrom = [webProxy.answers(), workProxy.answers()];
  await wait(20_000);
  const idle = [webProxy.answers() - (idleFrom[0] ?? 0), workProxy.answers() - (idleFrom[1] ?? 0)].map(
    (each) => each / 20,
  );
  await Promise.all([web.end(), worker.end(), sender.close()]);
  await Promise.all([webProxy.close(), workProxy.close(), service.close()]);
  return [
    figure(
      "round trips to the database per paid order, web",
      (busy.web - (idle[0] ?? 0) * seconds) / 40,
      "statements",
    ),
    figure(
      "round trips to the database per paid order, worker",
      (busy.work - (idle[1] ?? 0) * seconds) / 40,
      "statements",
    ),
    figure("calls of the service per paid order", busy.service / 40, "calls"),
    figure("worker's round trips while idle", idle[1] ?? NaN, "1/s"),
  ];
}

/** From the webhook's 200 to the active plan, less what the service took. */
async function latency(on: Bench): Promise<Figure[]> {
  on.testApp.insurance.faults.add(slow);
  const web = await on.start("app/processes/server.ts");
  const worker = await on.start("app/processes/worker.ts");
  const over = await overhead(on, 100);
  await Promise.all([web.end(), worker.end()]);
  on.testApp.insurance.faults.clear();
  return [
    figure(
      "from the 200 to the active plan, over the service's own time, median",
      median(over),
      "ms",
      "at most 100",
      median(over) <= 100,
    ),
    figure(
      "the same, p95",
      percentile(
        over.sort((a, b) => a - b),
        0.95,
      ),
      "ms",
    ),
  ];
}

async function overhead(on: Bench, orders: number): Promise<number[]> {
  const sender = new Sender(on.url, on.secret, 1);
  const over: number[] = [];
  for (let each = 0; each < orders + 5; each++) {
    const paid = on.paid();
    await sender.send(paid);
    const answered = Date.now();
    await eventually(async () => (await recorded(on, paid.orderId)) === 1, "the recorded order", soon);
    const { rows } = await on.client.query<{ at: Date }>(
      `SELECT at FROM "UnitHistory" WHERE "orderId" = $1 AND after = 'active'`,
      [paid.orderId],
    );
    // The first few find cold caches and connections.
    if (each >= 5) over.push((rows[0]?.at.getTime() ?? NaN) - answered - SERVICE_LATENCY_MS);
  }
  await sender.close();
  return over;
}

/** How fast a backlog is processed. */
async function drain(on: Bench): Promise<Figure[]> {
  const orders = Number(process.env["BENCH_ORDERS"] ?? 10_000);
  const web = await on.start("app/processes/server.ts");
  const sender = new Sender(on.url, on.secret, 16);
  const batch = 200;
  for (let each = 0; each < orders; each += batch) {
    await Promise.all(Array.from({ length: Math.min(batch, orders - each) }, () => sender.send(on.paid())));
  }
  await sender.close();
  await web.end();
  on.testApp.insurance.faults.add(slow);
  const before = await countRecorded(on);
  const worker = await on.start("app/processes/worker.ts");
  const started = performance.now();
  const busyFrom = await processorSeconds(worker.child.pid);
  const memory: number[] = [];
  for (let done = 0; done < orders; done = (await countRecorded(on)) - before) {
    await wait(500);
    memory.push(await residentMegabytes(worker));
  }
  const seconds = (performance.now() - started) / 1_000;
  const busy = (await processorSeconds(worker.child.pid)) - busyFrom;
  await worker.end();
  on.testApp.insurance.faults.clear();
  const ceiling = MERCHANT_CONCURRENCY / ((CALLS_PER_ORDER * SERVICE_LATENCY_MS) / 1_000);
  const rate = orders / seconds;
  // The first fifth warms up: code is compiled, caches fill.
  const settled = memory.slice(Math.floor(memory.length / 5));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const [early, late] = [median(settled.slice(0, third)), median(settled.slice(-third))];
  return [
    figure(`draining ${orders} orders of one merchant`, rate, "orders/s"),
    figure(
      "draining ÷ ceiling of latency and concurrency",
      rate / ceiling,
      "ratio",
      "at least 0.7",
      rate / ceiling >= 0.7,
    ),
    figure(
      "worker's memory, last third ÷ first third of the drain",
      late / early,
      "ratio",
      "at most 1.2",
      late / early <= 1.2,
    ),
    figure("worker's memory at the end of the drain", late, "MB"),
    figure("worker's processor time per order", (busy * 1_000) / orders, "ms"),
  ];
}

const pageTimes = z.object({ list: z.number(), order: z.number() });

/** The same steps with a thousand orders in one database and a hundred thousand in another, alternately. */
async function growth(testApp: TestApp): Promise<Figure[]> {
  const [{ shopDomain }] = testApp.shops;
  const open = async (orders: number, port: number) => {
    const on = await openBench(testApp, port);
    await grow(on.client, shopDomain, 1, orders);
    const processes = [await on.start("app/processes/server.ts"), await on.start("app/processes/worker.ts")];
    const webhook = { ...on.paid(), topic: "orders/create" };
    await flood(on.url, on.secret, webhook, 2, 1);
    return { on, processes, webhook };
  };
  type Side = Awaited<ReturnType<typeof open>>;
  const measure = async ({ on, webhook }: Side) => {
    await emptyQueue(on);
    const { times } = await flood(on.url, on.secret, webhook, 2, 1);
    await emptyQueue(on);
    const plans = await overhead(on, 30);
    const pages = await runProcess("test/bench/orders/pages.ts", {
      args: [shopDomain],
      env: { ...testApp.env, DATABASE_URL: on.database, WORKER: "separate", LOG_LEVEL: "fatal" },
    });
    return {
      intake: percentile(times, 0.5),
      plan: median(plans) + SERVICE_LATENCY_MS,
      ...pageTimes.parse(JSON.parse(pages)),
    };
  };
  testApp.insurance.faults.add(slow);
  const small = await open(1_000, testApp.webPort);
  const large = await open(100_000, await steadyPort());
  const pairs: Record<"small" | "large", Awaited<ReturnType<typeof measure>>>[] = [];
  for (let pair = 0; pair < 3; pair++) {
    pairs.push({ small: await measure(small), large: await measure(large) });
  }
  for (const { on, processes } of [small, large]) {
    await Promise.all(processes.map((each) => each.end()));
    await on.client.end();
  }
  testApp.insurance.faults.clear();
  return (["intake", "plan", "list", "order"] as const).flatMap((step) => {
    const ratio = median(pairs.map((pair) => pair.large[step] / pair.small[step]));
    return [
      figure(`${step} with 1,000 orders, median`, median(pairs.map((pair) => pair.small[step])), "ms"),
      figure(`${step}: 100,000 ÷ 1,000 orders, median of 3`, ratio, "ratio", "at most 1.2", ratio <= 1.2),
    ];
  });
}

async function recorded(on: Bench, orderId: string): Promise<number> {
  const { rowCount } = await on.client.query(
    `SELECT 1 FROM "Order" WHERE "orderId" = $1 AND "salesRecordStatus" = 'recorded' AND "leaseHolder" IS NULL`,
    [orderId],
  );
  return rowCount ?? 0;
}

async function countRecorded(on: Bench): Promise<number> {
  const { rows } = await on.client.query<{ count: string }>(
    `SELECT count(*) FROM "Order" WHERE "salesRecordStatus" = 'recorded'`,
  );
  return Number(rows[0]?.count ?? 0);
}

/** Until the queue is empty. */
async function emptyQueue(on: Bench): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await on.client.query<{ count: string }>(
        "SELECT count(*) FROM pgboss.job WHERE name = 'platform-event' AND state < 'completed'",
      );
      return rows[0]?.count === "0";
    },
    "an empty queue",
    { withinMs: 120_000, everyMs: 50 },
  );
}

async function residentMegabytes({ child }: AppProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid ?? 0}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1_024;
}
