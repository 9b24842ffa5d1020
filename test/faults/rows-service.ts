/** Faults of the insurance service, and everything at once. */
import { setTimeout as wait } from "node:timers/promises";
import type { Order } from "#test/sandbox/shop/state.ts";
import { breakService, mendService } from "./row.ts";
import type { Round, Row } from "./row.ts";

const outcomes = [
  { kind: "reset_after" },
  { kind: "reset_before" },
  { kind: "status", status: 500, after_work: true },
  { kind: "status", status: 500 },
  { kind: "status", status: 503, body: "html" },
  { kind: "status", status: 429, retry_after: "1" },
  { kind: "garbage" },
  { kind: "truncated" },
  { kind: "cut" },
  { kind: "empty" },
] as const;
const operations = ["plans.create", "plans.create", "plans.list", "orders.record", "orders.cancel"] as const;

async function buyUnderFaults(round: Round): Promise<void> {
  for (let each = 0; each < round.orders; each++) {
    await breakService(round.house, {
      operation: round.random.pick(operations),
      ...round.random.pick(outcomes),
    });
    const order = round.buy(round.random.between(1, 3));
    if (round.random.next() < 0.2) round.cancel(order);
    await wait(round.random.between(0, 60));
  }
  // What is left of them comes to nothing once no request is left; the judge wants to see an end.
  await wait(2_000);
  await mendService(round.house);
}

export const serviceRows: Row[] = [
  {
    row: 4,
    name: "the service commits and the answer is lost",
    orders: { full: 40, short: 4 },
    async play(round) {
      await round.web({});
      await round.worker({});
      for (let each = 0; each < round.orders; each++) {
        await breakService(round.house, { operation: "plans.create", kind: "reset_after" });
        round.buy(round.random.between(1, 3));
        await wait(30);
      }
    },
  },
  {
    row: 4,
    name: "answers 500, 429, HTML, truncated JSON, at random",
    orders: { full: 100, short: 10 },
    async play(round) {
      await round.web({});
      await Promise.all([round.worker({}), round.worker({})]);
      await buyUnderFaults(round);
    },
  },
  {
    row: 4,
    name: "answers 500, 429, HTML, truncated JSON, at random, embedded database",
    orders: { full: 40, short: 5 },
    async play(round) {
      await round.database("embedded");
      await round.web({ WORKER: "inline" });
      await buyUnderFaults(round);
    },
  },
  {
    row: 4,
    name: "30 s slow",
    orders: { full: 8, short: 1 },
    async play(round) {
      // The client gives up after 10 s; the service carries the creation out after 30.
      const patience = { INSURANCE_SETTLE_SECONDS: "45" };
      await round.web(patience);
      await round.worker(patience);
      await breakService(round.house, {
        operation: "plans.create",
        kind: "latency",
        ms: 30_000,
        times: round.orders,
      });
      for (let each = 0; each < round.orders; each++) round.buy();
    },
  },
  {
    row: 4,
    name: "down for 72 hours (the queue's clock moved on)",
    orders: { full: 20, short: 3 },
    async play(round) {
      await round.web({});
      await round.worker({});
      await breakService(round.house, { operation: "*", kind: "status", status: 503, times: null });
      const orders: Order[] = [];
      for (let each = 0; each < round.orders; each++) orders.push(round.buy());
      const cancelled = orders.at(-1);
      const hours = round.short ? 3 : 72;
      for (let hour = 0; hour < hours; hour++) {
        // An hour passes for every job that waits.
        await round.query(
          `UPDATE pgboss.job SET start_after = start_after - interval '1 hour', created_on = created_on - interval '1 hour',
             keep_until = keep_until - interval '1 hour' WHERE state IN ('created', 'retry') AND name <> 'hourly'`,
        );
        if (hour === Math.floor(hours / 2) && cancelled) round.cancel(cancelled);
        await waitForRetries(round);
      }
      await mendService(round.house);
      await round.query("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'");
    },
  },
  {
    row: 10,
    name: "everything above at random",
    orders: { full: 10_000, short: 60 },
    play: chaos,
  },
];

/** Until every job that was due has had its try. */
async function waitForRetries(round: Round): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const [due] = await round.query<{ count: string }>(
      `SELECT count(*) FROM pgboss.job WHERE (state = 'active' OR (state IN ('created', 'retry') AND start_after <= now()))
         AND name IN ('platform-event', 'order-work')`,
    );
    if (due?.count === "0") return;
    await wait(200);
  }
}

async function chaos(round: Round): Promise<void> {
  const [shop] = round.house.shops;
  let web = await round.web({});
  const workers = await Promise.all([round.worker({}), round.worker({})]);
  const started = Date.now();
  const open: Order[] = [];
  for (let each = 0; each < round.orders; each++) {
    open.push(round.buy(round.random.between(1, 3)));
    const chance = round.random.next();
    const order = open[round.random.between(0, open.length - 1)];
    if (chance < 0.15 && order) {
      open.splice(open.indexOf(order), 1);
      round.cancel(order);
    } else if (chance < 0.3) {
      await breakService(round.house, {
        operation: round.random.pick(operations),
        ...round.random.pick(outcomes),
      });
    } else if (chance < 0.32) {
      shop.webhooks.knobs.duplicates = round.random.between(0, 5);
    } else if (chance < 0.34) {
      shop.webhooks.knobs.disorder = round.random.between(0, 6);
      if (shop.webhooks.knobs.disorder === 0) shop.webhooks.release();
    }
    // Every so often a process goes, in one way or the other; about thirty times in a long run.
    if (each % Math.max(20, Math.floor(round.orders / 30)) === 19) {
      const signal = round.random.pick(["SIGKILL", "SIGKILL", "SIGTERM"]);
      if (round.random.next() < 0.3) {
        await web.end(signal);
        web = await round.web({});
      } else {
        const index = round.random.between(0, 1);
        await workers[index]?.end(signal);
        workers[index] = await round.worker({});
      }
    }
    // No more at once than two cores can take in: a flood is a row of its own.
    const due = each * 12 - (Date.now() - started);
    if (due > 0) await wait(due);
  }
  Object.assign(shop.webhooks.knobs, { duplicates: 0, disorder: 0 });
  shop.webhooks.release();
  await wait(3_000);
  await mendService(round.house);
  for (const delivery of shop.webhooks.log)
    if (delivery.state === "failed") shop.webhooks.redeliver(delivery.webhookId);
}
