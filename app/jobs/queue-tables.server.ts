/**
 * The SQL statements on the queue library's tables. No other file names them; test/jobs/queue-tables.server.test.ts
 * fails if the library's schema changes.
 */
import { z } from "zod";
import { database, db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { jobNames } from "./definitions.ts";
import type { JobName } from "./definitions.ts";

/** The queue of jobs that failed at their last attempt. Operators list and replay them. */
export const DEAD_LETTER = "dead-letter";

/** The state of an unfinished job: it waits for its first attempt, waits for a retry, or runs. */
type OpenState = "created" | "retry" | "active";

/** Whether a job with this key is in one of these states. */
export async function hasJob(
  name: JobName,
  singletonKey: string,
  states: readonly OpenState[],
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM pgboss.job
    WHERE name = ${name} AND singleton_key = ${singletonKey} AND state::text = ANY(${states}) LIMIT 1`;
  return rows.length > 0;
}

/** Whether another job of the same queue and key waits for a retry. */
export async function isCovered(name: string, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM pgboss.job AS failed JOIN pgboss.job AS waiting
      ON waiting.name = failed.name AND waiting.state = 'retry' AND waiting.policy = failed.policy
        AND COALESCE(waiting.singleton_key, '') = COALESCE(failed.singleton_key, '')
    WHERE failed.name = ${name} AND failed.id = ${id}::uuid LIMIT 1`;
  return rows.length > 0;
}

/**
 * An SQL condition: a job waits or runs. Example: `hasOpenJob("reconciliation", { runId: Prisma.sql`r.id` })`.
 * @param data parts of the job's payload, each an SQL expression
 */
export function hasOpenJob(name: JobName, data: Readonly<Record<string, Prisma.Sql>>): Prisma.Sql {
  const parts = Object.entries(data).map(([key, value]) => Prisma.sql`open_job.data ->> ${key} = ${value}`);
  return Prisma.sql`EXISTS (
    SELECT FROM pgboss.job AS open_job
    WHERE open_job.name = ${name} AND open_job.state <= 'active' AND ${Prisma.join(parts, " AND ")})`;
}

/**
 * Deletes a shop's jobs in any state. The running job stays, because it calls this; the queue deletes it an hour
 * after its end.
 */
export async function eraseJobs(shop: string): Promise<number> {
  return db.$executeRaw`DELETE FROM pgboss.job WHERE data->>'shop' = ${shop} AND state <> 'active'`;
}

// A merchant's backlog is separate from the jobs to fetch, because a fetch reads all jobs that wait for a slot of
// their merchant (docs/decisions/0005-inbox-and-queue.md).

/** Limit of one merchant's jobs that wait to be fetched. Further jobs get a priority below 0 and form its backlog. */
export const BACKLOG_FROM = 100;
export const BACKLOG_PRIORITY = -1;

const shareRows = z.array(z.object({ shop: z.string(), share: z.int() }));

/**
 * The number of further jobs that each shop may add to the jobs to fetch. Zero while the shop has a backlog, which
 * they would overtake.
 */
export async function readOpenShares(
  tx: Transaction,
  name: JobName,
  shops: readonly string[],
): Promise<Map<string, number>> {
  const result = await tx.$queryRaw`
    SELECT shop, CASE
      WHEN EXISTS (
        SELECT FROM pgboss.job_common AS j
        WHERE j.name = ${name} AND j.group_id = shop AND j.state < 'active' AND j.priority < 0
      ) THEN 0
      ELSE ${BACKLOG_FROM}::int - (
        SELECT count(*)::int FROM (
          SELECT FROM pgboss.job_common AS j
          WHERE j.name = ${name} AND j.group_id = shop AND j.state < 'active' AND j.priority >= 0
          LIMIT ${BACKLOG_FROM}
        ) AS few
      ) END AS share
    FROM unnest(${shops}::text[]) AS shop`;
  return new Map(shareRows.parse(result).map(({ shop, share }) => [shop, share]));
}

/** The number of one merchant's jobs to move out of its backlog in one step. */
const STEP = 200;

/** The second index is empty, and costs nothing, while no merchant has a backlog. */
const indexes = {
  parasol_waiting: Prisma.sql`CREATE INDEX IF NOT EXISTS parasol_waiting
    ON pgboss.job_common (name, group_id, start_after) WHERE state < 'active' AND priority >= 0`,
  parasol_backlog: Prisma.sql`CREATE INDEX IF NOT EXISTS parasol_backlog
    ON pgboss.job_common (name, group_id, created_on) WHERE state < 'active' AND priority < 0`,
};

const rows = z.array(z.unknown());

/** Creates the missing indexes of the statements on backlogs. */
export async function makeBacklogIndexes(): Promise<void> {
  for (const [name, create] of Object.entries(indexes)) {
    // Checks first, because CREATE INDEX waits for open writes even if the index exists.
    const existing = await database.prisma.$queryRaw`
      SELECT 1 AS there FROM pg_indexes WHERE schemaname = 'pgboss' AND indexname = ${name}`;
    if (rows.parse(existing).length === 0) await database.prisma.$executeRaw(create);
  }
}

const takenRow = z.tuple([z.object({ taken: z.coerce.number(), backlogs: z.coerce.number() })]);

/**
 * Moves the oldest jobs out of each merchant's backlog if few of its jobs wait to be fetched. It reads a limited
 * number of rows for each merchant with a backlog, and one row if there is none.
 * @returns the number of moved jobs, and the number of merchants with a backlog
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

// Queries for operators.

/** Limit of the count, because a higher number is not useful. */
const MAX_COUNTED = 10_000;

/**
 * Limit of failed jobs waiting for a retry that are skipped. If there are more and no worker runs, they are due
 * within ten minutes, which is the maximum retry delay.
 */
export const MAX_READ_PAST = 1_000;

const backlog = z.object({
  queues: z.array(
    z.object({
      job: z.enum(jobNames),
      /** jobs due now, from the queue's own count some seconds ago */
      ready: z.coerce.number(),
      /** how long the next job to fetch has been due; 0 if none is */
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

/** An SQL query of the dead letters of one job (`data`, `created_on`). */
export const deadLettersOf = (name: JobName) => Prisma.sql`
  SELECT data, created_on FROM pgboss.job
  WHERE name = ${DEAD_LETTER} AND state = 'created' AND source_name = ${name}`;

/** The selection of dead letters. */
export interface DeadLetterChoice {
  job?: JobName | undefined;
  shop?: string | undefined;
  id?: string | undefined;
}

const MAX_GROUPS = 50;
/** Limit of dead letters that a summary reads. */
const MAX_LOOKED_AT = 100_000;

const group = z.object({
  job: z.enum(jobNames),
  reason: z.string().nullable(),
  letters: z.coerce.number(),
  shops: z.coerce.number(),
  first: z.coerce.date(),
  last: z.coerce.date(),
});

const letter = z.object({
  id: z.string(),
  job: z.enum(jobNames),
  shop: z.string().nullable(),
  /** the job's order */
  orderId: z.string().nullable(),
  inboxId: z.string().nullable(),
  runId: z.string().nullable(),
  requestId: z.string().nullable(),
  sentAt: z.coerce.date().nullable(),
  deadLetteredAt: z.coerce.date(),
  attempts: z.int(),
  reason: z.string().nullable(),
});

const matching = ({ job, shop, id }: DeadLetterChoice) => Prisma.sql`
  name = ${DEAD_LETTER} AND state = 'created' AND source_name = ANY(${job === undefined ? [...jobNames] : [job]})
  ${shop === undefined ? Prisma.empty : Prisma.sql`AND data->>'shop' = ${shop}`}
  ${id === undefined ? Prisma.empty : Prisma.sql`AND id::text = ${id}`}`;
const reason = Prisma.sql`left(COALESCE(source_output->>'message', source_output->>'value'), 500)`;

/** The number of dead letters for each job and reason, highest first. */
export async function groupDeadLetters(choice: DeadLetterChoice): Promise<z.infer<typeof group>[]> {
  const rows = await db.$queryRaw`
    SELECT job, reason, count(*) AS letters, count(DISTINCT shop) AS shops, min(created_on) AS first, max(created_on) AS last
    FROM (SELECT source_name AS job, ${reason} AS reason, data->>'shop' AS shop, created_on FROM pgboss.job
      WHERE ${matching(choice)} LIMIT ${MAX_LOOKED_AT}) AS letters
    GROUP BY job, reason ORDER BY letters DESC, job, reason LIMIT ${MAX_GROUPS}`;
  return z.array(group).parse(rows);
}

/** The latest dead letters. */
export async function latestDeadLetters(
  choice: DeadLetterChoice,
  limit: number,
): Promise<z.infer<typeof letter>[]> {
  const rows = await db.$queryRaw`
    SELECT id::text AS id, source_name AS job, data->>'shop' AS shop, data->>'orderId' AS "orderId",
      data->>'inboxId' AS "inboxId", data->>'runId' AS "runId", data->>'requestId' AS "requestId",
      source_created_on AS "sentAt", created_on AS "deadLetteredAt",
      COALESCE(source_retry_count, 0) + 1 AS attempts, ${reason} AS reason
    FROM pgboss.job WHERE ${matching(choice)} ORDER BY created_on DESC, id LIMIT ${limit}`;
  return z.array(letter).parse(rows);
}
