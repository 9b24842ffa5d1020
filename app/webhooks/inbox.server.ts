/**
 * The inbox: each webhook of the platform, stored once, exactly as received (inbox-writer.server.ts).
 */
import type { Transaction } from "#app/platform/db.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { InboxEvent, Prisma } from "#app/platform/prisma/client.ts";
import { sendJob } from "#app/jobs/queue.server.ts";

/** Null where the shop's data has been erased meanwhile. */
export async function findEvent(shop: string, id: string): Promise<InboxEvent | null> {
  return db.inboxEvent.findUnique({ where: { shop_id: { shop, id } } });
}

/** Records that processing failed. */
export async function markEventFailed(shop: string, id: string, error: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "InboxEvent" SET state = 'failed', error = ${error}
    WHERE shop = ${shop} AND id = ${id} AND state <> 'done'`;
}

/**
 * Records that the event has been processed. Its body is erased at once where it holds data of a customer who asked
 * for erasure.
 * @param erasedOrders a query of the orders (`shop`, `orderId`) whose personal data was erased
 */
export async function markEventDone(shop: string, id: string, erasedOrders: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    UPDATE "InboxEvent" AS e SET state = 'done', "doneAt" = now() AT TIME ZONE 'UTC', error = NULL,
      body = CASE
        WHEN topic LIKE 'customers/%' THEN ''
        WHEN EXISTS (SELECT 1 FROM (${erasedOrders}) AS o WHERE o.shop = e.shop AND o."orderId" = e."orderId") THEN ''
        ELSE body END
    WHERE shop = ${shop} AND id = ${id}`;
}

/**
 * Erases the bodies of events about a customer: those of the orders, and all that contain the e-mail address. They are
 * not processed any more; reconciliation fetches what the orders still need.
 * @returns how many
 */
export async function eraseCustomerEvents(
  shop: string,
  { email, orderIds }: { email: string | null; orderIds: string[] },
): Promise<number> {
  const pattern = email && emailPattern(email);
  return db.$executeRaw`
    UPDATE "InboxEvent" SET body = '', error = NULL, state = 'done', "doneAt" = COALESCE("doneAt", now() AT TIME ZONE 'UTC')
    WHERE shop = ${shop} AND body <> ''
      AND ("orderId" = ANY(${orderIds}) OR (position(lower(${email}) IN lower(body)) > 0 AND body ~* ${pattern}))`;
}

/**
 * A PostgreSQL regular expression that finds an e-mail address in JSON, but not as part of a longer one: `joana@…` does
 * not match `ana@…`. A JSON escape sequence may stand right before it.
 */
function emailPattern(email: string): string {
  const escaped = email.replace(/[^\p{L}\p{N}]/gu, "\\$&");
  return `((?<![[:alnum:]._%+-])|(?<=\\\\[bfnrt]|\\\\u[0-9a-f]{4}))${escaped}(?![[:alnum:]-]|[.][[:alnum:]])`;
}

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

/** Processes an event once more. @returns false where there is none, or its body has been erased */
export async function reprocessEvent(shop: string, id: string, transaction: Transaction): Promise<boolean> {
  const { count } = await transaction.inboxEvent.updateMany({
    where: { shop, id, body: { not: "" } },
    data: { state: "received", doneAt: null, error: null },
  });
  if (count === 1) await sendJob("platform-event", { shop, inboxId: id }, { transaction });
  return count === 1;
}
