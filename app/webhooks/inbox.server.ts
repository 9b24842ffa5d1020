/**
 * The inbox: each webhook of the platform, stored once with the job that processes it. Its body is sealed, and kept only
 * as long as it is needed.
 */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { JobName } from "#app/jobs/definitions.ts";
import { BACKLOG_FROM, BACKLOG_PRIORITY, DEAD_LETTER } from "#app/jobs/queue-tables.server.ts";
import { notifyChannel, sendJob } from "#app/jobs/queue.server.ts";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { merchantShops } from "#app/merchants/merchant.server.ts";
import { openBytes, seal } from "#app/platform/crypto.server.ts";
import { db, inSmallSteps, type Transaction } from "#app/platform/db.server.ts";
import { type InboxEvent, Prisma } from "#app/platform/prisma/client.ts";
import type { Webhook } from "#app/shopify/webhook.server.ts";

// The body of a webhook as it is stored: compressed, because sealed text cannot be, then sealed with the merchant's key.

const purpose = (id: string) => `webhook ${id}`;

/** Fast: it makes a quarter of most bodies already, for less than the database would take to store the rest. */
const options = { level: 1 };
/** What takes longer is left to another thread. */
const SMALL_LENGTH = 65_536;
const compressLarge = promisify<Buffer, object, Buffer>(deflateRaw);

/** @param id the event's id in the inbox */
export async function sealBody(key: DataKey, id: string, body: string): Promise<string> {
  const bytes = Buffer.from(body);
  const compressed =
    bytes.length <= SMALL_LENGTH ? deflateRawSync(bytes, options) : await compressLarge(bytes, options);
  return seal(compressed, purpose(id), [key]);
}

/** @throws DecryptionError */
export function openBody(key: DataKey, id: string, sealed: string): string {
  return inflateRawSync(openBytes(sealed, purpose(id), [key])).toString("utf8");
}

/** A webhook as it is stored. */
export type SealedWebhook = Omit<Webhook, "body"> & {
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
 * Stores webhooks, each with the job that processes it, in one statement: both or neither.
 *
 * The jobs' rows are what the queue itself would write (test/routes/webhooks.test.ts compares the two). A shop's events
 * about products share one job. Where one waits, its row is locked, which keeps it waiting: it begins after these events
 * are there to be seen.
 * @returns each webhook's result, in the order given
 */
export async function insertWebhooks(events: SealedWebhook[]): Promise<InboxWriteResult[]> {
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

export type ReceivedEvent = Omit<InboxEvent, "sealedBody"> & {
  /** exactly as it was received; empty once it was erased */
  body: string;
};

/** Null where the shop's data has been erased meanwhile. */
export async function findEvent(shop: string, id: string): Promise<ReceivedEvent | null> {
  const row = await db.inboxEvent.findUnique({ where: { shop_id: { shop, id } } });
  if (!row) return null;
  const { sealedBody, ...event } = row;
  return { ...event, body: sealedBody === "" ? "" : openBody(await dataKeyOf(shop), id, sealedBody) };
}

/** Records that processing failed. */
export async function markEventFailed(shop: string, id: string, error: string): Promise<void> {
  const where = { shop, id, state: { not: "done" } };
  await db.inboxEvent.updateMany({ where, data: { state: "failed", error } });
}

/**
 * Records that the event has been processed. Only bodies about an order whose customer we know are kept a while longer,
 * for questions about its plans; all others have served, as those of fulfilments, whose whole orders say nothing of them.
 * @param ordersWithCustomer a query of the orders (`shop`, `orderId`) whose customer is stored
 */
export async function markEventDone(shop: string, id: string, ordersWithCustomer: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    UPDATE "InboxEvent" AS e SET state = 'done', "doneAt" = now(), error = NULL,
      "sealedBody" = CASE
        WHEN topic NOT IN ('orders/fulfilled', 'orders/partially_fulfilled')
          AND EXISTS (SELECT 1 FROM (${ordersWithCustomer}) AS o WHERE o.shop = e.shop AND o."orderId" = e."orderId")
          THEN "sealedBody"
        ELSE '' END
    WHERE shop = ${shop} AND id = ${id}`;
}

/** Records that the event is processed again only at the word of a person or an operator: its body stays. */
export async function leaveEventToTask(tx: Transaction, shop: string, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "InboxEvent" SET state = 'done', "doneAt" = now(), error = NULL
    WHERE shop = ${shop} AND id = ${id}`;
}

const givenUpEvents = z.array(
  z.object({
    shop: z.string(),
    id: z.string(),
    topic: z.string(),
    orderId: z.string().nullable(),
    error: z.string().nullable(),
  }),
);

/**
 * The events of dead letters that are not done and have no task since.
 * @param topics a regular expression of their topics
 */
export async function findGivenUpEvents(
  topics: RegExp,
  limit: number,
): Promise<z.infer<typeof givenUpEvents>> {
  const rows = await db.$queryRaw`
    SELECT DISTINCT e.shop, e.id, e.topic, e."orderId", e.error
    FROM pgboss.job AS letter
      JOIN "InboxEvent" AS e ON e.shop = letter.data->>'shop' AND e.id = letter.data->>'inboxId'
    WHERE letter.name = ${DEAD_LETTER} AND letter.state = 'created' AND letter.source_name = ${EVENT_JOB}
      AND e.state <> 'done' AND e.topic ~ ${topics.source} AND NOT EXISTS (
        SELECT FROM "Task" AS t WHERE t.shop = e.shop AND t.kind = 'event_failed' AND t.details->>'inboxId' = e.id
          AND t."openedAt" >= letter.created_on)
    LIMIT ${limit}`;
  return givenUpEvents.parse(rows);
}

const sealedBodies = z.array(z.object({ id: z.string(), sealedBody: z.string() }));

/** The next webhooks about products that wait, by id. */
export async function readProductEvents(
  shop: string,
  after: string,
  limit: number,
): Promise<z.infer<typeof sealedBodies>> {
  const rows = await db.$queryRaw`
    SELECT id, "sealedBody" FROM "InboxEvent"
    WHERE shop = ${shop} AND state <> 'done' AND topic LIKE 'products/%' AND id > ${after}
    ORDER BY id LIMIT ${limit}`;
  return sealedBodies.parse(rows);
}

/** @param error why they led to nothing */
export async function markProductEventsDone(
  shop: string,
  ids: string[],
  error: string | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "InboxEvent" SET state = 'done', "doneAt" = now(), error = ${error}, "sealedBody" = ''
    WHERE shop = ${shop} AND id = ANY(${ids})`;
}

/** Bodies that are opened at a time. */
const BATCH_SIZE = 100;

/**
 * Erases the bodies of events about a customer: those of the orders, and all that hold the e-mail address. They are
 * not processed any more; reconciliation fetches what the orders still need.
 * @returns how many
 */
export async function eraseCustomerEvents(
  shop: string,
  { email, orderIds }: { email: string | null; orderIds: string[] },
): Promise<number> {
  const ofOrders = await db.$executeRaw`${erasing} WHERE shop = ${shop} AND "sealedBody" <> ''
    AND "orderId" = ANY(${orderIds})`;
  if (email === null) return ofOrders;
  const others = await eraseMentions(shop, email, Prisma.sql`topic <> 'customers/redact'`);
  // The request to erase is the last: where the rest fails, it is processed again.
  return ofOrders + others + (await eraseMentions(shop, email, Prisma.sql`topic = 'customers/redact'`));
}

/**
 * Opens every body that is kept: few are, and an index knows which.
 * @param which a condition on the events
 */
async function eraseMentions(shop: string, email: string, which: Prisma.Sql): Promise<number> {
  const key = await dataKeyOf(shop);
  let erased = 0;
  for (let after = ""; ;) {
    const bodies = sealedBodies.parse(
      await db.$queryRaw`
        SELECT id, "sealedBody" FROM "InboxEvent"
        WHERE shop = ${shop} AND "sealedBody" <> '' AND ${which} AND id > ${after} ORDER BY id LIMIT ${BATCH_SIZE}`,
    );
    const ids = bodies
      .filter(({ id, sealedBody }) => mentionsAddress(openBody(key, id, sealedBody), email))
      .map(({ id }) => id);
    if (ids.length > 0) erased += await db.$executeRaw`${erasing} WHERE shop = ${shop} AND id = ANY(${ids})`;
    const last = bodies.at(-1);
    if (!last || bodies.length < BATCH_SIZE) return erased;
    after = last.id;
  }
}

const erasing = Prisma.sql`UPDATE "InboxEvent" SET "sealedBody" = '', error = NULL, state = 'done',
  "doneAt" = COALESCE("doneAt", now())`;

/** An event as the admin lists it; its body is loaded separately. */
interface OrderEvent {
  id: string;
  topic: string;
  receivedAt: Date;
  /** received, done, failed */
  state: string;
  doneAt: Date | null;
  error: string | null;
}

/** The events about an order, oldest first. */
export async function listOrderEvents(shop: string, orderId: string): Promise<OrderEvent[]> {
  return db.inboxEvent.findMany({
    where: { shop, orderId },
    select: { id: true, topic: true, receivedAt: true, state: true, doneAt: true, error: true },
    orderBy: { receivedAt: "asc" },
    take: 200,
  });
}

/** Processes an event again. @returns false where there is none, or its body has been erased */
export async function reprocessEvent(shop: string, id: string, tx: Transaction): Promise<boolean> {
  const { count } = await tx.inboxEvent.updateMany({
    where: { shop, id, sealedBody: { not: "" } },
    data: { state: "received", doneAt: null, error: null },
  });
  if (count === 1) await sendJob("platform-event", { shop, inboxId: id }, { transaction: tx });
  return count === 1;
}

// How long webhooks and their bodies are kept.

interface WebhookLimits {
  /** bodies of events that were processed before go */
  bodyDoneBefore: Date;
  /** bodies of those that could not be processed and were received before, too */
  bodyReceivedBefore: Date;
  /** rows about products that were processed before; the platform repeats a delivery for four hours */
  productDoneBefore: Date;
  /** rows of all other events that were processed before */
  doneBefore: Date;
}

/**
 * Events are processed after they were received, which an index knows. One that was left to a task was not processed. A
 * customer's request stays until it was carried out.
 */
const oldBodies = ({ bodyDoneBefore, bodyReceivedBefore }: WebhookLimits) => Prisma.sql`
  e."sealedBody" <> '' AND e."receivedAt" < ${bodyDoneBefore} AND (
    (e.state = 'done' AND e."doneAt" < ${bodyDoneBefore} AND NOT EXISTS (
      SELECT FROM "Task" AS t WHERE t.shop = e.shop AND t.kind IN ('event_failed', 'unreadable_event') AND t."closedAt" IS NULL
        AND t.details->>'inboxId' = e.id))
    OR (e."receivedAt" < ${bodyReceivedBefore} AND e.topic NOT LIKE 'customers/%'))`;

const oldProductEvents = ({ productDoneBefore: before }: WebhookLimits) => Prisma.sql`
  e.state = 'done' AND e.topic LIKE 'products/%' AND e."receivedAt" < ${before} AND e."doneAt" < ${before}`;

const oldEvents = ({ doneBefore: before }: WebhookLimits) => Prisma.sql`
  e.state = 'done' AND e."receivedAt" < ${before} AND e."doneAt" < ${before}`;

/** A condition on `m.shop` of another statement: the shop has webhooks to clean up. */
export const hasOldWebhooks = (limits: WebhookLimits) =>
  Prisma.join(
    [oldBodies(limits), oldProductEvents(limits), oldEvents(limits)].map(
      (old) => Prisma.sql`EXISTS (SELECT FROM "InboxEvent" AS e WHERE e.shop = m.shop AND ${old})`,
    ),
    " OR ",
  );

/** @returns how many bodies were erased and rows deleted */
export async function cleanUpWebhooks(
  shop: string,
  limits: WebhookLimits,
  signal?: AbortSignal,
): Promise<{ bodies: number; rows: number }> {
  const bodies = await inSmallSteps(
    (size) => db.$executeRaw`
      UPDATE "InboxEvent" SET "sealedBody" = '' WHERE shop = ${shop} AND id IN (
        SELECT e.id FROM "InboxEvent" AS e WHERE e.shop = ${shop} AND ${oldBodies(limits)} LIMIT ${size})`,
    signal,
  );
  let rows = 0;
  for (const old of [oldProductEvents(limits), oldEvents(limits)]) {
    rows += await inSmallSteps(
      (size) => db.$executeRaw`
        DELETE FROM "InboxEvent" WHERE shop = ${shop} AND id IN (
          SELECT e.id FROM "InboxEvent" AS e WHERE e.shop = ${shop} AND ${old} LIMIT ${size})`,
      signal,
    );
  }
  return { bodies, rows };
}

/** Whether any string in it holds the address, in either case, and not as part of a longer one: `joana@…` is not `ana@…`. */
function mentionsAddress(json: string, address: string): boolean {
  const sought = address.toLowerCase();
  const pending: unknown[] = [parse(json)];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string" && holds(value.toLowerCase(), sought)) return true;
    if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) pending.push(name, member);
    }
  }
  return false;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return json;
    throw error;
  }
}

const continuesBefore = /[\p{L}\p{N}._%+-]/u;
const continuesAfter = /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u;

function holds(text: string, sought: string): boolean {
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const isPart =
      (at > 0 && continuesBefore.test(text.charAt(at - 1))) || continuesAfter.test(text.slice(end, end + 2));
    if (!isPart) return true;
  }
  return false;
}

/** An event that waits longer means that no worker runs, or that it cannot keep up. */
const OVERDUE_AFTER_MS = 5 * 60_000;

export interface InboxHealth {
  /** events whose last attempt failed; they will be retried */
  failing: number;
  /** events that have waited too long */
  overdue: number;
}

/** Whether events of the platform are being processed, for the home page. */
export async function inboxHealth(shop: string): Promise<InboxHealth> {
  const groups = await db.inboxEvent.groupBy({
    by: ["state"],
    where: {
      shop,
      OR: [
        { state: "failed" },
        { state: "received", receivedAt: { lt: new Date(Date.now() - OVERDUE_AFTER_MS) } },
      ],
    },
    _count: { _all: true },
  });
  const count = (state: string) => groups.find((group) => group.state === state)?._count._all ?? 0;
  return { failing: count("failed"), overdue: count("received") };
}
