import { db } from "#app/platform/db.server.ts";

/**
 * Deletes a shop's jobs, whatever their state. A running one stays: it is the one that calls this, and the queue
 * deletes it an hour after it has finished.
 */
export async function eraseJobs(shop: string): Promise<number> {
  return db.$executeRaw`DELETE FROM pgboss.job WHERE data->>'shop' = ${shop} AND state <> 'active'`;
}
