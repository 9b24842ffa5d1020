import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { jobQueue, sendJob, sendJobs } from "#app/jobs/queue.server.ts";
import { createConsumer } from "#app/jobs/consumer.server.ts";
import type { Consumer, ConsumerOptions } from "#app/jobs/consumer.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { isDatabaseLoss } from "#app/platform/database-errors.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { eventually } from "#test/eventually.ts";
import { rowsWith } from "#test/routes/database-print.ts";

const NAME = "order";
const withError = z.object({ err: z.instanceof(Error) });
const consumers: Consumer[] = [];

async function open(options: Partial<ConsumerOptions> & Pick<ConsumerOptions, "work">): Promise<Consumer> {
  const consumer = createConsumer(await jobQueue(), {
    name: NAME,
    concurrency: 4,
    merchantConcurrency: 2,
    hasBacklogs: true,
    coversOthers: false,
    ...options,
  });
  consumers.push(consumer);
  return consumer;
}

async function send(shop: string, ...orderIds: string[]): Promise<void> {
  for (const orderId of orderIds)
    await sendJob(db, NAME, { shop, orderId }, { singletonKey: `${shop}:${orderId}` });
}

/** The state of each job of a shop, and its result. */
async function states(shop: string) {
  return db.$queryRaw<{ state: string; message: string | null }[]>`
    SELECT state::text, output->>'message' AS message FROM pgboss.job
    WHERE name = ${NAME} AND data->>'shop' = ${shop} ORDER BY created_on`;
}

/** A job's data, as these tests sent it. */
const orderOf = (data: unknown): string =>
  typeof data === "object" && data !== null && "orderId" in data ? String(data.orderId) : "";

/** Work that lasts until the test signals its end. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { passed: promise, open: () => resolve(undefined) };
}

beforeAll(() => jobQueue());
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop(0)));
  await db.$executeRaw`DELETE FROM pgboss.job WHERE name = ${NAME}`;
});

test("what the library reports as an error's parts is logged as an error, and a lost database is told from it", async () => {
  const written = vi.spyOn(log, "error");
  onTestFinished(() => written.mockRestore());
  // As the library's refresh of its queues reports it.
  const parts = { name: "Error", message: "connect ECONNREFUSED 127.0.0.1:5432", code: "ECONNREFUSED" };
  (await jobQueue()).emit("error", parts);
  const [fields] = written.mock.calls[0] ?? [];
  expect(isDatabaseLoss(withError.parse(fields).err, { port: null, isLost: false })).toBe(true);
});

test("as many of a merchant's jobs as are allowed run at once, and another merchant's beside them", async () => {
  const all = gate();
  const running: string[] = [];
  await send("flood", "1", "2", "3", "4", "5", "6");
  await send("quiet", "7");
  await open({
    work: async ({ data }) => {
      running.push(orderOf(data));
      await all.passed;
    },
  });
  await eventually(() => expect(running).toHaveLength(3));
  expect(running).toContain("7");
  all.open();
  await eventually(async () =>
    expect((await states("flood")).map(({ state }) => state)).toEqual(Array(6).fill("completed")),
  );
  expect(running.toSorted()).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
});

test("a failing job is recorded as failed and retried, without its error's details; jobs beside it are done", async () => {
  await send("mixed", "1", "2", "3");
  await open({
    work: async ({ data }) => {
      await Promise.resolve();
      if (orderOf(data) === "1") throw new AppError("not today");
      if (orderOf(data) === "3") throw Object.assign(new Error("Zoé Marchand"), { response: "Zoé" });
    },
  });
  await eventually(async () =>
    expect(await states("mixed")).toEqual([
      { state: "retry", message: "not today" },
      { state: "completed", message: null },
      { state: "retry", message: "Error" },
    ]),
  );
  expect(await rowsWith("Zoé")).toEqual([]);
});

test("a job that fails while an earlier one of its key waits for its next attempt is done, and no dead letter", async () => {
  const failing = "claim-changes";
  let tries = 0;
  const look = () => db.$queryRaw<{ name: string; state: string }[]>`
    SELECT name, state::text FROM pgboss.job WHERE data->>'shop' = 'covered' ORDER BY created_on`;
  const sendOne = () => sendJob(db, failing, { shop: "covered" }, { singletonKey: "covered:1" });
  await open({
    name: failing,
    coversOthers: true,
    work: () => {
      tries += 1;
      return Promise.reject(new AppError("not today"));
    },
  });
  await sendOne();
  await eventually(async () => expect(await look()).toEqual([{ name: failing, state: "retry" }]));
  // Not before the second has failed.
  await db.$executeRaw`UPDATE pgboss.job SET start_after = now() + interval '1 hour' WHERE name = ${failing}`;
  await sendOne();
  await eventually(async () =>
    expect(await look()).toEqual([
      { name: failing, state: "retry" },
      { name: failing, state: "completed" },
    ]),
  );
  expect(tries).toBe(2);
});

test("a job that takes too long is given up, learns of it, and leaves its place to the next", async () => {
  const ended: string[] = [];
  await send("slow", "1", "2");
  await db.$executeRaw`UPDATE pgboss.job SET expire_seconds = 1 WHERE data->>'orderId' = '1'`;
  await open({
    concurrency: 1,
    work: async ({ data }, signal) => {
      if (orderOf(data) === "1") await wait(60_000, undefined, { signal }).catch(() => ended.push("1"));
      else ended.push("2");
    },
  });
  await eventually(() => expect(ended).toEqual(["1", "2"]));
  await eventually(async () =>
    expect(await states("slow")).toEqual([
      { state: "retry", message: "The job timed out after 1 s" },
      { state: "completed", message: null },
    ]),
  );
});

test.each([
  ["running jobs may finish", 60_000, { state: "completed", message: null }],
  [
    "one that does not goes back to the queue",
    0,
    { state: "retry", message: "The process stopped before the job ended" },
  ],
])("at the end of the process %s, and none is taken any more", async (_, patienceMs, outcome) => {
  const held = gate();
  const running: string[] = [];
  await send("ending", "1");
  const consumer = await open({
    work: async ({ data }) => {
      running.push(orderOf(data));
      await held.passed;
    },
  });
  await eventually(() => expect(running).toEqual(["1"]));
  const over = consumer.stop(patienceMs);
  if (patienceMs > 0) held.open();
  await over;
  await send("ending", "2");
  consumer.wake();
  expect(await states("ending")).toEqual([outcome, { state: "created", message: null }]);
  // The stopped process could have taken any job of another one.
  const taken: string[] = [];
  await open({ work: ({ data }) => Promise.resolve(void taken.push(orderOf(data))) });
  await eventually(() => expect(taken).toContain("2"));
  expect(running).toEqual(["1"]);
});

test("a job whose claim was lost learns of it at the next heartbeat", async () => {
  const lost = gate();
  await send("lost", "1");
  await open({
    work: async (_, signal) => {
      await db.$executeRaw`UPDATE pgboss.job SET retry_count = retry_count + 1 WHERE data->>'shop' = 'lost'`;
      signal.addEventListener("abort", lost.open);
      await lost.passed;
    },
  });
  await lost.passed;
  // The report of the previous attempt does not change the current attempt.
  expect((await states("lost")).map(({ state }) => state)).toEqual(["active"]);
});

/** The number of rows that a statement reads from the queue's tables. */
async function rowsRead(statement: string, values: unknown[]): Promise<number> {
  interface Node {
    "Relation Name"?: string | undefined;
    "Actual Rows": number;
    "Actual Loops": number;
    "Rows Removed by Filter"?: number | undefined;
    Plans?: Node[] | undefined;
  }
  const node: z.ZodType<Node> = z.lazy(() =>
    z.object({
      "Relation Name": z.string().optional(),
      "Actual Rows": z.number(),
      "Actual Loops": z.number(),
      "Rows Removed by Filter": z.number().optional(),
      Plans: z.array(node).optional(),
    }),
  );
  const plan = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: node })]) })]);
  const sum = (one: Node): number => {
    const rows = (one["Actual Rows"] + (one["Rows Removed by Filter"] ?? 0)) * one["Actual Loops"];
    const own = one["Relation Name"] === undefined ? 0 : rows;
    return own + (one.Plans ?? []).reduce((total, each) => total + sum(each), 0);
  };
  const [{ "QUERY PLAN": explained }] = plan.parse(
    await db.$queryRawUnsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`, ...values),
  );
  return sum(explained[0].Plan);
}

test("a merchant's backlog does not delay others: their jobs are fetched without reading it, and all of it is processed", async () => {
  const flood = Array.from({ length: 700 }, (_, number) => ({
    payload: { shop: "flood", orderId: String(number) },
    singletonKey: String(number),
  }));
  await db.$transaction((transaction) => sendJobs(transaction, NAME, flood));
  // As autovacuum does later: without it the planner assumes an empty table.
  await db.$executeRaw`ANALYZE`;
  const all = gate();
  const running = new Set<string>();
  const executed = vi.spyOn((await jobQueue()).getDb(), "executeSql");
  await open({
    work: async ({ data }) => {
      running.add(orderOf(data));
      await all.passed;
    },
  });
  await eventually(() => running.size === 2);
  await send("quiet", "quiet");
  await eventually(() => running.has("quiet"));
  expect(running.size).toBe(3);
  const fetches = executed.mock.calls.filter(([statement]) => statement.includes("group_ranking"));
  executed.mockRestore();
  const [statement = "", values = []] = fetches.at(-1) ?? [];
  // The flood's step that was taken from the backlog; the others stay.
  expect(await rowsRead(statement, values)).toBeLessThan(450);
  all.open();
  await eventually(() => running.size === 701);
  await eventually(async () =>
    expect(new Set((await states("flood")).map(({ state }) => state))).toEqual(new Set(["completed"])),
  );
});

test("jobs of a merchant that wait for their next try do not keep its backlog waiting", async () => {
  await db.$executeRaw`
    INSERT INTO pgboss.job (name, data, group_id, start_after)
    SELECT ${NAME}, jsonb_build_object('shop', 'flood', 'orderId', 'later'), 'flood', now() + interval '1 hour'
    FROM generate_series(1, 150)`;
  const sent = Array.from({ length: 101 }, (_, number) => ({
    payload: { shop: "flood", orderId: String(number) },
    singletonKey: String(number),
  }));
  await db.$transaction((transaction) => sendJobs(transaction, NAME, sent));
  const done = new Set<string>();
  await open({
    work: async ({ data }) => {
      done.add(orderOf(data));
      return Promise.resolve();
    },
  });
  await eventually(() => done.size === 101);
});
