/** Many shops that sell insurance, a PostgreSQL server that counts its statements, and any number of workers. */
import type pg from "pg";
import { connect, serverUrl } from "#test/cluster.ts";
import { startProcess } from "#test/faults/processes.ts";
import type { AppProcess } from "#test/faults/processes.ts";
import { openGround, openTestApp } from "#test/faults/stage.ts";
import type { TestApp } from "#test/faults/stage.ts";

const SHOPS = 20;
/** What an installed shop has before its first order. */
const SHOP_TABLES = ["Merchant", "Connection", "ConnectedStore", "Reference", "SyncedVariant", "ShopProduct"];
export const SERVICE_LATENCY_MS = 50;

export interface Running {
  web: AppProcess;
  workers: AppProcess[];
  end(): Promise<void>;
}

export interface ScaleStage {
  testApp: TestApp;
  client: pg.Client;
  /** the process of that connection */
  backend: number;
  /** sells nothing in these runs */
  idleShop: string;
  /** one web process, and workers */
  start(workers: number): Promise<Running>;
  /** further shops, numbered from one to the other, with the account and the catalogue of this one */
  install(like: string, from: number, to: number): Promise<void>;
  /** empties inbox, queue and ledger */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openScaleStage(): Promise<ScaleStage> {
  const ground = await openGround(["-c", "shared_preload_libraries=pg_stat_statements"]);
  const domains = Array.from({ length: SHOPS + 1 }, (_, index) => `shop-${index}.myshopify.com`);
  const testApp = await openTestApp(ground, { domains });
  // Webhooks are sent by the bench.
  for (const { webhooks } of testApp.shops) webhooks.behaviour.dropShare = 1;
  testApp.insurance.faults.add({ operation: "*", kind: "latency", ms: SERVICE_LATENCY_MS, times: null });
  const database = serverUrl(testApp.postgresPort, await testApp.newServerDatabase());
  const client = await connect(database);
  await client.query("CREATE EXTENSION pg_stat_statements");
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const env = { ...testApp.env, WORKER: "separate", DATABASE_URL: database };
  const logFile = `${testApp.folder}/bench.log`;
  return {
    testApp,
    client,
    backend: rows[0]?.pid ?? NaN,
    idleShop: domains.at(-1) ?? "",
    async start(count) {
      const web = await startProcess({ entry: "app/processes/server.ts", env, logFile });
      const workers: AppProcess[] = [];
      for (let each = 0; each < count; each++)
        workers.push(await startProcess({ entry: "app/processes/worker.ts", env, logFile }));
      const end = async () => {
        await Promise.all([web, ...workers].map((each) => each.end("SIGTERM")));
      };
      return { web, workers, end };
    },
    async install(like, from, to) {
      for (const table of SHOP_TABLES)
        await client.query(
          `INSERT INTO "${table}" SELECT copy.* FROM "${table}" AS kept, generate_series($2::int, $3::int) AS n,
             LATERAL jsonb_populate_record(kept, jsonb_build_object('shop', 'other-' || n || '.myshopify.com')) AS copy
           WHERE kept.shop = $1`,
          [like, from, to],
        );
      await client.query("VACUUM ANALYZE");
    },
    async reset() {
      await client.query(
        `TRUNCATE "Order", "OrderLine", "InsuredUnit", "UnitHistory", "InboxEvent", "AttachmentChange" CASCADE`,
      );
      await client.query("DELETE FROM pgboss.job");
      await client.query("VACUUM ANALYZE");
    },
    async close() {
      await client.end();
      await testApp.close();
      await ground.close();
    },
  };
}
