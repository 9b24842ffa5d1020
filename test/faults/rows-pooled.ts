/** The app behind PgBouncer, as on one machine of docs/operations/compose.yaml. */
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { serverUrl } from "#test/cluster.ts";
import { hasPgBouncer, openPgBouncer } from "#test/pgbouncer.ts";
import type { Row } from "./row.ts";

/** A server's default limit of connections, without those reserved for superusers. */
const MAX_CONNECTIONS = 97;

/** Counts the server's connections, without its own, until it is stopped. */
async function watchConnections(port: number): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client(serverUrl(port, "postgres"));
  await client.connect();
  let most = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const { rows } = await client.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      most = Math.max(most, rows[0]?.open ?? 0);
      await wait(50);
    }
  })();
  return {
    async stop() {
      over.abort();
      await watching;
      await client.end();
      return most;
    },
  };
}

const rows: Row[] = [
  {
    row: 14,
    name: "eight workers through PgBouncer, one killed under load: fewer connections than a server has by default",
    full: 300,
    short: 20,
    async run(iteration) {
      const pgbouncer = await openPgBouncer(iteration.testApp.postgresPort);
      const connections = await watchConnections(iteration.testApp.postgresPort);
      const { DATABASE_URL: direct = "" } = await iteration.database();
      const env = {
        ...(await iteration.database(pgbouncer.port)),
        DATABASE_DIRECT_URL: direct,
        DATABASE_POOL: "8",
        QUEUE_POOL: "3",
      };
      try {
        const processes = [await iteration.web(env)];
        // One after the other, as a supervisor starts them.
        for (let each = 0; each < (iteration.short ? 2 : 8); each++)
          processes.push(await iteration.worker(env));
        for (let each = 0; each < iteration.orders; each++) {
          const order = iteration.sales.buy(iteration.random.between(1, 2));
          if (iteration.random.next() < 0.2) iteration.sales.cancel(order);
          if (each === Math.floor(iteration.orders / 2)) await processes[1]?.end("SIGKILL");
          await wait(20);
        }
        await iteration.settle(120_000);
        await Promise.all(processes.map((each) => each.end("SIGTERM")));
      } finally {
        const most = await connections.stop();
        iteration.said.push(`${most} connections at most`);
        if (most === 0 || most > MAX_CONNECTIONS) iteration.wrong.push(`${most} connections were open`);
        await pgbouncer.close();
      }
    },
  },
];

/** Skipped if PgBouncer is not installed. */
export const pooledRows = hasPgBouncer ? rows : [];
