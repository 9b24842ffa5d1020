/**
 * The inbox: each event of the platform is stored once, as it came, together with the job that works it off.
 */
import type { Transaction } from "#app/platform/db.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { InboxEvent } from "#app/platform/prisma/client.ts";
import { sendJob } from "./queue.server.ts";

export interface NewEvent {
  topic: string;
  shop: string;
  eventId: string;
  webhookId: string;
  triggeredAt: Date | null;
  orderId: string | null;
  body: string;
}

/**
 * Stores the event and its job in one transaction.
 * @returns `duplicate` where the event is known already: then nothing was written
 */
export async function storeEvent(event: NewEvent): Promise<"stored" | "duplicate"> {
  return db.$transaction(async (transaction: Transaction) => {
    const { count } = await transaction.inboxEvent.createMany({ data: [event], skipDuplicates: true });
    if (count === 0) return "duplicate";
    await sendJob("platform-event", { shop: event.shop, eventId: event.eventId }, { transaction });
    return "stored";
  });
}

/** The event, or null where its data has been deleted meanwhile. */
export async function findEvent(shop: string, eventId: string): Promise<InboxEvent | null> {
  return db.inboxEvent.findUnique({ where: { shop_eventId: { shop, eventId } } });
}

/** Notes how an attempt at the event ended. */
export async function markEvent(shop: string, eventId: string, error: string | null): Promise<void> {
  await db.inboxEvent.updateMany({
    where: { shop, eventId },
    data: error === null ? { state: "done", doneAt: new Date(), error: null } : { state: "failed", error },
  });
}

/** Empties the body of one event: it holds personal data that nothing needs any more. */
export async function forgetEvent(shop: string, eventId: string): Promise<void> {
  await db.inboxEvent.updateMany({ where: { shop, eventId }, data: { body: "" } });
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
  return db.$executeRaw`
    UPDATE "InboxEvent" SET body = '', error = NULL, state = 'done', "doneAt" = COALESCE("doneAt", now())
    WHERE shop = ${shop} AND body <> ''
      AND ("orderId" = ANY(${orderIds}) OR position(lower(${email}) IN lower(body)) > 0)`;
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
