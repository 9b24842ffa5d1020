/** A PostgreSQL server of a test's own, and ports that stay free while a process is restarted on them. */
import { randomInt } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import pg from "pg";
import { startCluster } from "#app/platform/embedded-database.server.ts";

export interface TestCluster {
  port: number;
  /** @returns the name of a new database, a copy of `template` if it is given */
  newDatabase(options?: { name?: string; template?: string }): Promise<string>;
  close(): Promise<void>;
}

/** What is lost when the machine loses its power does not matter to a test. */
export const NOT_DURABLE = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"];

/** @param flags more of the server's own, as on its command line */
export async function openCluster(flags: string[] = []): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-postgres-"));
  // The account that runs PostgreSQL for root has to enter it.
  await chmod(folder, 0o711);
  const cluster = await startCluster({
    folder: join(folder, "postgres"),
    port: await steadyPort(),
    password: PASSWORD,
    flags: ["-c", "max_connections=300", ...flags],
  });
  const admin = await connect(cluster.url("postgres"));
  let made = 0;
  return {
    port: cluster.port,
    async newDatabase({ name = `database_${(made += 1)}`, template } = {}) {
      await admin.query(`CREATE DATABASE ${name}${template === undefined ? "" : ` TEMPLATE ${template}`}`);
      return name;
    },
    async close() {
      await admin.end();
      await cluster.stop();
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

/** Known to the tests' PgBouncer, too. */
const PASSWORD = "parasol";

export function serverUrl(port: number, database: string): string {
  return `postgresql://parasol:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

/** Workers of vitest run at once: each draws from a thousand ports of its own, so that no two draw the same. */
const firstPort = 20_000 + 1_000 * (Number(process.env["VITEST_POOL_ID"] ?? 0) % 10);

/** A free port below those that the system gives away to connections by itself. */
export function steadyPort(): Promise<number> {
  return getPort({ port: Array.from({ length: 50 }, () => firstPort + randomInt(1_000)) });
}
