/**
 * Stores the platform's events, each with the job that works it off, in one statement. Events that arrive while a
 * statement is under way go together in the next one: a burst costs the database a few commits instead of one each.
 */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { JobName } from "#app/jobs/definitions.ts";
import { notifyChannel } from "#app/jobs/queue.server.ts";

export interface NewEvent {
  topic: string;
  shop: string;
  eventId: string;
  webhookId: string;
  triggeredAt: Date | null;
  orderId: string | null;
  body: string;
}

/** `duplicate`: the event is known already; `unknown_shop`: not among the shops; nothing was written for these two */
export type Stored = "stored" | "duplicate" | "unknown_shop";

/** The database did not say in time whether the event is stored. It may be, or may become so. */
export class StoringTimeoutError extends Error {
  override name = "StoringTimeoutError";
}

/** The platform waits five seconds for an answer. */
const PATIENCE_MS = 4_000;
/** Bodies can be large: so many events go into one statement at most. */
const TOGETHER = 64;

type Waiting = PromiseWithResolvers<Stored> & { event: NewEvent };

/**
 * What takes events in: each is stored with its job, both or none. The function it gives throws StoringTimeoutError,
 * and whatever the database says.
 * @param shops a query of the shops that have the app (`shop`): part of the statement, so it is never out of date
 */
export function eventStore(shops: Prisma.Sql): (event: NewEvent) => Promise<Stored> {
  const waiting: Waiting[] = [];
  let underWay = false;

  const storeWaiting = (): void => {
    if (underWay || waiting.length === 0) return;
    underWay = true;
    const stored = store(waiting.splice(0, TOGETHER), shops);
    // A statement that hangs must not hold back the next one.
    void Promise.race([stored, wait(PATIENCE_MS, undefined, { ref: false })]).then(() => {
      underWay = false;
      storeWaiting();
    });
  };

  return (event) => {
    const mine: Waiting = { event, ...Promise.withResolvers<Stored>() };
    const late = setTimeout(() => {
      const place = waiting.indexOf(mine);
      if (place !== -1) waiting.splice(place, 1);
      mine.reject(new StoringTimeoutError(`Event ${event.eventId} was not stored within ${PATIENCE_MS} ms`));
    }, PATIENCE_MS);
    waiting.push(mine);
    storeWaiting();
    return mine.promise.finally(() => clearTimeout(late));
  };
}

/** Settles every event of the batch. One that the database refuses does not take its neighbours with it. */
async function store(batch: Waiting[], shops: Prisma.Sql): Promise<void> {
  try {
    const outcomes = await insert(
      batch.map(({ event }) => event),
      shops,
    );
    batch.forEach(({ resolve, reject }, index) => {
      const stored = outcomes[index];
      if (stored === undefined) reject(new Error("The database told of fewer events than it was given"));
      else resolve(stored);
    });
  } catch (error) {
    const [only, ...others] = batch;
    if (only && others.length === 0) only.reject(error instanceof Error ? error : new Error(String(error)));
    else await Promise.all(batch.map((each) => store([each], shops)));
  }
}

const JOB: JobName = "platform-event";
const outcomes = z.array(z.object({ known: z.boolean(), stored: z.boolean() }));

/**
 * The job's row is what the queue itself would write (test/routes/webhooks.test.ts compares the two).
 * @returns what became of each event, in the order in which they were given
 */
async function insert(events: NewEvent[], shops: Prisma.Sql): Promise<Stored[]> {
  const column = (of: (event: NewEvent) => string) => Prisma.sql`${events.map(of)}::text[]`;
  const rows = await db.$queryRaw`
    WITH given AS (
      SELECT * FROM unnest(
        ${column(({ shop }) => shop)}, ${column(({ eventId }) => eventId)}, ${column(({ topic }) => topic)},
        ${column(({ orderId }) => orderId ?? "")}, ${column(({ webhookId }) => webhookId)},
        ${column(({ triggeredAt }) => triggeredAt?.toISOString() ?? "")}, ${column(({ body }) => body)}
      ) WITH ORDINALITY AS e (shop, "eventId", topic, "orderId", "webhookId", "triggeredAt", body, number)
    ), known AS (
      SELECT given.* FROM given JOIN (${shops}) AS shops USING (shop)
    ), stored AS (
      INSERT INTO "InboxEvent" (shop, "eventId", topic, "orderId", "webhookId", "triggeredAt", "receivedAt", body)
      SELECT shop, "eventId", topic, NULLIF("orderId", ''), "webhookId",
        NULLIF("triggeredAt", '')::timestamptz AT TIME ZONE 'UTC', now() AT TIME ZONE 'UTC', body
      FROM known
      -- In one order everywhere, so that two statements with the same events cannot lock each other out.
      ORDER BY shop, "eventId", number
      ON CONFLICT DO NOTHING
      RETURNING shop, "eventId"
    ), sent AS (
      INSERT INTO pgboss.job (name, data, group_id, start_after, created_on, keep_until, expire_seconds,
        deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter,
        heartbeat_seconds)
      SELECT q.name, jsonb_build_object('shop', e.shop, 'eventId', e."eventId"), e.shop, pgboss.job_now(),
        pgboss.job_now(), pgboss.job_now() + q.retention_seconds * interval '1s', q.expire_seconds,
        q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy,
        q.dead_letter, q.heartbeat_seconds
      FROM stored AS e, pgboss.queue AS q WHERE q.name = ${JOB}
      RETURNING name
    ), notified AS (
      SELECT pg_notify(${notifyChannel}, name) FROM (SELECT DISTINCT name FROM sent) AS woken
    )
    SELECT known.number IS NOT NULL AS known,
      -- The same event twice in one statement: the first of them is the one that was stored.
      stored."eventId" IS NOT NULL
        AND row_number() OVER (PARTITION BY given.shop, given."eventId" ORDER BY given.number) = 1 AS stored
    FROM given LEFT JOIN known USING (number)
      LEFT JOIN stored ON stored.shop = given.shop AND stored."eventId" = given."eventId"
    WHERE (SELECT count(*) FROM notified) >= 0
    ORDER BY given.number`;
  return outcomes
    .parse(rows)
    .map(({ known, stored }) => (!known ? "unknown_shop" : stored ? "stored" : "duplicate"));
}
