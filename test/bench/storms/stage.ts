/**
 * Two shops that sell insurance, a PostgreSQL server, and workers in processes of their own. Webhooks come in by the
 * app's own function, in this process.
 */
import { createHmac, randomUUID } from "node:crypto";
import type pg from "pg";
import { eventually } from "#test/eventually.ts";
import { connect, serverUrl } from "#test/cluster.ts";
import { startProcess } from "#test/faults/processes.ts";
import type { AppProcess } from "#test/faults/processes.ts";
import { openTestApp } from "#test/faults/stage.ts";
import type { TestApp } from "#test/faults/stage.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import { paidOrder } from "../orders/paid-order.ts";

export interface StormStage {
  testApp: TestApp;
  client: pg.Client;
  /** its address */
  database: string;
  /** what the workers log */
  logFile: string;
  startWorker(env?: Record<string, string>): Promise<AppProcess>;
  /** a webhook, stored as the endpoint stores it */
  receive(shop: ShopSandbox, topic: string, body: string): Promise<void>;
  /** an insured order is paid: milliseconds from its stored webhook to its active plan; null where there was none in time */
  orderToPlan(shop: ShopSandbox, withinMs: number): Promise<number | null>;
  /** number of events that are not processed */
  waitingEvents(): Promise<number>;
  /** empties inbox, queue and ledger */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openStormStage(): Promise<StormStage> {
  const testApp = await openTestApp();
  // Webhooks are handed in by the bench.
  for (const { webhooks } of testApp.shops) webhooks.behaviour.dropShare = 1;
  const database = serverUrl(testApp.postgresPort, await testApp.newServerDatabase());
  const client = await connect(database);
  const env = { ...testApp.env, DATABASE_URL: database, WORKER: "separate" };
  Object.assign(process.env, env, { LOG_LEVEL: "fatal" });
  const { receiveWebhook } = await import("#app/webhooks/intake.server.ts");

  const logFile = `${testApp.folder}/bench.log`;
  const stage: StormStage = {
    testApp,
    client,
    database,
    logFile,
    startWorker: (more = {}) =>
      startProcess({
        entry: "app/processes/worker.ts",
        env: { ...env, ...more },
        logFile,
      }),
    async receive({ shopDomain }, topic, body) {
      const raw = Buffer.from(body);
      const { status } = await receiveWebhook(raw, {
        "x-shopify-topic": topic,
        "x-shopify-shop-domain": shopDomain,
        "x-shopify-webhook-id": randomUUID(),
        "x-shopify-hmac-sha256": createHmac("sha256", testApp.env["SHOPIFY_API_SECRET"] ?? "")
          .update(raw)
          .digest("base64"),
      });
      if (status !== 200) throw new Error(`A webhook was answered with ${status}`);
    },
    async orderToPlan(shop, withinMs) {
      const { orderId, body } = paidOrder(testApp, shop);
      await stage.receive(shop, "orders/paid", body);
      const from = performance.now();
      try {
        await eventually(
          async () => {
            const { rowCount } = await client.query(
              `SELECT 1 FROM "InsuredUnit" WHERE shop = $1 AND "orderId" = $2 AND state = 'active'`,
              [shop.shopDomain, orderId],
            );
            return rowCount === 1;
          },
          "the plan",
          { withinMs, everyMs: 5 },
        );
      } catch {
        return null;
      }
      return performance.now() - from;
    },
    async waitingEvents() {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM "InboxEvent" WHERE state <> 'done'`,
      );
      return rows[0]?.count ?? NaN;
    },
    async reset() {
      await client.query(`TRUNCATE "Order", "OrderLine", "InsuredUnit", "UnitHistory", "InboxEvent" CASCADE`);
      await client.query("DELETE FROM pgboss.job");
    },
    async close() {
      const { stopQueue } = await import("#app/jobs/queue.server.ts");
      const { database: opened } = await import("#app/platform/db.server.ts");
      await stopQueue();
      await opened.close();
      await client.end();
      await testApp.close();
    },
  };
  return stage;
}
