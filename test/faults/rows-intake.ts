/** Faults of the intake: duplicates, disorder, lost webhooks, floods, and a database failure under the web process. */
import { setTimeout as wait } from "node:timers/promises";
import type { Order } from "#test/sandbox/shop/state.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";
import { becomesTrue } from "#test/eventually.ts";

/** Slow enough for the other events to arrive while a plan is being created. */
const slowly = { operation: "plans.create", kind: "latency", ms: 150, times: null } as const;

const tooMany = {
  operation: "plans.create",
  kind: "status",
  status: 429,
  retry_after: "60",
  times: null,
} as const;

async function deliverTenTimes(iteration: Iteration, order: Order): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 10 }, () => iteration.sales.deliverAgain(order)));
  if (answers.some((status) => status !== 200))
    iteration.wrong.push(`another event of a known order was answered ${answers.join(", ")}`);
}

export const intakeRows: Row[] = [
  {
    row: 1,
    name: "one delivery 50 times at once",
    full: 40,
    short: 3,
    isTested: true,
    async run(iteration) {
      await iteration.open();
      iteration.testApp.insurance.faults.add(slowly);
      iteration.testApp.shops[0].webhooks.behaviour.duplicates = 49;
      for (let each = 0; each < iteration.orders; each++) {
        iteration.sales.buy(iteration.random.between(1, 3));
        await wait(iteration.random.between(0, 200));
      }
    },
  },
  {
    row: 1,
    name: "one order under different event ids, with reconciliation running",
    full: 40,
    short: 2,
    async run(iteration) {
      const { workers } = await iteration.open();
      const half = Math.ceil(iteration.orders / 2);
      // Stored, and not insured yet: the next events find all work still open.
      iteration.testApp.insurance.faults.add(tooMany);
      const waiting = Array.from({ length: half }, () => iteration.sales.buy(iteration.random.between(1, 2)));
      await becomesTrue(() => iteration.faultsMet("status") >= half);
      // No worker runs while the events arrive, so several of one order are processed at the same moment.
      await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
      iteration.testApp.insurance.faults.clear();
      iteration.testApp.insurance.faults.add(slowly);
      for (const order of waiting) await deliverTenTimes(iteration, order);
      await iteration.startHourlyJob();
      await Promise.all(workers.map(() => iteration.worker()));
      for (let each = half; each < iteration.orders; each++) {
        const order = iteration.sales.buy(iteration.random.between(1, 2));
        if (each % 5 === 0) await iteration.startHourlyJob();
        await deliverTenTimes(iteration, order);
      }
    },
  },
  {
    row: 2,
    name: "cancelled before, during, after paid",
    full: 60,
    short: 6,
    async run(iteration) {
      const [shop] = iteration.testApp.shops;
      await iteration.open();
      iteration.testApp.insurance.faults.add(slowly);
      const whens = ["before", "during", "after", "never"] as const;
      for (let each = 0; each < iteration.orders; each++) {
        // The short form has too few orders for a random choice.
        const when = iteration.short ? whens[each % whens.length] : iteration.random.pick(whens);
        // Late enough for the cancellation to be processed first, or swapped with it.
        if (when === "before") shop.webhooks.behaviour.delayMs = iteration.random.pick([0, 100, 1_000]);
        if (when === "before" && shop.webhooks.behaviour.delayMs === 0) shop.webhooks.behaviour.disorder = 10;
        const order = iteration.sales.buy(iteration.random.between(1, 3));
        shop.webhooks.behaviour.delayMs = 0;
        if (when === "never") continue;
        if (when === "during") await wait(iteration.random.between(0, 500));
        if (when === "after") await iteration.sales.insured(order);
        iteration.sales.cancel(order);
        shop.webhooks.behaviour.disorder = 0;
        shop.webhooks.release();
      }
      iteration.testApp.insurance.faults.clear();
    },
  },
  {
    row: 5,
    name: "the database gone for 10 minutes: 503 quickly, never a false 200, catches up",
    full: 60,
    short: 6,
    async run(iteration) {
      const [shop] = iteration.testApp.shops;
      const proxy = await iteration.proxyDatabase();
      await iteration.open(1, await iteration.database(proxy.port));
      for (let each = 0; each < iteration.orders / 2; each++) iteration.sales.buy();
      await shop.webhooks.settled();
      proxy.cut();
      const from = shop.webhooks.log.length;
      const pause = iteration.short ? 50 : 600_000 / (iteration.orders / 2);
      for (let each = 0; each < iteration.orders / 2; each++) {
        iteration.sales.buy();
        await wait(pause);
      }
      await iteration.attempted(from);
      const attempts = shop.webhooks.log.slice(from).flatMap((delivery) => delivery.attempts);
      if (attempts.some(({ status }) => status === 200))
        iteration.wrong.push("a webhook was acknowledged without a database");
      const others = attempts.filter(({ status }) => status !== 503);
      if (attempts.length === 0 || others.length > 0)
        iteration.wrong.push(`of ${attempts.length} answers ${others.length} were not 503`);
      const slowest = Math.max(...attempts.map(({ ms }) => ms));
      if (slowest > 5_000 && !iteration.short)
        iteration.wrong.push(`an answer took ${slowest} ms: Shopify waits 5 s`);
      proxy.mend();
    },
  },
  {
    row: 5,
    name: "the database's machine vanishes without a word, another takes its address: no false 200, serves again",
    full: 60,
    short: 8,
    async run(iteration) {
      const [shop] = iteration.testApp.shops;
      const proxy = await iteration.proxyDatabase();
      const statementSeconds = iteration.short ? 3 : 60;
      const env = { STATEMENT_TIMEOUT_SECONDS: String(statementSeconds), LOCK_TIMEOUT_SECONDS: "3" };
      const { workers } = await iteration.open(1, { ...(await iteration.database(proxy.port)), ...env });
      const third = Math.floor(iteration.orders / 3);
      for (let each = 0; each < third; each++) iteration.sales.buy();
      await shop.webhooks.settled();
      const from = shop.webhooks.log.length;
      // Some requests are in transit at that moment.
      for (let each = 0; each < third; each++) iteration.sales.buy();
      proxy.vanish();
      const gone = shop.webhooks.log.length;
      for (let each = 0; each < third; each++) iteration.sales.buy();
      await iteration.attempted(from);
      const attempts = shop.webhooks.log.slice(gone).flatMap((delivery) => delivery.attempts);
      if (attempts.length === 0 || attempts.some(({ status }) => status === 200))
        iteration.wrong.push("a webhook was acknowledged without a database");
      proxy.mend();
      const mended = performance.now();
      const seconds = () => Math.round((performance.now() - mended) / 100) / 10;
      const limit = (statementSeconds + 15) * 1_000;
      const stored = () => shop.webhooks.log.slice(gone).some(({ state }) => state === "delivered");
      if (!(await becomesTrue(stored, limit * 2))) iteration.wrong.push("no webhook is stored any more");
      iteration.said.push(`the first webhook was stored ${seconds()} s after the other machine was there`);
      const order = iteration.sales.buy();
      if (!(await becomesTrue(() => iteration.sales.isInsured(order), limit * 2)))
        iteration.wrong.push("an order of later is not insured");
      iteration.said.push(`an order of later was insured ${seconds()} s after`);
      if (seconds() * 1_000 > limit && !iteration.short)
        iteration.wrong.push(`it took more than the ${limit / 1_000} s after which connections are given up`);
      if (workers.some((worker) => worker.gone())) iteration.wrong.push("a worker is gone");
    },
  },
  {
    row: 8,
    name: "5% of webhooks dropped: reconciliation finds all",
    full: 200,
    short: 15,
    isTested: true,
    async run(iteration) {
      const [shop] = iteration.testApp.shops;
      await iteration.open();
      // The short form has too few orders for one in twenty.
      shop.webhooks.behaviour.dropShare = iteration.short ? 0.3 : 0.05;
      for (let each = 0; each < iteration.orders; each++) {
        const order = iteration.sales.buy(iteration.random.between(1, 2));
        if (iteration.random.next() < 0.2) iteration.sales.cancel(order);
        if (each % 20 === 0) await wait(50);
      }
      shop.webhooks.behaviour.dropShare = 0;
      if (!shop.webhooks.log.some(({ state }) => state === "dropped"))
        iteration.wrong.push("no webhook was dropped, so nothing was tried");
      // The reconciliation recovers a dropped webhook while the iteration settles.
    },
  },
  {
    row: 10,
    name: "1,000 paid orders in one second",
    full: 1_000,
    short: 40,
    async run(iteration) {
      await iteration.open();
      const started = Date.now();
      for (let each = 0; each < iteration.orders; each++) {
        iteration.sales.buy();
        const due = (each * 1_000) / iteration.orders - (Date.now() - started);
        if (due > 0) await wait(due);
      }
    },
  },
];
