/** Faults of the app's own processes: killed, stopped, drained, with a wrong clock, twice on one folder. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { breakService } from "./break.ts";
import { DidNotStartError } from "./processes.ts";
import type { AppProcess } from "./processes.ts";
import type { Round } from "./round.ts";
import type { Row } from "./row.ts";
import type { Tap } from "./tap.ts";
import { until } from "./until.ts";

/** How many answers of the database, and of the service, one insured order takes, amply. */
const ANSWERS_PER_ORDER = { database: 40, service: 3 };

/** Kills the process at the `after`th answer of what is tapped, once for each order that somebody buys. */
async function killAtAnswers(
  round: Round,
  tap: Tap,
  most: number,
  start: () => Promise<AppProcess>,
): Promise<void> {
  let victim = await start();
  let kills = 0;
  for (let each = 0; each < round.orders; each++) {
    // Every point once, then at random; the short form has too few orders to walk through many.
    const walks = each < most && (!round.short || most === ANSWERS_PER_ORDER.service);
    const after = walks ? each + 1 : round.random.between(1, most);
    const at = tap.answers() + after;
    tap.onAnswer = (number) => {
      // Before the answer is passed on: it happened, and the process does not know.
      if (number === at) victim.child.kill("SIGKILL");
    };
    const order = round.buy(round.random.between(1, 2));
    // An order that was over before the answer came is one kill less.
    await until(
      async () => victim.child.killed || (round.isInsured(order) && (await round.isQuiet())),
      60_000,
    );
    tap.onAnswer = () => undefined;
    if (victim.child.killed) {
      kills += 1;
      await victim.end();
      victim = await start();
    }
  }
  if (kills < round.orders / 2) round.wrong.push(`only ${kills} processes were killed`);
}

async function isLeased(round: Round): Promise<boolean> {
  const leased = await round.query((read) => read(`SELECT 1 FROM "Order" WHERE "leaseBy" IS NOT NULL`));
  return leased.length > 0;
}

/** Kills the web process at seeded points between the orders. */
async function killWeb(round: Round, kills: number): Promise<void> {
  let { web } = await round.open(1);
  const points = new Set<number>();
  while (points.size < Math.min(kills, round.orders - 1))
    points.add(round.random.between(1, round.orders - 1));
  for (let each = 0; each < round.orders; each++) {
    round.buy(round.random.between(1, 2));
    await wait(round.random.between(0, 30));
    if (!points.has(each)) continue;
    await web.end("SIGKILL");
    web = await round.web();
  }
}

export const processRows: Row[] = [
  {
    row: 3,
    name: "kill -9 of the web process at 20 seeded points",
    full: { server: 200, embedded: 200 },
    short: 8,
    waits: true,
    play: (round) => killWeb(round, round.short ? (round.kind === "server" ? 3 : 1) : 20),
  },
  {
    row: 3,
    name: "kill -9 of the worker after each answer of the database",
    full: { server: ANSWERS_PER_ORDER.database + 10 },
    short: 3,
    waits: true,
    async play(round) {
      const tap = await round.tapDatabase();
      await round.web();
      const through = await round.database(tap.port);
      const most = round.short ? 15 : ANSWERS_PER_ORDER.database;
      await killAtAnswers(round, tap, most, () => round.worker(through));
    },
  },
  {
    row: 3,
    name: "kill -9 of the worker after each call of the service",
    full: { server: 15, embedded: 10 },
    short: 1,
    waits: true,
    async play(round) {
      const tap = await round.tapService();
      const service = `http://127.0.0.1:${tap.port}`;
      const env = { INSURANCE_BASE_URL_TEST: service, INSURANCE_BASE_URL_PRODUCTION: service };
      const isServer = round.kind === "server";
      if (isServer) await round.web();
      await killAtAnswers(round, tap, ANSWERS_PER_ORDER.service, () =>
        isServer ? round.worker(env) : round.web(env),
      );
    },
  },
  {
    row: 3,
    name: "a worker stopped past its lease and resumed",
    full: { server: 6 },
    short: 1,
    waits: true,
    async play(round) {
      const tap = await round.tapDatabase();
      await round.web();
      const stopped = await round.worker(await round.database(tap.port));
      let stops = 0;
      for (let each = 0; each < round.orders; each++) {
        // Counted from where it has the order: before that nothing is at stake. Each point in turn.
        let left = round.short ? round.random.between(1, 6) : (each % 6) + 1;
        let isStopped = false;
        tap.onAnswer = async () => {
          if (isStopped || !(await isLeased(round))) return;
          left -= 1;
          if (left > 0) return;
          isStopped = stopped.child.kill("SIGSTOP");
          stops += 1;
        };
        const order = round.buy(2);
        await until(async () => isStopped || (round.isInsured(order) && (await round.isQuiet())), 60_000);
        tap.onAnswer = () => undefined;
        const other = await round.worker();
        // The lease ends, the queue misses the heartbeat, the other one takes over; then the first is back.
        if (!(await round.insured(order))) round.wrong.push("the other worker did not take over");
        stopped.child.kill("SIGCONT");
        await until(() => round.isQuiet(), 60_000);
        await other.end("SIGTERM");
      }
      if (stops === 0) round.wrong.push("no worker was stopped");
    },
  },
  {
    row: 6,
    name: "disk full on the embedded database",
    full: { embedded: 30 },
    short: 6,
    waits: true,
    async play(round) {
      const [shop] = round.house.shops;
      const flag = join(round.house.folder, "disk-is-full");
      const start = () => round.web({ FULL_DISK_FLAG: flag }, [join(import.meta.dirname, "full-disk.ts")]);
      const web = await start();
      for (let each = 0; each < round.orders / 2; each++) round.buy();
      await shop.webhooks.settled();
      writeFileSync(flag, "");
      const from = shop.webhooks.log.length;
      for (let each = 0; each < round.orders / 2; each++) round.buy();
      await round.attempted(from);
      const attempts = shop.webhooks.log.slice(from).flatMap((delivery) => delivery.attempts);
      if (attempts.some(({ status }) => status === 200))
        round.wrong.push("a webhook was acknowledged with a full disk");
      rmSync(flag);
      // A database that could not write has had to stop, or writes again; whatever keeps the service up starts it.
      await until(() => web.gone() || shop.webhooks.log.every(({ state }) => state === "delivered"), 10_000);
      if (web.gone()) await start();
    },
  },
  {
    row: 7,
    name: "two processes on one embedded folder: the second refuses to start and names the first",
    full: { embedded: 5 },
    short: 2,
    async play(round) {
      const first = await round.web();
      for (let each = 0; each < round.orders; each++) round.buy();
      try {
        await round.worker();
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
    full: { server: 300 },
    short: 40,
    async play(round) {
      let {
        web,
        workers: [one, two],
      } = await round.open(2);
      if (!one || !two) throw new Error("There are no two instances");
      await breakService(round.house, { operation: "plans.create", kind: "latency", ms: 100, times: null });
      const half = Math.floor(round.orders / 2);
      const drained: number[] = [];
      for (let each = 0; each < round.orders; each++) {
        round.buy();
        await wait(10);
        if (each === half) {
          drained.push(await one.end("SIGTERM"));
          one = await round.worker();
          drained.push(await web.end("SIGTERM"));
          web = await round.web();
        }
        if (each === half + 10) {
          drained.push(await two.end("SIGTERM"));
          two = await round.worker();
        }
      }
      const slowest = Math.round(Math.max(...drained));
      // Seconds are for the full form, on a machine that does nothing else.
      if (slowest > 10_000 && !round.short) round.wrong.push(`draining took ${slowest} ms`);
      // Drained: what was in hand was done, not left to whoever comes next.
      const cutOff = await round.query((read) =>
        read(`SELECT 1 FROM "UnitHistory" WHERE cause IN ('abandon', 'lose_answer')`),
      );
      if (cutOff.length > 0) round.wrong.push(`${cutOff.length} creations were cut off`);
      if (one.gone() || two.gone() || web.gone()) round.wrong.push("a restarted process is gone");
    },
  },
  {
    row: 11,
    name: "clock 10 minutes off",
    full: { server: 60, embedded: 60 },
    short: 6,
    waits: true,
    async play(round) {
      const wrong = [join(import.meta.dirname, "wrong-clock.ts")];
      const minutes = (count: number) => ({ WRONG_CLOCK_MS: String(count * 60_000) });
      const offset = round.random.pick([-10, 10]);
      round.clockMs = offset * 60_000;
      const settle = { INSURANCE_SETTLE_SECONDS: "15" };
      await round.web({ ...settle, ...minutes(offset) }, wrong);
      if (round.kind === "server") {
        const workers = [10, -10].map((off) => round.worker({ ...settle, ...minutes(off) }, wrong));
        await Promise.all(workers);
      }
      // Carried out after the client has given up: who looks by the wrong clock sees nothing, and asks again.
      const late = { operation: "plans.create", kind: "latency", ms: 12_000, times: round.short ? 1 : 6 };
      const lost = { operation: "plans.create", kind: "reset_after", skip: 1, times: 5 };
      await breakService(round.house, late, lost);
      for (let each = 0; each < round.orders; each++) {
        const order = round.buy(round.random.between(1, 2));
        if (round.random.next() < 0.25) round.cancel(order);
        await wait(20);
      }
    },
  },
];
