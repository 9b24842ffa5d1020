import { expect, test } from "vitest";
import { hourlyTasks } from "#app/jobs/definitions.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";

const context = { signal: new AbortController().signal, isTimeSliceUsed: () => false };

test("the hourly job sends each of its tasks as a job, and none twice", async () => {
  for (let hour = 0; hour < 2; hour++) await jobHandlers.hourly({}, context);
  const jobs = await (await jobQueue()).findJobs<{ task: string }>("hourly", { queued: true });
  expect(jobs.map(({ data }) => data.task).sort()).toEqual([...hourlyTasks].sort());
});

test("reconciliation of fifty shops begins one shop after another, and no shop waits twice", async () => {
  const shops = Array.from({ length: 50 }, (_, index) => `idle-${index}.myshopify.com`);
  await db.merchant.createMany({
    data: shops.map((shop) => ({ shop, currency: "EUR", timezone: "Europe/Paris" })),
  });
  for (let hour = 0; hour < 2; hour++)
    for (const task of hourlyTasks) await jobHandlers.hourly({ task }, context);
  expect(await db.reconciliationRun.count({ where: { shop: { in: shops } } })).toBe(50);
  const jobs = await db.$queryRaw`
    SELECT count(*)::int AS jobs, count(DISTINCT start_after)::int AS times FROM pgboss.job
    WHERE name = 'reconciliation' AND group_id = ANY(${shops})`;
  expect(jobs).toEqual([{ jobs: 50, times: 50 }]);
});
