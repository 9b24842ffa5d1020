/**
 * One shop with a million orders, on PostgreSQL: how long the server takes for the pages that add up or search, whether
 * cleaning up holds the tables' size, and how long the transactions are that erase the shop. Its parts are pages,
 * cleaning, erasing; BENCH_ORDERS is how many orders.
 */
import { connect, openCluster, serverUrl } from "#test/cluster.ts";
import { runProcess } from "#test/faults/processes.ts";
import { writeHistory } from "#test/shop-history.ts";
import { environment } from "./environment.ts";
import { runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { cleaning } from "./large-shop/cleaning.ts";
import { erasing } from "./large-shop/erasing.ts";
import { looks } from "./large-shop/looks.ts";

const ORDERS = Number(process.env["BENCH_ORDERS"] ?? 1_000_000);
const SHOP = "large.myshopify.com";

export async function bench(): Promise<Figure[]> {
  const cluster = await openCluster(["-c", "shared_preload_libraries=pg_stat_statements"]);
  const env = {
    ...environment,
    LOG_LEVEL: "fatal",
    NODE_ENV: "test",
    // The history is written by a few long statements.
    STATEMENT_TIMEOUT_SECONDS: "3600",
    DATABASE_URL: serverUrl(cluster.port, await cluster.newDatabase()),
  };
  await runProcess("app/processes/operate.ts", { args: ["migrate"], env });
  // The app's modules read their environment as they are imported.
  Object.assign(process.env, env);
  const { stopQueue } = await import("#app/jobs/queue.server.ts");
  const { database, db } = await import("#app/platform/db.server.ts");
  const client = await connect(env.DATABASE_URL);
  try {
    await client.query("CREATE EXTENSION pg_stat_statements");
    await db.merchant.create({ data: { shop: SHOP, currency: "EUR", timezone: "Europe/Paris" } });
    await writeHistory(db, { shop: SHOP, orders: ORDERS, references: 3_000, organisation: null });
    return await runParts({
      pages: () => looks(client, SHOP),
      cleaning: () => cleaning(client, SHOP),
      erasing: () => erasing(client, SHOP),
    });
  } finally {
    await stopQueue();
    await database.close();
    await client.end();
    await cluster.close();
  }
}
