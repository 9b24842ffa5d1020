/** Faults of the machine under the app: a restart under load, a wrong clock. */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DidNotStartError } from "./processes.ts";
import type { AppProcess } from "./processes.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";
import { becomesTrue } from "#test/eventually.ts";

/** Sells, and waits for enough fresh creation requests that each worker processes some. */
async function manyUnderWay(iteration: Iteration): Promise<void> {
  const { counts } = iteration.testApp.insurance.traffic;
  const requested = () => counts.get("plans.create") ?? 0;
  const before = requested();
  for (let each = 0; each < 10; each++) iteration.sales.buy();
  if (!(await becomesTrue(() => requested() >= before + 5))) iteration.wrong.push("nothing was under way");
}

/**
 * Restarts a process until it is ready, as a supervisor does: PgBouncer needs some seconds to accept a restarted
 * server.
 */
async function supervised(start: () => Promise<AppProcess>): Promise<AppProcess> {
  for (const startedAt = performance.now(); ;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof DidNotStartError) || performance.now() - startedAt > 60_000) throw error;
    }
    await wait(500);
  }
}

export const machineRows: Row[] = [
  {
    row: 9,
    name: "SIGTERM with two instances under load: drained within 10 s",
    full: 300,
    short: 40,
    isTested: true,
    async run(iteration) {
      let {
        web,
        workers: [one, two],
      } = await iteration.open(2);
      if (!one || !two) throw new Error("There are no two instances");
      iteration.testApp.insurance.faults.add({
        operation: "plans.create",
        kind: "latency",
        ms: 300,
        times: null,
      });
      const half = Math.floor(iteration.orders / 2);
      const drained: number[] = [];
      for (let each = 0; each < iteration.orders; each++) {
        iteration.sales.buy();
        await wait(10);
        if (each === half) {
          await manyUnderWay(iteration);
          drained.push(await one.end("SIGTERM"));
          one = await iteration.worker();
          drained.push(await web.end("SIGTERM"));
          web = await iteration.web();
        }
        if (each === half + 10) {
          await manyUnderWay(iteration);
          drained.push(await two.end("SIGTERM"));
          two = await iteration.worker();
        }
      }
      const slowest = Math.round(Math.max(...drained));
      // Absolute times hold only for the full form on an otherwise idle machine.
      if (slowest > 10_000 && !iteration.short) iteration.wrong.push(`draining took ${slowest} ms`);
      // Drained: the process finished its jobs instead of leaving them to another one.
      const cutOff = await iteration.query((read) =>
        read(`SELECT 1 FROM "OrderEvent" AS request WHERE type = 'requested' AND NOT EXISTS (
          SELECT FROM "OrderEvent" AS answer WHERE (answer.shop, answer."orderId") = (request.shop, request."orderId")
            AND answer.key = replace(request.key, 'requested', 'answered') AND answer.data->>'outcome' <> 'unclear')`),
      );
      if (cutOff.length > 0 && !iteration.short)
        iteration.wrong.push(`${cutOff.length} creations were cut off`);
      if (one.gone() || two.gone() || web.gone()) iteration.wrong.push("a restarted process is gone");
    },
  },
  {
    row: 9,
    name: "SIGTERM while the database does not answer: gone within 20 s, nothing lost",
    full: 20,
    short: 12,
    async run(iteration) {
      const proxy = await iteration.proxyDatabase();
      const database = await iteration.database(proxy.port);
      const half = Math.floor(iteration.orders / 2);
      const stops: string[] = [];
      for (const fault of ["cut", "vanish"] as const) {
        const processes = [
          await supervised(() => iteration.worker(database)),
          await supervised(() => iteration.web(database)),
        ];
        iteration.testApp.insurance.faults.add({
          operation: "plans.create",
          kind: "latency",
          ms: 300,
          times: null,
        });
        for (let each = 0; each < half; each++) iteration.sales.buy();
        await manyUnderWay(iteration);
        proxy[fault]();
        for (const process of processes) {
          const ms = await process.end("SIGTERM", 30_000);
          stops.push(`${Math.round(ms)} ms`);
          if (ms > 20_000 || process.child.exitCode === null)
            iteration.wrong.push(`a process was not gone within 20 s (${fault})`);
        }
        iteration.testApp.insurance.faults.clear();
        proxy.mend();
      }
      iteration.said.push(`worker and web process were gone after ${stops.join(", ")}`);
      for (const start of [() => iteration.web(database), () => iteration.worker(database)])
        await supervised(start);
    },
  },
  {
    row: 11,
    name: "clock 10 minutes off",
    full: 60,
    short: 6,
    async run(iteration) {
      const wrong = [join(import.meta.dirname, "wrong-clock.ts")];
      const minutes = (count: number) => ({ WRONG_CLOCK_MS: String(count * 60_000) });
      const offset = iteration.random.pick([-10, 10]);
      const consistency = { INSURANCE_CONSISTENCY_SECONDS: iteration.short ? "15" : "30" };
      await iteration.web({ ...consistency, ...minutes(offset) }, wrong);
      await Promise.all([10, -10].map((off) => iteration.worker({ ...consistency, ...minutes(off) }, wrong)));
      // The insurer creates the plan after the client's timeout: a look-up by the wrong clock finds nothing, and the
      // plan is created again.
      const late = {
        operation: "plans.create",
        kind: "latency",
        ms: 12_000,
        times: iteration.short ? 3 : 6,
      } as const;
      const lost = { operation: "plans.create", kind: "reset_after", skip: 1, times: 5 } as const;
      iteration.testApp.insurance.faults.add(late, lost);
      for (let each = 0; each < iteration.orders; each++) {
        const order = iteration.sales.buy(iteration.random.between(1, 2));
        if (iteration.random.next() < 0.25) iteration.sales.cancel(order);
        await wait(20);
      }
    },
  },
];
