/**
 * After a restored backup the service has plans that the ledger does not: units are back in an earlier state, and
 * webhooks are processed again.
 */
import { db } from "#app/platform/db.server.ts";

/** From now on the plans of all orders that were bought before are looked up before they are created. @returns when */
export async function noteRestore(): Promise<Date> {
  const { at } = await db.restore.create({ data: {} });
  return at;
}

/** When a backup was restored last; null: never. */
export async function lastRestore(): Promise<Date | null> {
  const row = await db.restore.findFirst({ orderBy: { at: "desc" } });
  return row?.at ?? null;
}
