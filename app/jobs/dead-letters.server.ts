/**
 * Dead letters: jobs that failed at their last attempt. The queue keeps each with its payload, so that it can be
 * replayed once the cause is gone.
 */
import type { RedriveFilter } from "pg-boss";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { readKeyset, timeKey } from "#app/platform/keyset.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { jobNames } from "./definitions.ts";
import { DEAD_LETTER, jobQueue } from "./queue.server.ts";

const deadLetter = z.object({
  id: z.string(),
  job: z.enum(jobNames),
  /** the order or stored webhook that the job was about, where it was about one */
  orderId: z.string().nullable(),
  inboxId: z.string().nullable(),
  sentAt: z.coerce.date().nullable(),
  deadLetteredAt: z.coerce.date(),
  attempts: z.int(),
  reason: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** One page of the shop's dead letters, latest first. */
export async function listDeadLetters(
  shop: string,
  request: PageRequest,
  size: number,
): Promise<ListPage<DeadLetter>> {
  // The queue's timestamps are finer than a cursor's milliseconds.
  const at = Prisma.sql`date_trunc('milliseconds', job.created_on)`;
  const keyset = readKeyset(timeKey, request);
  const rows = await db.$queryRaw`
    SELECT job.id::text AS id, source_name AS job, data->>'orderId' AS "orderId", data->>'inboxId' AS "inboxId",
      source_created_on AS "sentAt", ${at} AS "deadLetteredAt", COALESCE(source_retry_count, 0) + 1 AS attempts,
      COALESCE(source_output->>'message', source_output->>'value') AS reason
    FROM pgboss.job
    WHERE name = ${DEAD_LETTER} AND state = 'created' AND data->>'shop' = ${shop} AND source_name = ANY(${[...jobNames]})
      ${keysetClause(keyset, [{ column: at }, { column: Prisma.sql`job.id::text` }])} LIMIT ${size + 1}`;
  const letters = z.array(deadLetter).parse(rows);
  return toListPage(letters, size, keyset, ({ deadLetteredAt, id }) => [deadLetteredAt, id]);
}

/** How many one statement moves. */
const REDRIVE_BATCH_SIZE = 1_000;

/**
 * Sends one of the shop's dead letters, or all of them, again. One whose job waits in the queue already is dropped.
 * @returns how many were sent
 */
export async function replayDeadLetters(shop: string, id: string | null): Promise<number> {
  return redriveAll({ data: { shop }, ...(id === null ? {} : { ids: [id] }) });
}

/** Sends all that the filter matches again. @returns how many were sent */
export async function redriveAll(
  filter: Pick<RedriveFilter, "data" | "ids" | "sourceName">,
): Promise<number> {
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

/** Deletes a dead letter. @returns false where the shop has none of this id */
export async function discardDeadLetter(
  shop: string,
  id: string,
  transaction: Transaction = db,
): Promise<boolean> {
  const count = await transaction.$executeRaw`
    DELETE FROM pgboss.job WHERE name = ${DEAD_LETTER} AND id::text = ${id} AND data->>'shop' = ${shop}`;
  return count === 1;
}
