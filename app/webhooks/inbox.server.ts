/**
 * The inbox: each webhook of the platform, stored once (inbox-writer.server.ts). Its body is sealed, and kept only as
 * long as it is needed.
 */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { sendJob } from "#app/jobs/queue.server.ts";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { openBytes, seal } from "#app/platform/crypto.server.ts";
import { db, inSmallSteps, type Transaction } from "#app/platform/db.server.ts";
import { type InboxEvent, Prisma } from "#app/platform/prisma/client.ts";

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
 * for questions about its plans; all others have served.
 * @param ordersWithCustomer a query of the orders (`shop`, `orderId`) whose customer is stored
 */
export async function markEventDone(shop: string, id: string, ordersWithCustomer: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    UPDATE "InboxEvent" AS e SET state = 'done', "doneAt" = now(), error = NULL,
      "sealedBody" = CASE
        WHEN EXISTS (SELECT 1 FROM (${ordersWithCustomer}) AS o WHERE o.shop = e.shop AND o."orderId" = e."orderId")
          THEN "sealedBody"
        ELSE '' END
    WHERE shop = ${shop} AND id = ${id}`;
}

/** Records that only a person can have the event processed again: its body stays. */
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

/** The events of dead letters that are not done and have no task since. */
export async function findGivenUpEvents(letters: readonly object[]): Promise<z.infer<typeof givenUpEvents>> {
  const rows = await db.$queryRaw`
    SELECT e.shop, e.id, e.topic, e."orderId", e.error
    FROM jsonb_to_recordset(${JSON.stringify(letters)}::jsonb)
      AS letter(shop text, "inboxId" text, "deadLetteredAt" timestamptz)
      JOIN "InboxEvent" AS e ON e.shop = letter.shop AND e.id = letter."inboxId"
    WHERE e.state <> 'done' AND NOT EXISTS (
      SELECT FROM "Task" AS t WHERE t.shop = e.shop AND t.kind = 'event_failed' AND t.details->>'inboxId' = e.id
        AND t."openedAt" >= letter."deadLetteredAt")`;
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
  return email === null ? ofOrders : ofOrders + (await eraseMentions(shop, email));
}

/** Opens every body that is kept: few are, and an index knows which. */
async function eraseMentions(shop: string, email: string): Promise<number> {
  const key = await dataKeyOf(shop);
  let erased = 0;
  for (let after = ""; ;) {
    const bodies = sealedBodies.parse(
      await db.$queryRaw`
        SELECT id, "sealedBody" FROM "InboxEvent"
        WHERE shop = ${shop} AND "sealedBody" <> '' AND id > ${after} ORDER BY id LIMIT ${BATCH_SIZE}`,
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

/** Events are processed after they were received, which an index knows. A customer's request stays until it was carried out. */
const oldBodies = ({ bodyDoneBefore, bodyReceivedBefore }: WebhookLimits) => Prisma.sql`
  e."sealedBody" <> '' AND e."receivedAt" < ${bodyDoneBefore} AND (
    (e.state = 'done' AND e."doneAt" < ${bodyDoneBefore})
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
