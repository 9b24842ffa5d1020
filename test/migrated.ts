/** The migrated database of this test run (test/database.setup.ts), and copies of it. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import pg from "pg";

/** The name of an environment variable that the workers inherit. */
export const MIGRATED_SERVER = "MIGRATED_SERVER";

/** The source of the copies. */
export const TEMPLATE = "migrated";

/** Migrates the empty database at this address. */
export async function makeMigrated(url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, ["test/migrated-database.ts"], { env });
}

/**
 * @returns the URL of a new copy on the run's PostgreSQL server, which ends with the run
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

/** Replaces the database at this URL by a new copy; open connections to it are closed. */
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
