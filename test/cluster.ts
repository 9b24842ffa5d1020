/** A PostgreSQL server for one test, and ports that stay free while a process restarts on them. */
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

/** A test's data may be lost in a power failure. */
export const NOT_DURABLE = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"];

/** @param flags further command-line flags of the server */
export async function openCluster(flags: string[] = []): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-postgres-"));
  // The account that runs PostgreSQL for root needs access to the folder.
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
 * A client of a server that may stop first. Without this listener pg ends the process, and hides the error for which
 * the server was stopped.
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

/** Workers of vitest run concurrently: each draws from a thousand ports of its own, so that no two draw the same. */
const firstPort = 20_000 + 1_000 * (Number(process.env["VITEST_POOL_ID"] ?? 0) % 10);

/** A free port below the system's range for outgoing connections. */
export function steadyPort(): Promise<number> {
  return getPort({ port: Array.from({ length: 50 }, () => firstPort + randomInt(1_000)) });
}
