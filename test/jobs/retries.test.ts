import { expect, test } from "vitest";
import { z } from "zod";
import { jobs } from "#app/jobs/catalogue.ts";
import { DEAD_LETTER, jobQueue, sendJob } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";

const NAME = "platform-event";
const waited = z.array(z.object({ state: z.string(), seconds: z.coerce.number() }));

/** Fails the one job, and moves the clock on to its next attempt. @returns seconds until that one; null: there is none */
async function failOnce(): Promise<number | null> {
  const queue = await jobQueue();
  const [job] = await queue.fetch(NAME);
  if (!job) throw new Error("The job does not come back");
  await queue.fail(NAME, job, { message: "The service is down" });
  const [row] = waited.parse(
    await db.$queryRaw`
      SELECT state::text, extract(epoch FROM start_after - now())::float AS seconds FROM pgboss.job WHERE name = ${NAME}`,
  );
  if (row?.state !== "retry") return null;
  await db.$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE name = ${NAME}`;
  return row.seconds;
}

test("an event that keeps failing is tried with growing delays for more than three days, then kept as a dead letter", async () => {
  await sendJob(NAME, { shop: "one.myshopify.com", eventId: "1" });
  const delays: number[] = [];
  for (let delay = await failOnce(); delay !== null; delay = await failOnce()) delays.push(delay);

  // Each up to chance between once and twice the power of two, up to ten minutes; a moment passed before it was read.
  for (const [index, delay] of delays.slice(0, 8).entries()) {
    expect(delay).toBeGreaterThan(2 ** (index + 1) - 1);
    expect(delay).toBeLessThanOrEqual(2 ** (index + 2));
  }
  for (const delay of delays.slice(9)) expect(Math.round(delay / 10)).toBe(60);
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(3 * 24 * 3_600);

  const queue = await jobQueue();
  expect(await queue.findJobs(DEAD_LETTER)).toMatchObject([
    { data: { shop: "one.myshopify.com", eventId: "1" } },
  ]);
});

test("whatever else an order waits for is tried as long", () => {
  const { retryLimit, retryDelay, retryDelayMax } = jobs[NAME];
  for (const name of ["order-work", "order-sweep"] as const)
    expect(jobs[name]).toMatchObject({ retryLimit, retryDelay, retryDelayMax });
});
