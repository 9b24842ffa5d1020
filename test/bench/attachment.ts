/**
 * The attachment statistics of one shop with 100,000 orders over three years, counted from its orders on PostgreSQL. It
 * measures the first query (empty buffers, unread rows) and later ones. BENCH_ORDERS sets the number of orders.
 */
import { connect, openCluster, serverUrl } from "#test/cluster.ts";
import { makeMigrated } from "#test/migrated.ts";
import { writeHistory } from "#test/shop-history.ts";
import { environment } from "./environment.ts";
import { type Figure, figure, median, timed } from "./figure.ts";

const ORDERS = Number(process.env["BENCH_ORDERS"] ?? 100_000);
const LOOKS = 9;
const FIRST_LOOK_MS = 1_500;
const shop = "busy.myshopify.com";
const settings = { environment: "test" as const, timezone: "Europe/Paris", currency: "EUR" };

export async function bench(): Promise<Figure[]> {
  const cluster = await openCluster();
  const DATABASE_URL = serverUrl(cluster.port, await cluster.newDatabase());
  await makeMigrated(DATABASE_URL);
  // The app's modules read the environment when they are imported.
  Object.assign(process.env, environment, { LOG_LEVEL: "error", NODE_ENV: "test", DATABASE_URL });
  const { database, db } = await import("#app/platform/db.server.ts");
  const { attachmentOverview, attachmentMonth } = await import("#app/analytics/attachment.server.ts");
  const client = await connect(DATABASE_URL);
  try {
    await writeHistory(db, { shop, orders: ORDERS, references: 3_000, organisation: null });
    await client.query("CREATE EXTENSION pg_buffercache");
    await client.query("CHECKPOINT");
    await client.query("SELECT pg_buffercache_evict_all()");
    const overview = () => timed(() => attachmentOverview(shop, { ...settings, start: null, end: null }));
    const today = new Date().toISOString().slice(0, 10);
    const summary = () => timed(() => attachmentMonth(shop, settings, today));
    const first = await overview();
    const name = `statistics of ${ORDERS} orders over three years`;
    const goal = `at most ${FIRST_LOOK_MS}`;
    return [
      figure(`${name}, first look`, first, "ms, once", goal, first <= FIRST_LOOK_MS),
      figure(`${name}, later looks`, await medianOf(overview), "ms, median"),
      figure("Home's thirty days", await medianOf(summary), "ms, median"),
    ];
  } finally {
    await client.end();
    await database.close();
    await cluster.close();
  }
}

async function medianOf(look: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < LOOKS; round += 1) times.push(await look());
  return median(times);
}
