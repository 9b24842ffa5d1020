/** Faults on the way in: duplicates, disorder, lost webhooks, floods, and the database under the web process. */
import { setTimeout as wait } from "node:timers/promises";
import type { Order } from "#test/sandbox/shop/state.ts";
import { breakService, mendService } from "./break.ts";
import { reconcile } from "./door.ts";
import type { Round } from "./round.ts";
import type { Row } from "./row.ts";
import { becomesTrue } from "#test/eventually.ts";

/** Slow enough for the rest to arrive while a plan is being made. */
const slowly = { operation: "plans.create", kind: "latency", ms: 150, times: null } as const;

const tooMany = {
  operation: "plans.create",
  kind: "status",
  status: 429,
  retry_after: "60",
  times: null,
} as const;

async function deliverTenTimes(round: Round, order: Order): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 10 }, () => round.sales.deliverAgain(order)));
  if (answers.some((status) => status !== 200))
    round.wrong.push(`another event of a known order was answered ${answers.join(", ")}`);
}

export const intakeRows: Row[] = [
  {
    row: 1,
    name: "one delivery 50 times at once",
    full: { server: 40, embedded: 40 },
    short: 3,
    tested: "server",
    async play(round) {
      await round.open();
      breakService(round.house, slowly);
      round.house.shops[0].webhooks.behaviour.duplicates = 49;
      for (let each = 0; each < round.orders; each++) {
        round.sales.buy(round.random.between(1, 3));
        await wait(round.random.between(0, 200));
      }
    },
  },
  {
    row: 1,
    name: "one order under different event ids, with reconciliation running",
    full: { server: 40, embedded: 40 },
    short: 2,
    async play(round) {
      const { workers } = await round.open();
      const half = Math.ceil(round.orders / 2);
      // Known, and not insured yet: what comes next for these finds everything still to be done.
      breakService(round.house, tooMany);
      const waiting = Array.from({ length: half }, () => round.sales.buy(round.random.between(1, 2)));
      await becomesTrue(() => round.faultsMet("status") >= half, 60_000);
      // Nobody works while the events pile up, so that several of one order are taken at the same moment.
      await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
      mendService(round.house);
      breakService(round.house, slowly);
      for (const order of waiting) await deliverTenTimes(round, order);
      const reconciliations = [reconcile(round.house)];
      await Promise.all(workers.map(() => round.worker()));
      for (let each = half; each < round.orders; each++) {
        const order = round.sales.buy(round.random.between(1, 2));
        if (each % 5 === 0) reconciliations.push(reconcile(round.house));
        await deliverTenTimes(round, order);
      }
      await Promise.all(reconciliations);
    },
  },
  {
    row: 2,
    name: "cancelled before, during, after paid",
    full: { server: 60, embedded: 60 },
    short: 6,
    async play(round) {
      const [shop] = round.house.shops;
      await round.open();
      breakService(round.house, slowly);
      const whens = ["before", "during", "after", "never"] as const;
      for (let each = 0; each < round.orders; each++) {
        // The short form has too few orders to leave it to chance.
        const when = round.short ? whens[each % whens.length] : round.random.pick(whens);
        // Late enough for the cancellation to be processed first, or just swapped with it.
        if (when === "before") shop.webhooks.behaviour.delayMs = round.random.pick([0, 100, 1_000]);
        if (when === "before" && shop.webhooks.behaviour.delayMs === 0) shop.webhooks.behaviour.disorder = 10;
        const order = round.sales.buy(round.random.between(1, 3));
        shop.webhooks.behaviour.delayMs = 0;
        if (when === "never") continue;
        if (when === "during") await wait(round.random.between(0, 500));
        if (when === "after") await round.sales.insured(order);
        round.sales.cancel(order);
        shop.webhooks.behaviour.disorder = 0;
        shop.webhooks.release();
      }
      mendService(round.house);
    },
  },
  {
    row: 5,
    name: "the database gone for 10 minutes: 503 quickly, never a false 200, catches up",
    full: { server: 60 },
    short: 6,
    async play(round) {
      const [shop] = round.house.shops;
      const tap = await round.tapDatabase();
      await round.open(1, await round.database(tap.port));
      for (let each = 0; each < round.orders / 2; each++) round.sales.buy();
      await shop.webhooks.settled();
      tap.cut();
      const from = shop.webhooks.log.length;
      const pause = round.short ? 50 : 600_000 / (round.orders / 2);
      for (let each = 0; each < round.orders / 2; each++) {
        round.sales.buy();
        await wait(pause);
      }
      await round.attempted(from);
      const attempts = shop.webhooks.log.slice(from).flatMap((delivery) => delivery.attempts);
      if (attempts.some(({ status }) => status === 200))
        round.wrong.push("a webhook was acknowledged without a database");
      const others = attempts.filter(({ status }) => status !== 503);
      if (attempts.length === 0 || others.length > 0)
        round.wrong.push(`of ${attempts.length} answers ${others.length} were not 503`);
      const slowest = Math.max(...attempts.map(({ ms }) => ms));
      if (slowest > 5_000 && !round.short)
        round.wrong.push(`an answer took ${slowest} ms: the platform waits 5 s`);
      tap.mend();
    },
  },
  {
    row: 5,
    name: "the database's machine vanishes without a word, another takes its address: no false 200, serves again",
    full: { server: 60 },
    short: 8,
    async play(round) {
      const [shop] = round.house.shops;
      const tap = await round.tapDatabase();
      const statementSeconds = round.short ? 3 : 60;
      const env = { STATEMENT_TIMEOUT_SECONDS: String(statementSeconds), LOCK_TIMEOUT_SECONDS: "3" };
      const { workers } = await round.open(1, { ...(await round.database(tap.port)), ...env });
      const third = Math.floor(round.orders / 3);
      for (let each = 0; each < third; each++) round.sales.buy();
      await shop.webhooks.settled();
      const from = shop.webhooks.log.length;
      // Some are on their way as it happens.
      for (let each = 0; each < third; each++) round.sales.buy();
      tap.vanish();
      const gone = shop.webhooks.log.length;
      for (let each = 0; each < third; each++) round.sales.buy();
      await round.attempted(from);
      const attempts = shop.webhooks.log.slice(gone).flatMap((delivery) => delivery.attempts);
      if (attempts.length === 0 || attempts.some(({ status }) => status === 200))
        round.wrong.push("a webhook was acknowledged without a database");
      tap.mend();
      const mended = performance.now();
      const seconds = () => Math.round((performance.now() - mended) / 100) / 10;
      const limit = (statementSeconds + 15) * 1_000;
      const stored = () => shop.webhooks.log.slice(gone).some(({ state }) => state === "delivered");
      if (!(await becomesTrue(stored, limit * 2))) round.wrong.push("no webhook is stored any more");
      round.said.push(`the first webhook was stored ${seconds()} s after the other machine was there`);
      const order = round.sales.buy();
      if (!(await becomesTrue(() => round.sales.isInsured(order), limit * 2)))
        round.wrong.push("an order of later is not insured");
      round.said.push(`an order of later was insured ${seconds()} s after`);
      if (seconds() * 1_000 > limit && !round.short)
        round.wrong.push(`it took more than the ${limit / 1_000} s after which connections are given up`);
      if (workers.some((worker) => worker.gone())) round.wrong.push("a worker is gone");
    },
  },
  {
    row: 8,
    name: "5% of webhooks dropped: reconciliation finds all",
    full: { server: 200, embedded: 200 },
    short: 15,
    tested: "server",
    async play(round) {
      const [shop] = round.house.shops;
      await round.open();
      // The short form has too few orders for one in twenty.
      shop.webhooks.behaviour.dropShare = round.short ? 0.3 : 0.05;
      for (let each = 0; each < round.orders; each++) {
        const order = round.sales.buy(round.random.between(1, 2));
        if (round.random.next() < 0.2) round.sales.cancel(order);
        if (each % 20 === 0) await wait(50);
      }
      shop.webhooks.behaviour.dropShare = 0;
      if (!shop.webhooks.log.some(({ state }) => state === "dropped"))
        round.wrong.push("no webhook was dropped, so nothing was tried");
      // A dropped webhook is recovered as the iteration settles.
    },
  },
  {
    row: 10,
    name: "1,000 paid orders in one second",
    full: { server: 1_000, embedded: 1_000 },
    short: 40,
    async play(round) {
      await round.open();
      const started = Date.now();
      for (let each = 0; each < round.orders; each++) {
        round.sales.buy();
        const due = (each * 1_000) / round.orders - (Date.now() - started);
        if (due > 0) await wait(due);
      }
    },
  },
];
