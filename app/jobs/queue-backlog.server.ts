/**
 * The whole queue, for the operator's metrics. However much waits, a bounded number of rows of each job is read, in the
 * order of the queue's own index.
 */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { jobNames } from "./definitions.ts";
import { DEAD_LETTER } from "./queue.server.ts";

/** Counting stops here: the exact number above it says nothing more. */
const MAX_COUNTED = 10_000;

/**
 * Limit of failed jobs, waiting for their next attempt, that are skipped. Where there are more and no worker runs, they
 * are due within ten minutes, the longest delay between attempts.
 */
export const MAX_READ_PAST = 1_000;

const backlog = z.object({
  queues: z.array(
    z.object({
      job: z.enum(jobNames),
      /** due now, as the queue itself counted it some seconds ago */
      ready: z.coerce.number(),
      /** for how long the one that is fetched first has been due; 0 where none is */
      oldestSeconds: z.coerce.number(),
    }),
  ),
  deadLetters: z.coerce.number(),
});

export async function queueBacklog(): Promise<z.infer<typeof backlog>> {
  const rows = await db.$queryRaw`
    SELECT (SELECT count(*) FROM (SELECT FROM pgboss.job WHERE name = ${DEAD_LETTER} AND state = 'created'
        LIMIT ${MAX_COUNTED}) AS letters) AS "deadLetters",
      (SELECT jsonb_agg(jsonb_build_object('job', q.name, 'ready', q.ready_count, 'oldestSeconds', COALESCE((
          SELECT EXTRACT(EPOCH FROM now() - first.start_after) FROM (
            SELECT j.priority, j.created_on, j.start_after FROM pgboss.job AS j
            WHERE j.name = q.name AND j.state < 'active' AND NOT j.blocked
            ORDER BY j.priority DESC, j.created_on LIMIT ${MAX_READ_PAST + 1}) AS first
          WHERE first.start_after <= now() ORDER BY first.priority DESC, first.created_on LIMIT 1), 0)))
       FROM pgboss.queue AS q WHERE q.name = ANY(${[...jobNames]})) AS queues`;
  return z.tuple([backlog]).parse(rows)[0];
}
