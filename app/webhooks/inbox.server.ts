/**
 * The inbox: each webhook of the platform, stored once (inbox-writer.server.ts). Its body is sealed, and kept only as
 * long as it is needed.
 */
import { z } from "zod";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { InboxEvent } from "#app/platform/prisma/client.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { mentionsAddress } from "./mentions-address.ts";
import { openBody } from "./sealed-body.server.ts";

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
  await db.$executeRaw`
    UPDATE "InboxEvent" SET state = 'failed', error = ${error}
    WHERE shop = ${shop} AND id = ${id} AND state <> 'done'`;
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

/** Bodies that are opened at a time. */
const BATCH_SIZE = 100;
const keptBodies = z.array(z.object({ id: z.string(), sealedBody: z.string() }));

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
    const bodies = keptBodies.parse(
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
export interface OrderEvent {
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
