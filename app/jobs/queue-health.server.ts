/** One shop's jobs in the queue, counted. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { jobNames } from "./definitions.ts";
import { DEAD_LETTER } from "./queue.server.ts";

const queueStats = z.object({
  job: z.enum(jobNames),
  /** due now */
  ready: z.coerce.number(),
  /** due later, on purpose */
  scheduled: z.coerce.number(),
  running: z.coerce.number(),
  /** failed at least once and will be tried again */
  retrying: z.coerce.number(),
  /** when the oldest of the ready ones became due; null where there is none */
  oldestDueAt: z.coerce.date().nullable(),
});
export type QueueStats = z.infer<typeof queueStats>;

export interface QueueHealth {
  /** queues that are not empty */
  queues: QueueStats[];
  deadLetters: number;
  /** jobs are due and none is running: there is no worker */
  stalled: boolean;
}

/** Much longer than a worker's poll interval. */
const STALLED_AFTER_MS = 2 * 60_000;

const counted = z.tuple([z.object({ deadLetters: z.coerce.number(), now: z.coerce.date() })]);

export async function queueHealth(shop: string): Promise<QueueHealth> {
  const [rows, others] = await Promise.all([
    db.$queryRaw`
      SELECT name AS job,
        count(*) FILTER (WHERE state = 'created' AND start_after <= now()) AS ready,
        count(*) FILTER (WHERE state = 'created' AND start_after > now()) AS scheduled,
        count(*) FILTER (WHERE state = 'active') AS running,
        count(*) FILTER (WHERE state = 'retry') AS retrying,
        min(start_after) FILTER (WHERE state = 'created' AND start_after <= now()) AS "oldestDueAt"
      FROM pgboss.job
      WHERE name = ANY(${[...jobNames]}) AND state <= 'active' AND group_id = ${shop}
      GROUP BY name ORDER BY name`,
    db.$queryRaw`
      SELECT count(*) AS "deadLetters", now() AS now FROM pgboss.job
      WHERE name = ${DEAD_LETTER} AND state = 'created' AND data->>'shop' = ${shop}`,
  ]);
  const queues = z.array(queueStats).parse(rows);
  const [{ deadLetters, now }] = counted.parse(others);
  const isStalled = ({ oldestDueAt, running }: QueueStats) =>
    running === 0 && oldestDueAt !== null && now.getTime() - oldestDueAt.getTime() > STALLED_AFTER_MS;
  return { queues, deadLetters, stalled: queues.some(isStalled) };
}
