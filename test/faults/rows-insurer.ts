/** Faults of the insurer. */
import { setTimeout as wait } from "node:timers/promises";
import type { Order } from "#test/sandbox/shop/state.ts";
import { operations, outcomes } from "./break.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";
import { becomesTrue } from "#test/eventually.ts";

export const insurerRows: Row[] = [
  {
    row: 4,
    name: "the insurer commits and the answer is lost",
    full: 40,
    short: 3,
    isTested: true,
    async run(iteration) {
      await iteration.open(1);
      for (let each = 0; each < iteration.orders; each++) {
        iteration.testApp.insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
        iteration.sales.buy(iteration.random.between(1, 3));
        await wait(30);
      }
      // Each order needs at least one plan, so each answer to lose is sent.
      if (!(await becomesTrue(() => iteration.faultsMet("reset_after") === iteration.orders)))
        iteration.wrong.push(`only ${iteration.faultsMet("reset_after")} answers were lost`);
    },
  },
  {
    row: 4,
    name: "answers 500, 429, HTML, truncated JSON, at random",
    full: 100,
    short: 8,
    async run(iteration) {
      await iteration.open();
      let placed = 0;
      for (let each = 0; each < iteration.orders; each++) {
        const operation = iteration.random.pick(operations);
        if (askedOfEachOrder.has(operation)) placed += 1;
        // Some requests in between succeed. After ten failures in a row the account is paused and one order probes it
        // at growing intervals. That is another row, and here it would prevent most faults.
        const skip = iteration.random.between(0, 2);
        iteration.testApp.insurance.faults.add({ operation, skip, ...iteration.random.pick(outcomes) });
        const order = iteration.sales.buy(iteration.random.between(1, 3));
        if (iteration.random.next() < 0.2) iteration.sales.cancel(order);
        await wait(iteration.random.between(0, 60));
      }
      await iteration.testApp.shops[0].webhooks.settled();
      // Rare requests (lists, cancellations) may meet no fault, nor may the last ones.
      const { log } = iteration.testApp.insurance.traffic;
      const met = () =>
        log.filter(({ fault, operation }) => fault !== null && askedOfEachOrder.has(operation)).length;
      if (!(await becomesTrue(() => met() >= placed / 2)))
        iteration.wrong.push(`only ${met()} requests met one of ${placed} faults`);
      iteration.testApp.insurance.faults.clear();
    },
  },
  {
    row: 4,
    name: "30 s slow",
    full: 8,
    short: 1,
    async run(iteration) {
      // The client times out after 10 s; the insurer creates the plan afterwards.
      const [ms, settle] = iteration.short ? [11_000, "13"] : [30_000, "45"];
      await iteration.open(1, { INSURANCE_CONSISTENCY_SECONDS: settle });
      const slow = { operation: "plans.create", kind: "latency", ms, times: iteration.orders } as const;
      iteration.testApp.insurance.faults.add(slow);
      for (let each = 0; each < iteration.orders; each++) iteration.sales.buy(iteration.random.between(1, 2));
      if (!(await becomesTrue(() => iteration.faultsMet("latency") === iteration.orders, 120_000)))
        iteration.wrong.push(`only ${iteration.faultsMet("latency")} requests were slow`);
    },
  },
  {
    row: 4,
    name: "down for 72 hours (the queue's clock moved on)",
    full: 20,
    short: 3,
    async run(iteration) {
      await iteration.open(1);
      iteration.testApp.insurance.faults.add({ operation: "*", kind: "status", status: 503, times: null });
      const orders: Order[] = [];
      for (let each = 0; each < iteration.orders; each++) orders.push(iteration.sales.buy());
      await iteration.testApp.shops[0].webhooks.settled();
      const cancelled = orders.at(-1);
      const hours = iteration.short ? 3 : 72;
      for (let hour = 0; hour < hours; hour++) {
        // Advances every waiting job by an hour, with the retries that it would have had. In the first hour the delay
        // grows from seconds, then it is ten minutes.
        const tries = hour === 0 ? 12 : 5;
        await iteration.query((read) =>
          read(
            `UPDATE pgboss.job SET start_after = start_after - interval '1 hour', created_on = created_on - interval '1 hour',
               keep_until = keep_until - interval '1 hour',
               retry_count = retry_count + CASE WHEN state = 'retry' THEN ${tries} ELSE 0 END
             WHERE state IN ('created', 'retry') AND name <> 'hourly'`,
          ),
        );
        if (hour === Math.floor(hours / 2) && cancelled) iteration.sales.cancel(cancelled);
        if (!(await becomesTrue(() => nothingDue(iteration), 60_000)))
          iteration.wrong.push("a job was due and not tried");
      }
      if (iteration.sales.judge().found > 0) iteration.wrong.push("the insurer was not down");
      iteration.testApp.insurance.faults.clear();
      // Jobs that still wait have failed often enough to wait ten minutes more; one may be failing now.
      await becomesTrue(async () => {
        await iteration.query((read) =>
          read(
            `UPDATE pgboss.job SET start_after = now()
             WHERE state IN ('created', 'retry') AND start_after > now() AND name <> 'hourly'`,
          ),
        );
        return iteration.isQuiet();
      }, 240_000);
    },
  },
];

const askedOfEachOrder: ReadonlySet<string> = new Set(["plans.create", "orders.record"]);

/** Every due job has run once. */
async function nothingDue(iteration: Iteration): Promise<boolean> {
  const due = await iteration.query((read) =>
    read(
      `SELECT 1 FROM pgboss.job WHERE (state = 'active' OR (state IN ('created', 'retry') AND start_after <= now()))
         AND name IN ('webhook', 'order', 'account-probe') LIMIT 1`,
    ),
  );
  return due.length === 0;
}
