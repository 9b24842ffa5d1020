import { db } from "#app/platform/db.server.ts";

/** Erases the bodies of processed events that were received before `before`: they hold personal data. @returns how many */
export async function eraseEventsBefore(shop: string, before: Date): Promise<number> {
  const { count } = await db.inboxEvent.updateMany({
    where: { shop, state: "done", receivedAt: { lt: before }, body: { not: "" } },
    data: { body: "" },
  });
  return count;
}
