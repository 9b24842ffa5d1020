/** How the queue does for one shop. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { jobNames } from "./definitions.ts";
import { DEAD_LETTER } from "./queue.server.ts";

const queueOf = z.object({
  job: z.enum(jobNames),
  /** due now */
  waiting: z.coerce.number(),
  /** due later: a wait that was planned */
  later: z.coerce.number(),
  running: z.coerce.number(),
  /** failed at least once and will be tried again */
  retrying: z.coerce.number(),
  /** since when the longest-waiting one has been due; null where none is */
  dueSince: z.coerce.date().nullable(),
});
export type QueueOf = z.infer<typeof queueOf>;

export interface QueueHealth {
  /** the kinds of job that are not idle */
  queues: QueueOf[];
  /** gave up after their last attempt */
  dead: number;
  /** jobs have been due for a while and nobody takes them: no worker is running */
  stalled: boolean;
}

/** Longer than a worker sleeps between two looks at the queue, amply. */
const STALLED_AFTER_MS = 2 * 60_000;

const counted = z.tuple([z.object({ dead: z.coerce.number(), now: z.coerce.date() })]);

export async function queueHealth(shop: string): Promise<QueueHealth> {
  const [rows, others] = await Promise.all([
    db.$queryRaw`
      SELECT name AS job,
        count(*) FILTER (WHERE state = 'created' AND start_after <= now()) AS waiting,
        count(*) FILTER (WHERE state = 'created' AND start_after > now()) AS later,
        count(*) FILTER (WHERE state = 'active') AS running,
        count(*) FILTER (WHERE state = 'retry') AS retrying,
        min(start_after) FILTER (WHERE state = 'created' AND start_after <= now()) AS "dueSince"
      FROM pgboss.job
      WHERE name = ANY(${[...jobNames]}) AND state <= 'active' AND group_id = ${shop}
      GROUP BY name ORDER BY name`,
    db.$queryRaw`
      SELECT count(*) AS dead, now() AS now FROM pgboss.job
      WHERE name = ${DEAD_LETTER} AND state = 'created' AND data->>'shop' = ${shop}`,
  ]);
  const queues = z.array(queueOf).parse(rows);
  const [{ dead, now }] = counted.parse(others);
  const isLate = ({ dueSince, running }: QueueOf) =>
    running === 0 && dueSince !== null && now.getTime() - dueSince.getTime() > STALLED_AFTER_MS;
  return { queues, dead, stalled: queues.some(isLate) };
}
