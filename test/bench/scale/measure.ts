/** Orders at a given rate, and what they cost by the database's and the processes' own counters. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { eventually } from "#test/eventually.ts";
import { seeded } from "#test/random.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import { drip, percentile } from "../orders/load.ts";
import { paidOrder } from "../orders/paid-order.ts";
import { processorSeconds, serverSeconds } from "../orders/processor.ts";
import type { Running, ScaleStage } from "./stage.ts";

const QUIET_S = 5;

/** Counters, or by how much they grew; processor time in seconds. */
interface Counters {
  statements: number;
  /** transactions that wrote something */
  commits: number;
  walBytes: number;
  /** of tables and indexes, without the queue's */
  tableBytes: number;
  web: number;
  workers: number;
  postgres: number;
}

export interface Load {
  orders: number;
  /** from the first order to the last one's end, seconds */
  seconds: number;
  /** from an order's payment to its active plan, milliseconds, ascending */
  delays: number[];
  /** what the orders cost, without what the processes cost at rest */
  cost: Counters;
  /** the same processes with nothing to do, in a second */
  rest: Counters;
}

const counted = z.tuple([
  z.object({
    statements: z.coerce.number(),
    commits: z.coerce.number(),
    walBytes: z.coerce.number(),
    tableBytes: z.coerce.number(),
  }),
]);

async function count({ client, backend }: ScaleStage, { web, workers }: Running): Promise<Counters> {
  const { rows } = await client.query(`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS "walBytes",
      pg_snapshot_xmax(pg_current_snapshot())::text AS commits,
      (SELECT sum(calls) FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())) AS statements,
      (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS "tableBytes"`);
  const times = await Promise.all(workers.map(({ child }) => processorSeconds(child.pid)));
  return {
    ...counted.parse(rows)[0],
    web: await processorSeconds(web.child.pid),
    workers: times.reduce((sum, each) => sum + each, 0),
    postgres: await serverSeconds(backend),
  };
}

const names = ["statements", "commits", "walBytes", "tableBytes", "web", "workers", "postgres"] as const;

function combine(one: Counters, two: Counters, how: (one: number, two: number) => number): Counters {
  const result = { ...one };
  for (const name of names) result[name] = how(one[name], two[name]);
  return result;
}

/** @returns how much the counters grew meanwhile, and the seconds it took */
async function growth(on: ScaleStage, running: Running, work: () => Promise<unknown>) {
  const before = await count(on, running);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  return { seconds, grown: combine(await count(on, running), before, (after, from) => after - from) };
}

/** A shop: the k-th sells 1/k of what the first one sells. */
function zipf(shops: ShopSandbox[], random: () => number): () => ShopSandbox {
  const sum = shops.reduce((total, _, index) => total + 1 / (index + 1), 0);
  return () => {
    let left = random() * sum;
    for (const [index, shop] of shops.entries()) {
      left -= 1 / (index + 1);
      if (left <= 0) return shop;
    }
    throw new Error("There is no shop");
  };
}

/** Orders at this rate, until all of them are done. */
export async function openLoop(
  on: ScaleStage,
  running: Running,
  arrivals: { rate: number; seconds: number },
): Promise<Load> {
  const { testApp } = on;
  const orders = Math.round(arrivals.rate * arrivals.seconds);
  const random = seeded(1);
  const nextShop = zipf(
    testApp.shops.filter(({ shopDomain }) => shopDomain !== on.idleShop),
    () => random.next(),
  );
  // Made before, so that making them does not slow down sending them.
  const bodies = Array.from({ length: orders }, () => {
    const shop = nextShop();
    return { shop: shop.shopDomain, topic: "orders/paid", ...paidOrder(testApp, shop) };
  });
  const { grown: quiet, seconds: quietSeconds } = await growth(on, running, () => wait(QUIET_S * 1_000));
  const rest = combine(quiet, quiet, (each) => each / quietSeconds);
  const dueAt = new Map<string, number>();
  const { grown, seconds } = await growth(on, running, async () => {
    const url = `http://127.0.0.1:${testApp.webPort}`;
    const next = (each: number, due: number) => {
      const order = bodies[each];
      if (!order) throw new Error("There are more arrivals than orders");
      dueAt.set(order.orderId, due);
      return order;
    };
    const { failed } = await drip(url, testApp.env["SHOPIFY_API_SECRET"] ?? "", next, arrivals);
    if (failed > 0) throw new Error(`${failed} webhooks were not answered with 200`);
    await done(on, [...dueAt.keys()]);
  });
  const { rows } = await on.client.query<{ orderId: string; at: Date }>(
    `SELECT "orderId", at FROM "UnitHistory" WHERE after = 'active' AND "orderId" = ANY($1)`,
    [[...dueAt.keys()]],
  );
  const delays = rows.map(({ orderId, at }) => at.getTime() - (dueAt.get(orderId) ?? NaN));
  return {
    orders,
    seconds,
    delays: delays.sort((a, b) => a - b),
    cost: combine(grown, rest, (each, idle) => each - idle * seconds),
    rest,
  };
}

/** Until the orders are recorded at the service, and no job is left that could run. */
async function done({ client, idleShop }: ScaleStage, orderIds: string[]): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await client.query<{ left: boolean }>(
        `SELECT (SELECT count(*) FROM "Order" WHERE "orderId" = ANY($1) AND "salesRecordStatus" = 'recorded') < $2
           OR EXISTS (SELECT FROM pgboss.job WHERE state < 'completed' AND group_id <> $3 AND start_after <= now()) AS left`,
        [orderIds, orderIds.length, idleShop],
      );
      return rows[0]?.left === false;
    },
    "the end of all orders",
    { withinMs: 300_000, everyMs: 250 },
  );
}

/** How long plans took. */
export function delayFigures(name: string, { delays }: Load): Figure[] {
  return [0.5, 0.95, 0.99].map((share) =>
    figure(`${name}: paid → active, p${share * 100}`, percentile(delays, share), "ms"),
  );
}

/** What an order cost, and each process. */
export function costFigures(name: string, { orders, cost }: Load, workers: number): Figure[] {
  const perOrder = (value: number) => value / orders;
  return [
    figure(`${name}: statements per order`, perOrder(cost.statements), "statements"),
    figure(`${name}: commits that write per order`, perOrder(cost.commits), "commits"),
    figure(`${name}: log (WAL) per order`, perOrder(cost.walBytes) / 1_000, "kB"),
    figure(`${name}: processor time per order, web`, perOrder(cost.web) * 1_000, "ms"),
    figure(`${name}: processor time per order, workers together`, perOrder(cost.workers) * 1_000, "ms"),
    figure(`${name}: processor time per order, PostgreSQL`, perOrder(cost.postgres) * 1_000, "ms"),
    figure(`${name}: processor time of one worker for all orders`, cost.workers / workers, "s"),
  ];
}
