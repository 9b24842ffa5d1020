/**
 * From the paid order to the plan, on PostgreSQL, with the load generator and the stand-ins on the same machine.
 * Shorter runs: BENCH_PARTS names some of intake, roundTrips, latency, drain, growth, separated
 * by commas; BENCH_ORDERS is how many orders are drained.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import getPort from "get-port";
import pg from "pg";
import { eventually } from "#test/eventually.ts";
import { serverUrl } from "#test/cluster.ts";
import { startProcess } from "#test/faults/processes.ts";
import type { AppProcess } from "#test/faults/processes.ts";
import { openHouse } from "#test/faults/stage.ts";
import type { House } from "#test/faults/stage.ts";
import { httpAnswers, openTap, postgresAnswers } from "#test/faults/tap.ts";
import { figure, median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { grow } from "./orders/grow.ts";
import { paidOrder } from "./orders/paid-order.ts";
import { Sender, drip, flood, percentile } from "./orders/load.ts";
import type { Webhook } from "./orders/load.ts";
import { processorSeconds } from "./orders/processor.ts";

const SERVICE_LATENCY_MS = 50;
/** The configured concurrency for one merchant (app/jobs/definitions.ts). */
const MERCHANT_CONCURRENCY = 8;
/** An insured order asks the service twice: its plan, its record. */
const CALLS_PER_ORDER = 2;
const soon = { withinMs: 120_000, everyMs: 5 };

interface Bench {
  house: House;
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
  const house = await openHouse();
  try {
    const [shop] = house.shops;
    // Webhooks are sent by the bench, so that they can be timed.
    shop.webhooks.behaviour.dropShare = 1;
    const database = serverUrl(house.postgresPort, await house.newServerDatabase());
    const client = new pg.Client(database);
    await client.connect();
    const on: Bench = {
      house,
      client,
      database,
      url: `http://127.0.0.1:${house.webPort}`,
      secret: house.env["SHOPIFY_API_SECRET"] ?? "",
      start: (entry, env = {}) =>
        startProcess({
          entry,
          env: { ...house.env, LOG_LEVEL: "info", WORKER: "separate", DATABASE_URL: database, ...env },
          logFile: `${house.folder}/bench.log`,
        }),
      paid: () => ({ topic: "orders/paid", shop: shop.shopDomain, ...paidOrder(house, shop) }),
    };
    const parts = { intake, roundTrips, latency, drain, growth };
    const only = process.env["BENCH_PARTS"]?.split(",");
    const figures: Figure[] = [];
    for (const [name, part] of Object.entries(parts)) {
      if (only === undefined || only.includes(name)) figures.push(...(await part(on)));
    }
    await client.end();
    return figures;
  } finally {
    await house.close();
  }
}

/** Requests per second of the intake, and of a bare route in the same run, alternately. */
async function intake(on: Bench): Promise<Figure[]> {
  const web = await on.start("app/processes/server.ts");
  const barePort = await getPort();
  const bare = await startProcess({
    entry: "test/bench/orders/bare.ts",
    env: { DATABASE_URL: on.database, SHOPIFY_API_SECRET: on.secret, PORT: String(barePort) },
    logFile: `${on.house.folder}/bare.log`,
  });
  const bareUrl = `http://127.0.0.1:${barePort}`;
  const webhook = on.paid();
  const rates: Record<"app" | "bare", number[]> = { app: [], bare: [] };
  for (const url of [on.url, bareUrl]) await flood(url, on.secret, webhook, 2);
  for (let turn = 0; turn < 3; turn++) {
    rates.app.push((await flood(on.url, on.secret, webhook, 5)).rate);
    rates.bare.push((await flood(bareUrl, on.secret, webhook, 5)).rate);
  }
  const [app, floor] = [median(rates.app), median(rates.bare)];
  const half = await drip(on.url, on.secret, () => webhook, { seconds: 8, rate: app / 2 });
  const p99 = percentile(half.times, 0.99);
  await Promise.all([web.end(), bare.end()]);
  await on.client.query(`TRUNCATE "InboxEvent"`);
  await on.client.query("DELETE FROM pgboss.job");
  return [
    figure("intake: webhooks a second", app, "1/s"),
    figure("bare Fastify route, one row", floor, "1/s"),
    figure("intake ÷ bare route", app / floor, "ratio", "at least 0.4", app / floor >= 0.4),
    figure("intake at half its rate, p99", p99, "ms", "under 100", p99 < 100 && half.failed === 0),
  ];
}

/** Statements that one paid, insured order costs, from the webhook to the recorded order. */
async function roundTrips(on: Bench): Promise<Figure[]> {
  const [webTap, workTap] = await Promise.all(
    [0, 1].map(() => openTap({ port: on.house.postgresPort }, postgresAnswers)),
  );
  const service = await openTap({ port: Number(new URL(on.house.insurance.base_url).port) }, httpAnswers);
  if (!webTap || !workTap) throw new Error("No tap");
  const through = (port: number) => ({ DATABASE_URL: on.database.replace(/:\d+\//, `:${port}/`) });
  const url = `http://127.0.0.1:${service.port}`;
  const web = await on.start("app/processes/server.ts", through(webTap.port));
  const worker = await on.start("app/processes/worker.ts", {
    ...through(workTap.port),
    INSURANCE_BASE_URL_TEST: url,
  });
  const sender = new Sender(on.url, on.secret, 1);
  const count = async (orders: number): Promise<{ web: number; work: number; service: number }> => {
    const before = { web: webTap.answers(), work: workTap.answers(), service: service.answers() };
    for (let each = 0; each < orders; each++) {
      const paid = on.paid();
      await sender.send(paid);
      await eventually(async () => (await recorded(on, paid.orderId)) === 1, "the recorded order", soon);
    }
    return {
      web: webTap.answers() - before.web,
      work: workTap.answers() - before.work,
      service: service.answers() - before.service,
    };
  };
  await count(5);
  const started = performance.now();
  const busy = await count(40);
  const seconds = (performance.now() - started) / 1_000;
  // What the queue asks while nothing happens is no order's cost.
  const idleFrom = [webTap.answers(), workTap.answers()];
  await wait(20_000);
  const idle = [webTap.answers() - (idleFrom[0] ?? 0), workTap.answers() - (idleFrom[1] ?? 0)].map(
    (each) => each / 20,
  );
  await Promise.all([web.end(), worker.end(), sender.close()]);
  await Promise.all([webTap.close(), workTap.close(), service.close()]);
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
  await slowService(on, SERVICE_LATENCY_MS);
  const web = await on.start("app/processes/server.ts");
  const worker = await on.start("app/processes/worker.ts");
  const over = await overhead(on, 100);
  await Promise.all([web.end(), worker.end()]);
  await mend(on);
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
  await slowService(on, SERVICE_LATENCY_MS);
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
  await mend(on);
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

/** The same steps with a thousand and with a hundred thousand orders in the tables. */
async function growth(on: Bench): Promise<Figure[]> {
  const [shop] = on.house.shops;
  const steps = async () => {
    const web = await on.start("app/processes/server.ts");
    const worker = await on.start("app/processes/worker.ts");
    const webhook = on.paid();
    await flood(on.url, on.secret, { ...webhook, topic: "orders/create" }, 2, 1);
    const single = await flood(on.url, on.secret, { ...webhook, topic: "orders/create" }, 5, 1);
    await idle(on);
    const plans = await overhead(on, 100);
    const pages = await timePages(on);
    await Promise.all([web.end(), worker.end()]);
    return { intake: percentile(single.times, 0.5), plan: median(plans) + SERVICE_LATENCY_MS, ...pages };
  };
  await on.client.query(`TRUNCATE "Order", "OrderLine", "InsuredUnit", "UnitHistory", "InboxEvent"`);
  await on.client.query("DELETE FROM pgboss.job");
  await slowService(on, SERVICE_LATENCY_MS);
  await grow(on.client, shop.shopDomain, 1, 1_000);
  // The pages' functions run in this process and read its environment as they are loaded.
  Object.assign(process.env, on.house.env, { DATABASE_URL: on.database, WORKER: "separate" });
  const small = await steps();
  await grow(on.client, shop.shopDomain, 1_001, 99_000);
  const large = await steps();
  await mend(on);
  const { stopQueue } = await import("#app/jobs/queue.server.ts");
  const { database: opened } = await import("#app/platform/db.server.ts");
  await stopQueue();
  await opened.close();
  return (["intake", "plan", "list", "order"] as const).flatMap((step) => {
    const ratio = large[step] / small[step];
    return [
      figure(`${step} with 1,000 orders, median`, small[step], "ms"),
      figure(`${step}: 100,000 ÷ 1,000 orders`, ratio, "ratio", "at most 1.2", ratio <= 1.2),
    ];
  });
}

/** What the pages read, by their own functions: the newest orders, and one order with its units and history. */
async function timePages(on: Bench): Promise<{ list: number; order: number }> {
  const { listOrders } = await import("#app/plans/orders/order-list.server.ts");
  const { readOrderView } = await import("#app/plans/orders/order-page.server.ts");
  const [{ shopDomain: shop }] = on.house.shops;
  const timed = async (read: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let each = 0; each < 300; each++) {
      const started = performance.now();
      await read();
      times.push(performance.now() - started);
    }
    return median(times);
  };
  const merchant = { shop, timezone: "Europe/Paris", environment: "test" as const };
  const everything = { query: null, plans: null, start: null, end: null, tests: null, sort: null };
  const firstPage = { after: null, before: null };
  return {
    list: await timed(() => listOrders(merchant, everything, firstPage, 25)),
    order: await timed(() => readOrderView(shop, "past-500")),
  };
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
async function idle(on: Bench): Promise<void> {
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

async function slowService({ house }: Bench, ms: number): Promise<void> {
  await fetch(`${house.insurance.control_url}/faults`, {
    method: "POST",
    body: JSON.stringify({ operation: "*", kind: "latency", ms, times: null }),
  });
}

async function mend({ house }: Bench): Promise<void> {
  await fetch(`${house.insurance.control_url}/faults`, { method: "DELETE" });
}

async function residentMegabytes({ child }: AppProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid ?? 0}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1_024;
}
