/**
 * Stores webhooks, each with the job that processes it, in one statement. Webhooks that arrive while a statement runs
 * are batched into the next one: a burst costs the database a few commits instead of one each.
 */
import { AppError } from "#app/platform/app-error.ts";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { BACKLOG_FROM, BACKLOG_PRIORITY } from "#app/jobs/queue-tables.server.ts";
import type { JobName } from "#app/jobs/definitions.ts";
import { notifyChannel } from "#app/jobs/queue.server.ts";
import type { Webhook } from "#app/shopify/webhook.server.ts";

/** A webhook as it is stored. */
export type SealedWebhook = Omit<Webhook, "body"> & {
  /** sealed by app/webhooks/inbox.server.ts */
  sealedBody: string;
  /** the key that it is sealed with */
  dataKeyId: string;
  /** for its job: the request that brought it, and its trace where there is one */
  requestId: string;
  traceparent: string | undefined;
};

/** `duplicate`: the webhook is stored already; `unknown_shop`: there is no such shop with this key. Neither writes anything. */
export type InboxWriteResult = "stored" | "duplicate" | "unknown_shop";

/** The database did not answer in time. The event may be stored, now or later. */
export class InboxWriteTimeoutError extends AppError {
  override name = "InboxWriteTimeoutError";
}

/** The platform waits five seconds for a response. */
const WRITE_TIMEOUT_MS = 4_000;
/** Webhooks per statement: their bodies can be large. */
const MAX_BATCH_SIZE = 64;

type PendingWrite = PromiseWithResolvers<InboxWriteResult> & { webhook: SealedWebhook };

/**
 * Creates the function that stores a webhook with its job, both or neither. It throws InboxWriteTimeoutError and the
 * database's errors.
 * @param shops a query of the shops that have the app and their keys (`shop`, `dataKeyId`): part of the statement, so it
 * is never out of date
 */
export function createInboxWriter(shops: Prisma.Sql): (webhook: SealedWebhook) => Promise<InboxWriteResult> {
  const pending: PendingWrite[] = [];
  let writing = false;

  const writeNext = (): void => {
    if (writing || pending.length === 0) return;
    writing = true;
    const written = writeBatch(pending.splice(0, MAX_BATCH_SIZE), shops);
    // A statement that hangs must not delay the next one.
    void Promise.race([written, wait(WRITE_TIMEOUT_MS, undefined, { ref: false })]).then(() => {
      writing = false;
      writeNext();
    });
  };

  return (webhook) => {
    const write: PendingWrite = { webhook, ...Promise.withResolvers<InboxWriteResult>() };
    const timeout = setTimeout(() => {
      const index = pending.indexOf(write);
      if (index !== -1) pending.splice(index, 1);
      write.reject(
        new InboxWriteTimeoutError(
          `Failed to store webhook ${webhook.id}: the database timed out after ${WRITE_TIMEOUT_MS} ms`,
        ),
      );
    }, WRITE_TIMEOUT_MS);
    pending.push(write);
    writeNext();
    return write.promise.finally(() => clearTimeout(timeout));
  };
}

/** Resolves or rejects each write of the batch. One that the database refuses does not fail the others. */
async function writeBatch(batch: PendingWrite[], shops: Prisma.Sql): Promise<void> {
  try {
    const results = await insertEvents(
      batch.map(({ webhook }) => webhook),
      shops,
    );
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined) reject(new AppError("The database returned fewer rows than it was given"));
      else resolve(result);
    });
  } catch (error) {
    const [only, ...others] = batch;
    if (only && others.length === 0) only.reject(error instanceof Error ? error : new Error(String(error)));
    else await Promise.all(batch.map((each) => writeBatch([each], shops)));
  }
}

const EVENT_JOB: JobName = "platform-event";
const PRODUCTS_JOB: JobName = "product-events";
/** A job's columns that its queue decides. */
const queueColumns = Prisma.sql`start_after, created_on, keep_until, expire_seconds, deletion_seconds, retry_limit,
  retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds`;
const queueValues = Prisma.sql`pgboss.job_now(), pgboss.job_now(),
  pgboss.job_now() + q.retention_seconds * interval '1s', q.expire_seconds, q.deletion_seconds, q.retry_limit,
  q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds`;
const resultRows = z.array(z.object({ known: z.boolean(), stored: z.boolean() }));

/**
 * The jobs' rows are what the queue itself would write (test/routes/webhooks.test.ts compares the two). A shop's events
 * about products share one job. Where one waits, its row is locked, which keeps it waiting: it begins after these events
 * are there to be seen.
 * @returns each webhook's result, in the order given
 */
async function insertEvents(events: SealedWebhook[], shops: Prisma.Sql): Promise<InboxWriteResult[]> {
  const column = (of: (event: SealedWebhook) => string) => Prisma.sql`${events.map(of)}::text[]`;
  const rows = await db.$queryRaw`
    WITH given AS (
      SELECT * FROM unnest(
        ${column(({ shop }) => shop)}, ${column(({ id }) => id)}, ${column(({ topic }) => topic)},
        ${column(({ orderId }) => orderId ?? "")}, ${column(({ webhookId }) => webhookId)},
        ${column(({ eventId }) => eventId)}, ${column(({ triggeredAt }) => triggeredAt?.toISOString() ?? "")},
        ${column(({ sealedBody }) => sealedBody)}, ${column(({ dataKeyId }) => dataKeyId)},
        ${column(({ requestId }) => requestId)}, ${column(({ traceparent }) => traceparent ?? "")}
      ) WITH ORDINALITY AS e (shop, id, topic, "orderId", "webhookId", "eventId", "triggeredAt", "sealedBody",
        "dataKeyId", "requestId", traceparent, number)
    ), known AS (
      SELECT given.* FROM given JOIN (${shops}) AS shops USING (shop, "dataKeyId")
    ), stored AS (
      INSERT INTO "InboxEvent" (shop, id, topic, "orderId", "webhookId", "eventId", "triggeredAt", "receivedAt",
        "sealedBody")
      SELECT shop, id, topic, NULLIF("orderId", ''), "webhookId", "eventId",
        NULLIF("triggeredAt", '')::timestamptz, now(), "sealedBody"
      FROM known
      -- In one order everywhere, so that two statements with the same webhooks cannot lock each other out.
      ORDER BY shop, id, number
      ON CONFLICT DO NOTHING
      RETURNING shop, id, topic LIKE 'products/%' AS "ofProduct"
    ), priorities AS (
      SELECT shop, CASE
        WHEN EXISTS (
          SELECT FROM pgboss.job_common AS j
          WHERE j.name = ${EVENT_JOB} AND j.group_id = shops.shop AND j.state < 'active' AND j.priority < 0
        ) OR ${BACKLOG_FROM} = (
          SELECT count(*) FROM (
            SELECT FROM pgboss.job_common AS j
            WHERE j.name = ${EVENT_JOB} AND j.group_id = shops.shop AND j.state < 'active' AND j.priority >= 0
            LIMIT ${BACKLOG_FROM}
          ) AS few
        ) THEN ${BACKLOG_PRIORITY} ELSE 0 END AS priority
      FROM (SELECT DISTINCT shop FROM known) AS shops
    ), sent AS (
      INSERT INTO pgboss.job (name, data, group_id, priority, ${queueColumns})
      SELECT DISTINCT ON (e.shop, e.id) q.name, jsonb_strip_nulls(jsonb_build_object('shop', e.shop, 'inboxId', e.id,
        'requestId', known."requestId", 'traceparent', NULLIF(known.traceparent, ''))), e.shop, p.priority,
        ${queueValues}
      FROM stored AS e JOIN known USING (shop, id) JOIN priorities AS p USING (shop), pgboss.queue AS q
      WHERE NOT e."ofProduct" AND q.name = ${EVENT_JOB}
      ORDER BY e.shop, e.id, known.number
      RETURNING name
    ), shared AS (
      INSERT INTO pgboss.job_common AS waiting (name, data, group_id, singleton_key, ${queueColumns})
      SELECT q.name, jsonb_build_object('shop', e.shop), e.shop, e.shop, ${queueValues}
      FROM (SELECT DISTINCT shop FROM stored WHERE "ofProduct") AS e, pgboss.queue AS q WHERE q.name = ${PRODUCTS_JOB}
      ORDER BY e.shop
      ON CONFLICT (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'
        DO UPDATE SET priority = waiting.priority WHERE false
      RETURNING name
    ), notified AS (
      SELECT pg_notify(${notifyChannel}, name) FROM (SELECT name FROM sent UNION SELECT name FROM shared) AS queues
    )
    SELECT known.number IS NOT NULL AS known,
      -- The same webhook twice in one statement: the first of them is the one that was stored.
      stored.id IS NOT NULL
        AND row_number() OVER (PARTITION BY given.shop, given.id ORDER BY given.number) = 1 AS stored
    FROM given LEFT JOIN known USING (number)
      LEFT JOIN stored ON stored.shop = given.shop AND stored.id = given.id
    WHERE (SELECT count(*) FROM notified) >= 0
    ORDER BY given.number`;
  return resultRows
    .parse(rows)
    .map(({ known, stored }) => (!known ? "unknown_shop" : stored ? "stored" : "duplicate"));
}
