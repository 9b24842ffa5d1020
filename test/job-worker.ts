/** The app's worker, in a test's own process. */
import pg from "pg";
import { z } from "zod";
import { jobNames } from "#app/jobs/definitions.ts";
import { jobQueue, notifyChannel, onQueueStop } from "#app/jobs/queue.server.ts";
import { startWorker } from "#app/jobs/worker.server.ts";
import { db } from "#app/platform/db.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { eventually } from "#test/eventually.ts";

const HURRY_MS = 100;

/** A failed job is due again after a moment, and the worker is woken for every queue with a due job. */
const HURRY = [
  `UPDATE pgboss.job SET start_after = now() + interval '200 ms'
   WHERE state = 'retry' AND start_after > now() + interval '200 ms'`,
  `SELECT pg_notify('${notifyChannel}', name) FROM pgboss.job
   WHERE state IN ('created', 'retry') AND start_after <= now() GROUP BY name`,
].join(";");

/**
 * Starts the worker until the test file ends. In production a failed job waits for seconds, and a job that becomes due
 * waits up to 2 s for the next poll: tests of retries would mostly wait.
 */
export async function startJobs(): Promise<void> {
  // Tests start the hourly work themselves; the schedule could start it during any test.
  const queue = await jobQueue();
  for (const { name } of await queue.getSchedules()) await queue.unschedule(name);
  await startWorker(jobHandlers);
  // A connection of its own, because tests count the app's statements.
  const client = new pg.Client(process.env["DATABASE_URL"]);
  await client.connect();
  let hurrying: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    hurrying = hurrying.then(() => client.query(HURRY));
  }, HURRY_MS);
  onQueueStop(async () => {
    clearInterval(timer);
    await hurrying;
    await client.end();
  });
}

const counts = z.tuple([z.object({ jobs: z.int() })]);

/** Waits until no job is active or due. It ignores later retries. */
export async function settleJobs(): Promise<void> {
  await eventually(async () => {
    const rows = await db.$queryRaw`
      SELECT count(*)::int AS jobs FROM pgboss.job
      WHERE name = ANY(${[...jobNames]})
        AND (state = 'active' OR state IN ('created', 'retry') AND start_after <= now())`;
    return counts.parse(rows)[0].jobs === 0;
  }, "no job is under way or due");
}
