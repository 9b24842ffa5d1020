/**
 * Runs before all tests that need a database: a PostgreSQL server is started, and one database on it is made and
 * migrated once. Tests begin from copies of it, and of an embedded one that is made when a test first needs it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster, serverUrl } from "./cluster.ts";
import { makeMigrated, MIGRATED_FOLDER, MIGRATED_SERVER, TEMPLATE } from "./migrated.ts";

// What is lost when the machine loses its power does not matter to a test.
const FLAGS = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"];

/** @returns what puts it away; nothing where another project has made it already */
export default async function migrate(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[MIGRATED_SERVER] !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "parasol-migrated-"));
  const cluster = await openCluster(FLAGS);
  // The workers that run the tests inherit the environment.
  process.env[MIGRATED_FOLDER] = folder;
  process.env[MIGRATED_SERVER] = serverUrl(cluster.port, "postgres");
  await cluster.newDatabase({ name: TEMPLATE });
  await makeMigrated({ DATABASE_URL: serverUrl(cluster.port, TEMPLATE) });
  return async () => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  };
}
