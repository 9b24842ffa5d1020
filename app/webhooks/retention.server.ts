import { db } from "#app/platform/db.server.ts";

/** Empties events of the platform that were worked off before a moment: their bodies hold personal data. */
export async function emptyEventsBefore(shop: string, before: Date): Promise<number> {
  const { count } = await db.inboxEvent.updateMany({
    where: { shop, state: "done", receivedAt: { lt: before }, body: { not: "" } },
    data: { body: "" },
  });
  return count;
}
