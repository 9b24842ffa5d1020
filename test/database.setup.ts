/**
 * Runs before all tests that need a database: starts a PostgreSQL server with one migrated database. Tests begin from
 * copies of it.
 */
import { NOT_DURABLE, openCluster, serverUrl } from "./cluster.ts";
import { makeMigrated, MIGRATED_SERVER, TEMPLATE } from "./migrated.ts";

/** @returns a function that stops it; nothing if another project has started it already */
export default async function migrate(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[MIGRATED_SERVER] !== undefined) return undefined;
  const cluster = await openCluster(NOT_DURABLE);
  // The workers that run the tests inherit the environment.
  process.env[MIGRATED_SERVER] = serverUrl(cluster.port, "postgres");
  await cluster.newDatabase({ name: TEMPLATE });
  await makeMigrated(serverUrl(cluster.port, TEMPLATE));
  return () => cluster.close();
}
