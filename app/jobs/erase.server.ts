import { db } from "#app/platform/db.server.ts";

/**
 * Deletes a shop's jobs, waiting, done and given up. One that is running stays: it is the one that deletes them, and
 * the queue forgets it an hour after it has ended.
 */
export async function forgetJobs(shop: string): Promise<number> {
  return db.$executeRaw`DELETE FROM pgboss.job WHERE data->>'shop' = ${shop} AND state <> 'active'`;
}
