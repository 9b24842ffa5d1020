/** The insurance service is down while orders come, then answers again. */
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "#test/eventually.ts";
import { openProxy, postgresAnswers } from "#test/faults/proxy.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import { percentile } from "../orders/load.ts";
import { paidOrder } from "../orders/paid-order.ts";
import type { StormStage } from "./stage.ts";

const ORDERS = Number(process.env["BENCH_ORDERS"] ?? 2_000);
const NORMAL_ORDERS = 100;
const OUTAGE_S = Number(process.env["BENCH_OUTAGE_S"] ?? 60);
const LATENCY_MS = 50;
const MERCHANT_CONCURRENCY = 8;
const CALLS_PER_ORDER = 2;

export async function serviceOutage(on: StormStage): Promise<Figure[]> {
  const [shop] = on.testApp.shops;
  const proxy = await openProxy({ port: on.testApp.postgresPort }, postgresAnswers);
  const worker = await on.startWorker({ DATABASE_URL: on.database.replace(/:\d+\//, `:${proxy.port}/`) });
  const slow = { operation: "*", kind: "latency", ms: LATENCY_MS, times: null } as const;
  const down = { operation: "*", kind: "status", status: 503, times: null } as const;
  // Other parts' orders have contracts, too.
  const known = countContracts(on);
  try {
    on.testApp.insurance.faults.add(slow);
    const normal = await countStatements(proxy, async () => {
      await pay(on, shop, NORMAL_ORDERS);
      await eventually(async () => (await count(on, "active")) === NORMAL_ORDERS, "the plans", patient);
    });
    on.testApp.insurance.faults.clear();
    on.testApp.insurance.faults.add(down);
    const started = performance.now();
    let stored: number[] = [];
    const outage = await countStatements(proxy, async () => {
      stored = await pay(on, shop, ORDERS);
      await eventually(async () => (await on.waitingEvents()) === 0, "the end of the events", patient);
      await wait(Math.max(0, OUTAGE_S * 1_000 - (performance.now() - started)));
    });
    on.testApp.insurance.faults.clear();
    on.testApp.insurance.faults.add(slow);
    const mended = performance.now();
    await eventually(async () => (await count(on, "active")) > NORMAL_ORDERS, "the first plan", patient);
    const resumed = performance.now();
    const all = NORMAL_ORDERS + ORDERS;
    await eventually(async () => (await count(on, "active")) >= all, "all plans", patient).catch(() => null);
    const seconds = (performance.now() - resumed) / 1_000;
    const ceiling = MERCHANT_CONCURRENCY / ((CALLS_PER_ORDER * LATENCY_MS) / 1_000);
    const contracts = countContracts(on) - known;
    const [perNormal, perOutage] = [normal / NORMAL_ORDERS, outage / ORDERS];
    const p99 = percentile(
      stored.toSorted((a, b) => a - b),
      0.99,
    );
    const rate = ORDERS / seconds;
    return [
      figure("worker's statements per order, normal", perNormal, "statements"),
      figure(
        `the same while the service is down for ${OUTAGE_S} s`,
        perOutage,
        "statements",
        "at most 2 × normal",
        perOutage <= 2 * perNormal,
      ),
      figure("storing a webhook meanwhile, p99", p99, "ms", "under 100", p99 < 100),
      figure("from the end of the outage to the first plan", (resumed - mended) / 1_000, "s"),
      figure(
        `draining ${ORDERS} orders ÷ ceiling`,
        rate / ceiling,
        "ratio",
        "at least 0.7",
        rate / ceiling >= 0.7,
      ),
      figure("plans lost", Math.max(0, all - contracts), "plans", "0", contracts >= all),
      figure("plans doubled", Math.max(0, contracts - all), "plans", "0", contracts <= all),
    ];
  } finally {
    on.testApp.insurance.faults.clear();
    await worker.end();
    await proxy.close();
  }
}

/** Longer than all orders take at a fifth of the merchant's ceiling of 80 a second. */
const patient = { withinMs: 400_000 + ORDERS * 60, everyMs: 200 };

async function pay(on: StormStage, shop: ShopSandbox, orders: number): Promise<number[]> {
  const times: number[] = [];
  for (let each = 0; each < orders; each++) {
    const { body } = paidOrder(on.testApp, shop);
    const from = performance.now();
    await on.receive(shop, "orders/paid", body);
    times.push(performance.now() - from);
  }
  return times;
}

async function countStatements(proxy: { answers(): number }, work: () => Promise<void>): Promise<number> {
  const before = proxy.answers();
  await work();
  return proxy.answers() - before;
}

const countContracts = (on: StormStage): number =>
  on.testApp.insurance.plans("test").filter(({ status }) => status === "active").length;

async function count(on: StormStage, state: string): Promise<number> {
  const { rows } = await on.client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "InsuredUnit" WHERE state = $1`,
    [state],
  );
  return rows[0]?.count ?? NaN;
}
