/**
 * Runs before all tests that need a database: a PostgreSQL server is started, one database on it and an embedded one are
 * made and migrated once, and tests begin from copies.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openCluster, serverUrl } from "./cluster.ts";
import { MIGRATED_FOLDER, MIGRATED_SERVER, TEMPLATE } from "./migrated.ts";

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
  const make = (where: Record<string, string>) =>
    promisify(execFile)(process.execPath, ["test/migrated-database.ts"], {
      env: { ...process.env, ...where },
    });
  await Promise.all([
    make({ DATABASE_URL: "", DATA_DIR: folder }),
    make({ DATABASE_URL: serverUrl(cluster.port, TEMPLATE) }),
  ]);
  return async () => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  };
}
