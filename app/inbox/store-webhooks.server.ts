/** Stores webhooks, each once, with the job that processes it. */
import { z } from "zod";
import type { JobName } from "#app/jobs/definitions.ts";
import { BACKLOG_FROM, BACKLOG_PRIORITY } from "#app/jobs/queue-tables.server.ts";
import { notifyChannel } from "#app/jobs/queue.server.ts";
import { merchantShops } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { VerifiedWebhook } from "#app/shopify/webhook.server.ts";

/** A webhook as it is stored. */
export type SealedWebhook = Omit<VerifiedWebhook, "body"> & {
  /** by `sealBody` */
  sealedBody: string;
  /** the key that it is sealed with */
  dataKeyId: string;
  /** for its job: the request that brought it, and its trace where there is one */
  requestId: string;
  traceparent: string | undefined;
};

/** `duplicate`: the webhook is stored already; `unknown_shop`: there is no such shop with this key. Neither writes anything. */
export type InboxWriteResult = "stored" | "duplicate" | "unknown_shop";

const WEBHOOK_JOB: JobName = "webhook";
const PRODUCTS_JOB: JobName = "product-webhooks";
/** A job's columns that its queue decides. */
const queueColumns = Prisma.sql`start_after, created_on, keep_until, expire_seconds, deletion_seconds, retry_limit,
  retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds`;
const queueValues = Prisma.sql`pgboss.job_now(), pgboss.job_now(),
  pgboss.job_now() + q.retention_seconds * interval '1s', q.expire_seconds, q.deletion_seconds, q.retry_limit,
  q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds`;
const resultRows = z.array(z.object({ known: z.boolean(), stored: z.boolean() }));

/**
 * Stores webhooks, each with the job that processes it, in one statement: both or neither.
 *
 * The jobs' rows are what the queue itself would write (test/routes/webhooks.test.ts compares the two). A shop's events
 * about products share one job. Where one waits, its row is locked, which keeps it waiting: it begins after these events
 * are there to be seen.
 * @returns each webhook's result, in the order given
 */
export async function storeWebhooks(events: SealedWebhook[]): Promise<InboxWriteResult[]> {
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
      SELECT given.* FROM given JOIN (${merchantShops}) AS shops USING (shop, "dataKeyId")
    ), stored AS (
      INSERT INTO "Webhook" (shop, id, topic, "orderId", "webhookId", "eventId", "triggeredAt", "receivedAt",
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
          WHERE j.name = ${WEBHOOK_JOB} AND j.group_id = shops.shop AND j.state < 'active' AND j.priority < 0
        ) OR ${BACKLOG_FROM} = (
          SELECT count(*) FROM (
            SELECT FROM pgboss.job_common AS j
            WHERE j.name = ${WEBHOOK_JOB} AND j.group_id = shops.shop AND j.state < 'active' AND j.priority >= 0
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
      WHERE NOT e."ofProduct" AND q.name = ${WEBHOOK_JOB}
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
