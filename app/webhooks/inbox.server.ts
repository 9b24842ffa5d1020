/**
 * The inbox: each event of the platform, stored once, as it came (storing.server.ts).
 */
import type { Transaction } from "#app/platform/db.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { InboxEvent, Prisma } from "#app/platform/prisma/client.ts";
import { sendJob } from "#app/jobs/queue.server.ts";

/** The event, or null where its data has been deleted meanwhile. */
export async function findEvent(shop: string, eventId: string): Promise<InboxEvent | null> {
  return db.inboxEvent.findUnique({ where: { shop_eventId: { shop, eventId } } });
}

/** Notes that an attempt at the event failed. */
export async function markFailed(shop: string, eventId: string, error: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "InboxEvent" SET state = 'failed', error = ${error}
    WHERE shop = ${shop} AND "eventId" = ${eventId} AND state <> 'done'`;
}

/**
 * Notes that the event is worked off. Its body goes at once where it is the personal data of somebody who asked for
 * it to go, and nothing needs it any more.
 * @param erasedOrders a query of the orders (`shop`, `orderId`) whose personal data had to be deleted
 */
export async function markDone(shop: string, eventId: string, erasedOrders: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    UPDATE "InboxEvent" AS e SET state = 'done', "doneAt" = now() AT TIME ZONE 'UTC', error = NULL,
      body = CASE
        WHEN topic LIKE 'customers/%' THEN ''
        WHEN EXISTS (SELECT 1 FROM (${erasedOrders}) AS o WHERE o.shop = e.shop AND o."orderId" = e."orderId") THEN ''
        ELSE body END
    WHERE shop = ${shop} AND "eventId" = ${eventId}`;
}

/**
 * Empties the events about a customer: those of the orders, and whatever names the address. None of them is worked
 * off after that; what an order still needs, the reconciliation asks of the platform.
 * @returns how many
 */
export async function forgetEventsOf(
  shop: string,
  { email, orderIds }: { email: string | null; orderIds: string[] },
): Promise<number> {
  const address = email && wholeAddress(email);
  return db.$executeRaw`
    UPDATE "InboxEvent" SET body = '', error = NULL, state = 'done', "doneAt" = COALESCE("doneAt", now() AT TIME ZONE 'UTC')
    WHERE shop = ${shop} AND body <> ''
      AND ("orderId" = ANY(${orderIds}) OR (position(lower(${email}) IN lower(body)) > 0 AND body ~* ${address}))`;
}

/**
 * A pattern of PostgreSQL for an address in JSON, and for none that it is only a part of: `joana@…` is not `ana@…`. What
 * stands before it may be the end of an escaped character.
 */
function wholeAddress(email: string): string {
  const exactly = email.replace(/[^\p{L}\p{N}]/gu, "\\$&");
  return `((?<![[:alnum:]._%+-])|(?<=\\\\[bfnrt]|\\\\u[0-9a-f]{4}))${exactly}(?![[:alnum:]-]|[.][[:alnum:]])`;
}

/** What the admin shows of an event; its body is asked for by itself. */
export interface EventRow {
  eventId: string;
  topic: string;
  receivedAt: Date;
  /** received, done, failed */
  state: string;
  doneAt: Date | null;
  error: string | null;
}

/** The platform's events about an order, in the order in which they came. */
export async function eventsOfOrder(shop: string, orderId: string): Promise<EventRow[]> {
  return db.inboxEvent.findMany({
    where: { shop, orderId },
    select: { eventId: true, topic: true, receivedAt: true, state: true, doneAt: true, error: true },
    orderBy: { receivedAt: "asc" },
    take: 200,
  });
}

/** Works an event off once more. @returns false where there is none, or its data has been deleted */
export async function readAgain(shop: string, eventId: string, transaction: Transaction): Promise<boolean> {
  const { count } = await transaction.inboxEvent.updateMany({
    where: { shop, eventId, body: { not: "" } },
    data: { state: "received", doneAt: null, error: null },
  });
  if (count === 1) await sendJob("platform-event", { shop, eventId }, { transaction });
  return count === 1;
}
