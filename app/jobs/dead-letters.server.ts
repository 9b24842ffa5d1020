/**
 * Dead letters, for the operator at the command line: jobs that failed at their last attempt. The queue keeps each with its
 * payload, so that it can be replayed. Lists are bounded and show ids only.
 */
import type { RedriveFilter } from "pg-boss";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { jobNames } from "./definitions.ts";
import type { JobName } from "./definitions.ts";
import { DEAD_LETTER, jobQueue } from "./queue.server.ts";

/** Which of them. */
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
  /** what the job was about */
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

/** How many there are of each job and reason, most first. */
export async function groupDeadLetters(choice: DeadLetterChoice): Promise<z.infer<typeof group>[]> {
  const rows = await db.$queryRaw`
    SELECT job, reason, count(*) AS letters, count(DISTINCT shop) AS shops, min(created_on) AS first, max(created_on) AS last
    FROM (SELECT source_name AS job, ${reason} AS reason, data->>'shop' AS shop, created_on FROM pgboss.job
      WHERE ${matching(choice)} LIMIT ${MAX_LOOKED_AT}) AS letters
    GROUP BY job, reason ORDER BY letters DESC, job, reason LIMIT ${MAX_GROUPS}`;
  return z.array(group).parse(rows);
}

/** The latest of them. */
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

/** How many one statement moves. */
const REDRIVE_BATCH_SIZE = 1_000;

/** Sends all that the filter matches again. @returns how many were sent */
async function redriveAll(filter: Pick<RedriveFilter, "data" | "ids" | "sourceName">): Promise<number> {
  const queue = await jobQueue();
  // A job that fails again meanwhile is not replayed by the same act.
  const createdBefore = new Date();
  let moved = 0;
  for (;;) {
    const count = await queue.redrive(DEAD_LETTER, { ...filter, createdBefore, limit: REDRIVE_BATCH_SIZE });
    moved += count;
    if (count < REDRIVE_BATCH_SIZE) return moved;
  }
}

/** Sends them again, those that are there by now. @returns how many were sent */
export async function replayChosen({ job, shop, id }: DeadLetterChoice): Promise<number> {
  return redriveAll({
    ...(job === undefined ? {} : { sourceName: job }),
    ...(shop === undefined ? {} : { data: { shop } }),
    ...(id === undefined ? {} : { ids: [id] }),
  });
}
