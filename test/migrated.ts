/** The migrated databases of this test run (test/database.setup.ts), and copies of them. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import lockfile from "proper-lockfile";

/** Names of the environment that the workers inherit. */
export const MIGRATED_FOLDER = "MIGRATED_FOLDER";
export const MIGRATED_SERVER = "MIGRATED_SERVER";

/** What a copy on the server is made of. */
export const TEMPLATE = "migrated";

/** Makes a migrated database. @param where DATABASE_URL of the server's, DATA_DIR of an embedded one */
export async function makeMigrated(where: Record<string, string>): Promise<void> {
  const env = { ...process.env, DATABASE_URL: "", ...where };
  await promisify(execFile)(process.execPath, ["test/migrated-database.ts"], { env });
}

/** In a test run the app finds a migrated embedded database in `dataDir`. */
export async function copyMigratedDatabase(dataDir: string): Promise<void> {
  const folder = process.env[MIGRATED_FOLDER];
  if (folder === undefined) return;
  await makeEmbedded(folder);
  await cp(join(folder, "postgres"), join(dataDir, "postgres"), { recursive: true });
}

/** The first test that needs it makes it: that takes ten seconds, and most runs of some files never need it. */
async function makeEmbedded(folder: string): Promise<void> {
  const made = join(folder, "made");
  // Files of other workers may need it at the same moment.
  const unlock = await lockfile.lock(folder, {
    stale: 600_000,
    retries: { forever: true, minTimeout: 100, maxTimeout: 200 },
  });
  try {
    if (existsSync(made)) return;
    await makeMigrated({ DATA_DIR: folder });
    await writeFile(made, "");
  } finally {
    await unlock();
  }
}

/**
 * @returns the address of a fresh copy on the run's PostgreSQL server, which ends with the run
 * @throws Error outside a test run
 */
export async function newDatabase(): Promise<string> {
  const server = process.env[MIGRATED_SERVER];
  if (server === undefined) throw new Error("There is no database server: test/database.setup.ts starts it");
  const url = new URL(server);
  url.pathname = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, (admin) => copyTemplate(admin, url));
  return url.href;
}

/** A fresh copy takes the place of the database at this address; open connections to it are cut off. */
export async function renewDatabase(url: string): Promise<void> {
  const server = new URL("/postgres", url).href;
  await onServer(server, async (admin) => {
    await admin.query(`DROP DATABASE ${nameOf(new URL(url))} WITH (FORCE)`);
    await copyTemplate(admin, new URL(url));
  });
}

async function copyTemplate(admin: pg.Client, url: URL): Promise<void> {
  await admin.query(`CREATE DATABASE ${nameOf(url)} TEMPLATE ${TEMPLATE}`);
}

const nameOf = ({ pathname }: URL) => pathname.slice(1);

async function onServer(server: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client(server);
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/**
 * The database of an app process that runs in production's ways, as its environment says it: in a test run a copy on the
 * run's server, which takes a fraction of the processor time that PGlite does; elsewhere the embedded one in `dataDir`.
 */
export async function databaseSettings(
  dataDir: string,
  isEmbedded: boolean,
): Promise<Record<string, string>> {
  if (!isEmbedded && process.env[MIGRATED_SERVER] !== undefined)
    return { DATABASE_URL: await newDatabase(), PLAIN_DATABASE_IN_PRODUCTION: "yes" };
  await copyMigratedDatabase(dataDir);
  return { EMBEDDED_DATABASE_IN_PRODUCTION: "yes" };
}
