import { expect, test } from "vitest";
import { z } from "zod";
import { jobs } from "#app/jobs/definitions.ts";
import { DEAD_LETTER, MAX_READ_PAST, queueBacklog } from "#app/jobs/queue-tables.server.ts";
import { jobQueue, sendJob, stopQueue } from "#app/jobs/queue.server.ts";
import { runDeadLetterCommand } from "#app/processes/dead-letter-commands.server.ts";
import { db } from "#app/platform/db.server.ts";

const NAME = "webhook";
const waiting = z.array(z.object({ state: z.string(), start: z.coerce.date(), now: z.coerce.date() }));

/** Seconds that a job waits: measured before and after it was reported as failed. */
interface Delay {
  longest: number;
  shortest: number;
}

/**
 * Fails the one job, and advances the clock to its next attempt.
 * @returns the wait before it; null: no further attempt
 */
async function failOnce(): Promise<Delay | null> {
  const queue = await jobQueue();
  const [job] = await queue.fetch(NAME);
  if (!job) throw new Error("The job does not come back");
  const look = async () =>
    waiting.parse(
      await db.$queryRaw`SELECT state::text, start_after AS start, now() AS now FROM pgboss.job WHERE name = ${NAME}`,
    )[0];
  const before = await look();
  await queue.fail(NAME, job, { message: "The insurer is down" });
  const after = await look();
  if (!before || after?.state !== "retry") return null;
  await db.$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE name = ${NAME}`;
  const since = (moment: Date) => (after.start.getTime() - moment.getTime()) / 1_000;
  return { longest: since(before.now), shortest: since(after.now) };
}

test("an event that keeps failing is tried with growing delays for more than three days, then kept as a dead letter", async () => {
  await sendJob(db, NAME, { shop: "one.myshopify.com", inboxId: "1" });
  const delays: Delay[] = [];
  for (let delay = await failOnce(); delay !== null; delay = await failOnce()) delays.push(delay);

  // Each wait is random between one and two times the power of two, up to ten minutes.
  for (const [index, { longest, shortest }] of delays.slice(0, 8).entries()) {
    expect(longest).toBeGreaterThanOrEqual(2 ** (index + 1));
    expect(shortest).toBeLessThanOrEqual(2 ** (index + 2));
  }
  for (const { longest, shortest } of delays.slice(9)) {
    expect(longest).toBeGreaterThanOrEqual(600);
    expect(shortest).toBeLessThanOrEqual(600);
  }
  expect(delays.reduce((sum, { longest }) => sum + longest, 0)).toBeGreaterThan(3 * 24 * 3_600);

  const queue = await jobQueue();
  expect(await queue.findJobs(DEAD_LETTER)).toMatchObject([
    { data: { shop: "one.myshopify.com", inboxId: "1" } },
  ]);
});

test("whatever else an order waits for is tried as long", () => {
  const { retryLimit, retryDelay, retryDelayMax } = jobs[NAME];
  for (const name of ["order", "reconciliation"] as const)
    expect(jobs[name]).toMatchObject({ retryLimit, retryDelay, retryDelayMax });
});

test("the operator finds dead letters of all shops at the command line, and sends one or all of a job again", async () => {
  const queue = await jobQueue();
  await sendJob(db, "order", { shop: "two.myshopify.com", orderId: "7" });
  const [failing] = await queue.fetch("order");
  await db.$executeRaw`UPDATE pgboss.job SET retry_count = retry_limit WHERE id::text = ${failing?.id ?? ""}`;
  await queue.fail("order", failing?.id ?? "", {
    message: "Not connected",
    response: "Zoé Marchand",
  });

  const listed = await runDeadLetterCommand(["list"]);
  expect(listed).toMatchObject([
    { job: "order", reason: "Not connected", letters: 1, shops: 1 },
    { job: NAME, reason: "The insurer is down", letters: 1, shops: 1 },
    { job: "order", shop: "two.myshopify.com", orderId: "7", attempts: 451 },
    { job: NAME, shop: "one.myshopify.com", inboxId: "1", attempts: 451 },
  ]);
  expect(JSON.stringify(listed)).not.toContain("Zoé");
  const { id } = z.object({ id: z.string() }).parse(listed?.[2]);
  expect(await runDeadLetterCommand(["list", "--job", NAME, "--limit", "1"])).toHaveLength(2);
  expect(await runDeadLetterCommand(["list", "--shop", "three.myshopify.com"])).toEqual([{ deadLetters: 0 }]);
  expect(await runDeadLetterCommand(["show", id])).toMatchObject([{ id, orderId: "7" }]);

  expect(await runDeadLetterCommand(["retry", id])).toEqual([{ sent: 1 }]);
  const sentAgain = (await queue.findJobs("order")).filter(({ state }) => state === "created");
  expect(sentAgain).toMatchObject([{ data: { orderId: "7" } }]);
  expect(await runDeadLetterCommand(["retry", "--job", NAME])).toEqual([{ sent: 1 }]);
  expect(await runDeadLetterCommand(["retry", "--all"])).toEqual([{ sent: 0 }]);
});

test("a dead letter of what may not be done twice is sent again by its id alone", async () => {
  const queue = await jobQueue();
  const payload = { order_id: 7 };
  await sendJob(db, "flow", { shop: "one.myshopify.com", handle: "insurance-ended", payload });
  const [failing] = await queue.fetch("flow");
  await queue.fail("flow", failing?.id ?? "", { message: "The worker is gone" });
  const [, letter] = (await runDeadLetterCommand(["list", "--job", "flow"])) ?? [];
  const { id } = z.object({ id: z.string() }).parse(letter);
  expect(await runDeadLetterCommand(["retry", "--job", "flow"])).toEqual([{ sent: 0 }]);
  expect(await runDeadLetterCommand(["retry", "--all"])).toEqual([{ sent: 0 }]);
  expect(await runDeadLetterCommand(["retry", id])).toEqual([{ sent: 1 }]);
});

test("how long the queue's first job has been due is read past a bounded number of jobs that wait for their time", async () => {
  const queue = await jobQueue();
  const name = "catalogue-sync";
  const later = { data: {}, startAfter: new Date(Date.now() + 3_600_000) };
  await queue.insert(
    name,
    Array.from({ length: MAX_READ_PAST }, () => later),
  );
  await sendJob(db, name, { shop: "one.myshopify.com", runId: "1" });
  await db.$executeRaw`
    UPDATE pgboss.job SET start_after = now() - interval '1 minute' WHERE name = ${name} AND data->>'runId' = '1'`;
  const oldest = async () =>
    (await queueBacklog()).queues.find(({ job }) => job === name)?.oldestSeconds ?? null;
  expect(await oldest()).toBeGreaterThanOrEqual(60);
  await queue.insert(name, [later]);
  await db.$executeRaw`UPDATE pgboss.job SET created_on = now() - interval '1 day' WHERE name = ${name} AND data->>'runId' IS NULL`;
  expect(await oldest()).toBe(0);
});

test.each([
  [[]],
  [["retry"]],
  [["retry", "7", "--all"]],
  [["retry", "all"]],
  [["retry", "--all", "--job", "hourly"]],
  [["retry", "--job", "everything"]],
  [["list", "--limit", "100000"]],
  [["list", "--shop", "x' OR true"]],
  [["show", "a", "b"]],
  [["--help"]],
])("a command that is not understood does nothing: %j", async (args) => {
  expect(await runDeadLetterCommand(args)).toBeNull();
});

test("a start gives a queue that exists its job's policy where that is another now, and leaves the others alone", async () => {
  const queues = async () =>
    Map.groupBy(
      await db.$queryRaw<{ name: string; limit: number; at: Date }[]>`
        SELECT name, retry_limit AS limit, updated_on AS at FROM pgboss.queue ORDER BY name`,
      ({ name }) => name === NAME,
    );
  await db.$executeRaw`UPDATE pgboss.queue SET retry_limit = 1 WHERE name = ${NAME}`;
  const before = await queues();
  await stopQueue();
  await jobQueue();
  const after = await queues();
  expect(after.get(true)).toMatchObject([{ limit: jobs[NAME].retryLimit }]);
  expect(after.get(false)).toEqual(before.get(false));
});
