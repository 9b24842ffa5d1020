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
