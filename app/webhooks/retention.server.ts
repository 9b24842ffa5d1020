/** How long webhooks and their bodies are kept. */
import { db } from "#app/platform/db.server.ts";

/**
 * Erases the bodies of events that were processed before `doneBefore`, and of those that could not be processed and were
 * received before `receivedBefore`. A customer's request stays until it was carried out.
 * @returns how many
 */
export async function eraseBodies(
  shop: string,
  { doneBefore, receivedBefore }: { doneBefore: Date; receivedBefore: Date },
): Promise<number> {
  return db.$executeRaw`
    UPDATE "InboxEvent" SET "sealedBody" = ''
    WHERE shop = ${shop} AND "sealedBody" <> '' AND (
      (state = 'done' AND "doneAt" < ${doneBefore.toISOString()}::timestamptz AT TIME ZONE 'UTC')
      OR ("receivedAt" < ${receivedBefore.toISOString()}::timestamptz AT TIME ZONE 'UTC'
        AND topic NOT LIKE 'customers/%'))`;
}

/**
 * Deletes the rows of processed webhooks about products, of which a shop gets thousands. The platform repeats a delivery
 * for four hours, so no retry can come any more. Those about orders and customers stay, as their history.
 * @returns how many
 */
export async function deleteProductEvents(shop: string, doneBefore: Date): Promise<number> {
  const { count } = await db.inboxEvent.deleteMany({
    where: { shop, state: "done", topic: { startsWith: "products/" }, doneAt: { lt: doneBefore } },
  });
  return count;
}
