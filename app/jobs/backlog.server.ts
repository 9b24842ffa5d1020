/**
 * Where a merchant's flood waits: apart from the jobs that are fetched, which reads past all that wait for a slot of
 * their merchant (docs/decisions/0005-inbox-and-queue.md).
 */
import { z } from "zod";
import { database } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

/** Limit of one merchant's jobs that wait to be fetched; further ones get a priority below 0 and form its backlog. */
export const BACKLOG_FROM = 100;
export const BACKLOG_PRIORITY = -1;

/** How many of a merchant's are taken from its backlog in one step. */
const STEP = 200;

/** The second one is empty, and costs nothing, for as long as nobody floods. */
const indexes = {
  parasol_waiting: Prisma.sql`CREATE INDEX IF NOT EXISTS parasol_waiting
    ON pgboss.job_common (name, group_id, start_after) WHERE state < 'active' AND priority >= 0`,
  parasol_backlog: Prisma.sql`CREATE INDEX IF NOT EXISTS parasol_backlog
    ON pgboss.job_common (name, group_id, created_on) WHERE state < 'active' AND priority < 0`,
};

const rows = z.array(z.unknown());

/** Makes the indexes that the statements here and the inbox writer's need, where they are missing. */
export async function makeBacklogIndexes(): Promise<void> {
  for (const [name, create] of Object.entries(indexes)) {
    // Checked first: CREATE INDEX would wait for open writes only to find that the index exists.
    const there = await database.prisma.$queryRaw`
      SELECT 1 AS there FROM pg_indexes WHERE schemaname = 'pgboss' AND indexname = ${name}`;
    if (rows.parse(there).length === 0) await database.prisma.$executeRaw(create);
  }
}

const takenRow = z.tuple([z.object({ taken: z.coerce.number(), backlogs: z.coerce.number() })]);

/**
 * Takes the oldest jobs from the backlog of each merchant of whom few wait to be fetched now. Reads a bounded number of rows
 * for each merchant with a backlog, and one where there is none.
 * @returns how many it took, and of how many merchants there was a backlog
 */
export async function takeFromBacklogs(name: string): Promise<{ taken: number; backlogs: number }> {
  const backlog = Prisma.sql`pgboss.job_common AS job
    WHERE job.name = ${name} AND job.state < 'active' AND job.priority < 0`;
  const result = await database.prisma.$queryRaw`
    WITH RECURSIVE merchants AS (
      (SELECT job.group_id FROM ${backlog} ORDER BY job.group_id LIMIT 1)
      UNION ALL
      SELECT (SELECT job.group_id FROM ${backlog} AND job.group_id > merchants.group_id ORDER BY job.group_id LIMIT 1)
      FROM merchants WHERE merchants.group_id IS NOT NULL
    ), oldest AS (
      SELECT next.id
      FROM merchants
      CROSS JOIN LATERAL (
        SELECT count(*) AS jobs FROM (
          SELECT FROM pgboss.job_common AS j
          WHERE j.name = ${name} AND j.group_id = merchants.group_id AND j.state < 'active' AND j.priority >= 0
            AND j.start_after <= pgboss.job_now()
          LIMIT ${BACKLOG_FROM}
        ) AS few
      ) AS waiting
      CROSS JOIN LATERAL (
        SELECT job.id FROM ${backlog} AND job.group_id = merchants.group_id
        ORDER BY job.created_on LIMIT ${STEP} FOR UPDATE SKIP LOCKED
      ) AS next
      WHERE merchants.group_id IS NOT NULL AND waiting.jobs < ${BACKLOG_FROM}
    ), taken AS (
      UPDATE pgboss.job_common AS job SET priority = 0 FROM oldest
      WHERE job.name = ${name} AND job.id = oldest.id
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM taken) AS taken,
      (SELECT count(*) FROM merchants WHERE group_id IS NOT NULL) AS backlogs`;
  return takenRow.parse(result)[0];
}
