/** Faults of the app's own processes: killed, or stopped and resumed. */
import { setTimeout as wait } from "node:timers/promises";
import type { AppProcess } from "./processes.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";
import type { TcpProxy } from "./proxy.ts";
import { becomesTrue } from "#test/eventually.ts";

/** An upper limit of the database's and the insurer's answers for one insured order. */
const ANSWERS_PER_ORDER = { database: 40, insurer: 3 };

/** Kills the process at the `after`th answer through the proxy, once for each order. */
async function killAtAnswers(
  iteration: Iteration,
  proxy: TcpProxy,
  most: number,
  start: () => Promise<AppProcess>,
): Promise<void> {
  let victim = await start();
  let kills = 0;
  for (let each = 0; each < iteration.orders; each++) {
    // Every point once, then at random; the short form has too few orders for many points.
    const walks = each < most && (!iteration.short || most === ANSWERS_PER_ORDER.insurer);
    const after = walks ? each + 1 : iteration.random.between(1, most);
    const at = proxy.answers() + after;
    proxy.onAnswer = (number) => {
      // Before the answer is passed on: the work is done, and the process does not know it.
      if (number === at) victim.child.kill("SIGKILL");
    };
    const order = iteration.sales.buy(iteration.random.between(1, 2));
    // An order that finished before the answer has no kill.
    await becomesTrue(
      async () => victim.child.killed || (iteration.sales.isInsured(order) && (await iteration.isQuiet())),
    );
    proxy.onAnswer = () => undefined;
    if (victim.child.killed) {
      kills += 1;
      await victim.end();
      victim = await start();
    }
  }
  if (kills < iteration.orders / 2) iteration.wrong.push(`only ${kills} processes were killed`);
}

async function isLeased(iteration: Iteration): Promise<boolean> {
  const leased = await iteration.query((read) =>
    read(`SELECT 1 FROM "Order" WHERE "leaseHolder" IS NOT NULL`),
  );
  return leased.length > 0;
}

/** Kills the web process at seeded points between the orders. */
async function killWeb(iteration: Iteration, kills: number): Promise<void> {
  let { web } = await iteration.open(1);
  const points = new Set<number>();
  while (points.size < Math.min(kills, iteration.orders - 1))
    points.add(iteration.random.between(1, iteration.orders - 1));
  for (let each = 0; each < iteration.orders; each++) {
    iteration.sales.buy(iteration.random.between(1, 2));
    await wait(iteration.random.between(0, 30));
    if (!points.has(each)) continue;
    await web.end("SIGKILL");
    web = await iteration.web();
  }
}

export const killRows: Row[] = [
  {
    row: 3,
    name: "kill -9 of the web process at 20 seeded points",
    full: 200,
    short: 8,
    run: (iteration) => killWeb(iteration, iteration.short ? 3 : 20),
  },
  {
    row: 3,
    name: "kill -9 of the worker after each answer of the database",
    full: ANSWERS_PER_ORDER.database + 10,
    short: 3,
    async run(iteration) {
      const proxy = await iteration.proxyDatabase();
      await iteration.web();
      const through = await iteration.database(proxy.port);
      const most = iteration.short ? 15 : ANSWERS_PER_ORDER.database;
      await killAtAnswers(iteration, proxy, most, () => iteration.worker(through));
    },
  },
  {
    row: 3,
    name: "kill -9 of the worker after each call of the insurer",
    full: 15,
    short: 1,
    isTested: true,
    async run(iteration) {
      const proxy = await iteration.proxyInsurer();
      const insurer = `http://127.0.0.1:${proxy.port}`;
      const env = { INSURANCE_BASE_URL_TEST: insurer, INSURANCE_BASE_URL_PRODUCTION: insurer };
      await iteration.web();
      await killAtAnswers(iteration, proxy, ANSWERS_PER_ORDER.insurer, () => iteration.worker(env));
    },
  },
  {
    row: 3,
    name: "a worker stopped past its lease and resumed",
    full: 6,
    short: 1,
    async run(iteration) {
      const proxy = await iteration.proxyDatabase();
      await iteration.web();
      const stopped = await iteration.worker(await iteration.database(proxy.port));
      let stops = 0;
      for (let each = 0; each < iteration.orders; each++) {
        // Counted from the stored order: before that nothing can be lost. Each point once.
        let left = iteration.short ? iteration.random.between(1, 6) : (each % 6) + 1;
        let isStopped = false;
        proxy.onAnswer = async () => {
          if (isStopped || !(await isLeased(iteration))) return;
          left -= 1;
          if (left > 0) return;
          isStopped = stopped.child.kill("SIGSTOP");
          stops += 1;
        };
        const order = iteration.sales.buy(2);
        await becomesTrue(
          async () => isStopped || (iteration.sales.isInsured(order) && (await iteration.isQuiet())),
        );
        proxy.onAnswer = () => undefined;
        const other = await iteration.worker();
        // The lease ends, the queue misses the heartbeat, the other process takes over; then the first one resumes.
        if (!(await iteration.sales.insured(order)))
          iteration.wrong.push("the other worker did not take over");
        stopped.child.kill("SIGCONT");
        await becomesTrue(() => iteration.isQuiet());
        await other.end("SIGTERM");
      }
      if (stops === 0) iteration.wrong.push("no worker was stopped");
    },
  },
];
