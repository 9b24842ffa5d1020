/** Faults of the app's own processes: killed, stopped, drained, with a wrong clock, twice on one folder. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DidNotStartError } from "./processes.ts";
import type { AppProcess } from "./processes.ts";
import { breakService } from "./row.ts";
import type { Round, Row } from "./row.ts";
import { httpAnswers, openTap, postgresAnswers } from "./tap.ts";
import type { Tap } from "./tap.ts";

/** How many answers of the database, and of the service, one insured order takes, amply. */
const ANSWERS_PER_ORDER = { database: 40, service: 3 };

/** Kills the worker at the `after`th answer of what is tapped, once for each order that somebody buys. */
async function killAtAnswers(
  round: Round,
  tap: Tap,
  most: number,
  start: () => Promise<AppProcess>,
): Promise<void> {
  let worker = await start();
  for (let each = 0; each < round.orders; each++) {
    // Full runs walk through every point once before they pick at random.
    const after = each < most && !round.short ? each + 1 : round.random.between(1, most);
    const killed = new Promise<void>((resolve) => {
      const at = tap.answers() + after;
      tap.onAnswer = (number) => {
        if (number !== at) return;
        // Before the answer is passed on: it happened, and the worker does not know.
        worker.child.kill("SIGKILL");
        resolve();
      };
    });
    round.buy(round.random.between(1, 2));
    await Promise.race([killed, wait(3_000)]);
    tap.onAnswer = () => undefined;
    if (worker.child.killed || worker.gone()) {
      await worker.end();
      worker = await start();
    }
  }
}

export const processRows: Row[] = [
  {
    row: 3,
    name: "kill -9 of the web process at 20 seeded points",
    orders: { full: 200, short: 20 },
    async play(round) {
      const kills = round.short ? 3 : 20;
      let web = await round.web({});
      await round.worker({});
      const points = new Set(Array.from({ length: kills }, () => round.random.between(1, round.orders - 1)));
      for (let each = 0; each < round.orders; each++) {
        round.buy();
        await wait(round.random.between(0, 30));
        if (!points.has(each)) continue;
        await web.end("SIGKILL");
        web = await round.web({});
      }
    },
  },
  {
    row: 3,
    name: "kill -9 of the one process at seeded points, embedded database",
    orders: { full: 60, short: 6 },
    async play(round) {
      const kills = round.short ? 1 : 8;
      await round.database("embedded");
      let web = await round.web({ WORKER: "inline" });
      const points = new Set(Array.from({ length: kills }, () => round.random.between(1, round.orders - 1)));
      for (let each = 0; each < round.orders; each++) {
        round.buy(round.random.between(1, 2));
        await wait(round.random.between(0, 100));
        if (!points.has(each)) continue;
        await web.end("SIGKILL");
        web = await round.web({ WORKER: "inline" });
      }
    },
  },
  {
    row: 3,
    name: "kill -9 of the worker after each answer of the database",
    orders: { full: ANSWERS_PER_ORDER.database + 10, short: 4 },
    async play(round) {
      const tap = await openTap({ port: round.house.postgresPort }, postgresAnswers);
      await round.web({});
      const database = await round.database("server");
      const through = { DATABASE_URL: (database["DATABASE_URL"] ?? "").replace(/:\d+\//, `:${tap.port}/`) };
      await killAtAnswers(round, tap, ANSWERS_PER_ORDER.database, () => round.worker(through));
    },
  },
  {
    row: 3,
    name: "kill -9 of the worker after each call of the service",
    orders: { full: 15, short: 3 },
    async play(round) {
      const tap = await openTap({ port: Number(new URL(round.house.insurance.base_url).port) }, httpAnswers);
      const service = `http://127.0.0.1:${tap.port}`;
      await round.web({});
      const env = { INSURANCE_BASE_URL_TEST: service, INSURANCE_BASE_URL_PRODUCTION: service };
      await killAtAnswers(round, tap, ANSWERS_PER_ORDER.service, () => round.worker(env));
    },
  },
  {
    row: 3,
    name: "a worker stopped past its lease and resumed",
    orders: { full: 6, short: 1 },
    async play(round) {
      const tap = await openTap({ port: round.house.postgresPort }, postgresAnswers);
      await round.web({});
      const database = await round.database("server");
      const through = { DATABASE_URL: (database["DATABASE_URL"] ?? "").replace(/:\d+\//, `:${tap.port}/`) };
      const stopped = await round.worker(through);
      for (let each = 0; each < round.orders; each++) {
        const at = tap.answers() + round.random.between(8, 25);
        const halted = new Promise<void>((resolve) => {
          tap.onAnswer = (number) => {
            if (number < at) return;
            tap.onAnswer = () => undefined;
            stopped.child.kill("SIGSTOP");
            resolve();
          };
        });
        round.buy(2);
        await Promise.race([halted, wait(3_000)]);
        const other = await round.worker({});
        // The lease is 15 s, the queue's heartbeat 10 s.
        await wait(40_000);
        stopped.child.kill("SIGCONT");
        await wait(2_000);
        await other.end("SIGTERM");
      }
    },
  },
  {
    row: 6,
    name: "disk full on the embedded database",
    orders: { full: 30, short: 6 },
    async play(round) {
      const [shop] = round.house.shops;
      const flag = join(round.house.folder, "disk-is-full");
      await round.database("embedded");
      const start = () =>
        round.web({ WORKER: "inline", FULL_DISK_FLAG: flag }, [join(import.meta.dirname, "full-disk.ts")]);
      const web = await start();
      for (let each = 0; each < round.orders / 2; each++) round.buy();
      await shop.webhooks.settled();
      writeFileSync(flag, "");
      const from = shop.webhooks.log.length;
      for (let each = 0; each < round.orders / 2; each++) round.buy();
      await wait(4_000);
      const attempts = shop.webhooks.log.slice(from).flatMap((delivery) => delivery.attempts);
      if (attempts.some(({ status }) => status === 200))
        round.wrong.push("a webhook was acknowledged with a full disk");
      rmSync(flag);
      // A database that could not write may have had to stop; whatever keeps the service up starts it again.
      await wait(500);
      if (web.gone()) await start();
      for (const delivery of shop.webhooks.log) {
        if (delivery.state === "failed") shop.webhooks.redeliver(delivery.webhookId);
      }
      if (existsSync(flag)) round.wrong.push("the disk is still full");
    },
  },
  {
    row: 7,
    name: "two processes on one embedded folder: the second refuses and names the first",
    orders: { full: 5, short: 2 },
    async play(round) {
      await round.database("embedded");
      const first = await round.web({ WORKER: "inline" });
      for (let each = 0; each < round.orders; each++) round.buy();
      try {
        await round.worker({});
        round.wrong.push("the second process started");
      } catch (error) {
        if (!(error instanceof DidNotStartError)) throw error;
        if (!error.message.includes(`process ${first.child.pid ?? 0}`)) {
          round.wrong.push(`the second process does not name the first: ${error.message.slice(0, 300)}`);
        }
      }
    },
  },
  {
    row: 9,
    name: "SIGTERM with two instances under load: drained within 10 s",
    orders: { full: 300, short: 40 },
    async play(round) {
      let [one, two] = await Promise.all([round.worker({}), round.worker({})]);
      let web = await round.web({});
      await breakService(round.house, { operation: "plans.create", kind: "latency", ms: 100, times: null });
      const half = Math.floor(round.orders / 2);
      const drained: number[] = [];
      for (let each = 0; each < round.orders; each++) {
        round.buy();
        await wait(10);
        if (each === half) {
          drained.push(await one.end("SIGTERM"));
          one = await round.worker({});
          drained.push(await web.end("SIGTERM"));
          web = await round.web({});
        }
        if (each === half + 10) {
          drained.push(await two.end("SIGTERM"));
          two = await round.worker({});
        }
      }
      const slowest = Math.round(Math.max(...drained));
      if (slowest > 10_000) round.wrong.push(`draining took ${slowest} ms`);
      if (one.gone() || two.gone() || web.gone()) round.wrong.push("a restarted process is gone");
    },
  },
  {
    row: 11,
    name: "clock 10 minutes off",
    orders: { full: 60, short: 8 },
    async play(round) {
      const wrong = [join(import.meta.dirname, "wrong-clock.ts")];
      const minutes = (count: number) => ({ WRONG_CLOCK_MS: String(count * 60_000) });
      await round.web(minutes(round.random.pick([-10, 10])), wrong);
      await Promise.all([round.worker(minutes(10), wrong), round.worker(minutes(-10), wrong)]);
      await breakService(round.house, { operation: "plans.create", kind: "reset_after", skip: 1, times: 5 });
      for (let each = 0; each < round.orders; each++) {
        const order = round.buy(round.random.between(1, 2));
        if (round.random.next() < 0.25) round.cancel(order);
        await wait(20);
      }
    },
  },
];
