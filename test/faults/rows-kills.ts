/** Faults of the app's own processes: killed, or stopped and resumed. */
import { setTimeout as wait } from "node:timers/promises";
import type { AppProcess } from "./processes.ts";
import type { Round } from "./round.ts";
import type { Row } from "./row.ts";
import type { Tap } from "./tap.ts";
import { becomesTrue } from "#test/eventually.ts";

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
    const order = round.sales.buy(round.random.between(1, 2));
    // An order that was over before the answer came is one kill less.
    await becomesTrue(
      async () => victim.child.killed || (round.sales.isInsured(order) && (await round.isQuiet())),
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
  const leased = await round.query((read) => read(`SELECT 1 FROM "Order" WHERE "leaseHolder" IS NOT NULL`));
  return leased.length > 0;
}

/** Kills the web process at seeded points between the orders. */
async function killWeb(round: Round, kills: number): Promise<void> {
  let { web } = await round.open(1);
  const points = new Set<number>();
  while (points.size < Math.min(kills, round.orders - 1))
    points.add(round.random.between(1, round.orders - 1));
  for (let each = 0; each < round.orders; each++) {
    round.sales.buy(round.random.between(1, 2));
    await wait(round.random.between(0, 30));
    if (!points.has(each)) continue;
    await web.end("SIGKILL");
    web = await round.web();
  }
}

export const killRows: Row[] = [
  {
    row: 3,
    name: "kill -9 of the web process at 20 seeded points",
    full: { server: 200, embedded: 200 },
    short: 8,
    play: (round) => killWeb(round, round.short ? (round.kind === "server" ? 3 : 1) : 20),
  },
  {
    row: 3,
    name: "kill -9 of the worker after each answer of the database",
    full: { server: ANSWERS_PER_ORDER.database + 10 },
    short: 3,
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
    tested: "server",
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
    async play(round) {
      const tap = await round.tapDatabase();
      await round.web();
      const stopped = await round.worker(await round.database(tap.port));
      let stops = 0;
      for (let each = 0; each < round.orders; each++) {
        // Counted from where it has the order: before that nothing is at stake. Each point once.
        let left = round.short ? round.random.between(1, 6) : (each % 6) + 1;
        let isStopped = false;
        tap.onAnswer = async () => {
          if (isStopped || !(await isLeased(round))) return;
          left -= 1;
          if (left > 0) return;
          isStopped = stopped.child.kill("SIGSTOP");
          stops += 1;
        };
        const order = round.sales.buy(2);
        await becomesTrue(
          async () => isStopped || (round.sales.isInsured(order) && (await round.isQuiet())),
          60_000,
        );
        tap.onAnswer = () => undefined;
        const other = await round.worker();
        // The lease ends, the queue misses the heartbeat, the other one takes over; then the first is back.
        if (!(await round.sales.insured(order))) round.wrong.push("the other worker did not take over");
        stopped.child.kill("SIGCONT");
        await becomesTrue(() => round.isQuiet(), 60_000);
        await other.end("SIGTERM");
      }
      if (stops === 0) round.wrong.push("no worker was stopped");
    },
  },
];
