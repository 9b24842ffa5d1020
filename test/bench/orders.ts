/**
 * From the paid order to the plan, on PostgreSQL, with the load generator and the stand-ins on the same machine. Parts:
 * intake, latency, fairness, each in a fresh database.
 */
import type pg from "pg";
import { connect, serverUrl, steadyPort } from "#test/cluster.ts";
import { eventually } from "#test/eventually.ts";
import { startProcess } from "#test/faults/processes.ts";
import type { AppProcess } from "#test/faults/processes.ts";
import { openTestApp } from "#test/faults/stage.ts";
import type { TestApp } from "#test/faults/stage.ts";
import { productPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { figure, median, runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { Sender, flood, percentile } from "./orders/load.ts";
import type { Webhook } from "./orders/load.ts";
import { paidOrder } from "./orders/paid-order.ts";

const INSURER_LATENCY_MS = 50;
const FLOOD = 5_000;
/** Warm-up orders, which fill caches and connections. */
const WARM_UP = 5;

interface Bench {
  testApp: TestApp;
  client: pg.Client;
  url: string;
  secret: string;
  database: string;
  start(entry: "app/processes/server.ts" | "app/processes/worker.ts"): Promise<AppProcess>;
  /** the orders/paid webhook of a new insured order */
  paid(shop?: TestApp["shops"][number]): Webhook & { orderId: string };
}

export async function bench(): Promise<Figure[]> {
  const testApp = await openTestApp();
  // The bench sends the webhooks itself to time them.
  testApp.shops[0].webhooks.behaviour.dropShare = 1;
  const inFreshDatabase = (part: (on: Bench) => Promise<Figure[]>) => async () => {
    const on = await openBench(testApp);
    const figures = await part(on);
    await on.client.end();
    return figures;
  };
  try {
    return await runParts({
      intake: inFreshDatabase(intake),
      latency: inFreshDatabase(latency),
      fairness: inFreshDatabase(fairness),
    });
  } finally {
    await testApp.close();
  }
}

async function openBench(testApp: TestApp): Promise<Bench> {
  const database = serverUrl(testApp.postgresPort, await testApp.newServerDatabase());
  const env = { ...testApp.env, WORKER: "separate", DATABASE_URL: database };
  return {
    testApp,
    client: await connect(database),
    database,
    url: `http://127.0.0.1:${testApp.webPort}`,
    secret: testApp.env["SHOPIFY_API_SECRET"] ?? "",
    start: (entry) => startProcess({ entry, env, logFile: `${testApp.folder}/bench.log` }),
    paid: (shop = testApp.shops[0]) => ({
      topic: "orders/paid",
      shop: shop.shopDomain,
      ...paidOrder(testApp, shop),
    }),
  };
}

/** Requests per second of the intake and of a bare route, alternating in the same run. */
async function intake(on: Bench): Promise<Figure[]> {
  const web = await on.start("app/processes/server.ts");
  const barePort = await steadyPort();
  const bare = await startProcess({
    entry: "test/bench/orders/bare.ts",
    env: { DATABASE_URL: on.database, SHOPIFY_API_SECRET: on.secret, PORT: String(barePort) },
    logFile: `${on.testApp.folder}/bare.log`,
  });
  const bareUrl = `http://127.0.0.1:${barePort}`;
  const webhook = on.paid();
  const pairs: { app: number; bare: number }[] = [];
  for (const url of [on.url, bareUrl]) await flood(url, on.secret, webhook, 2);
  for (let pair = 0; pair < 3; pair++) {
    const app = await flood(on.url, on.secret, webhook, 5);
    pairs.push({ app, bare: await flood(bareUrl, on.secret, webhook, 5) });
  }
  await Promise.all([web.end(), bare.end()]);
  const ratio = median(pairs.map(({ app, bare: bareRate }) => app / bareRate));
  return [
    figure("intake: webhooks a second", median(pairs.map(({ app }) => app)), "1/s"),
    figure("bare Fastify route, one row", median(pairs.map(({ bare: bareRate }) => bareRate)), "1/s"),
    figure("intake ÷ bare route, median of 3", ratio, "ratio", "at least 0.3", ratio >= 0.3),
  ];
}

/** From the webhook's 200 to the active plan, without the insurer's time. */
async function latency(on: Bench): Promise<Figure[]> {
  on.testApp.insurance.faults.add({ kind: "latency", ms: INSURER_LATENCY_MS, times: null });
  const processes = [await on.start("app/processes/server.ts"), await on.start("app/processes/worker.ts")];
  const times = (await timesToPlan(on, 100, WARM_UP)).map((ms) => ms - INSURER_LATENCY_MS);
  await Promise.all(processes.map((each) => each.end()));
  on.testApp.insurance.faults.clear();
  const typical = median(times);
  return [
    figure(
      "from the 200 to the active plan, beyond the insurer's own time, median",
      typical,
      "ms",
      "at most 100",
      typical <= 100,
    ),
    figure("the same, p95", percentile(times, 0.95), "ms"),
  ];
}

/** A shop's paid orders behind its own price import and another shop's flood of order webhooks. */
async function fairness(on: Bench): Promise<Figure[]> {
  const [shop, other] = on.testApp.shops;
  if (!other) throw new Error("The test app has one shop");
  const web = await on.start("app/processes/server.ts");
  const quietWorker = await on.start("app/processes/worker.ts");
  const quiet = await timesToPlan(on, 10, WARM_UP);
  await quietWorker.end();

  await keepCategories(on.client, shop.shopDomain);
  const products = [...shop.state.products.values()].map((product): Webhook => ({
    topic: "products/update",
    shop: shop.shopDomain,
    body: JSON.stringify(productPayload(shop.state, product)),
  }));
  const updated: Webhook = { ...on.paid(other), topic: "orders/create" };
  const sender = new Sender(on.url, on.secret, 16);
  await sender.sendAll(FLOOD, (index) => products[index % products.length] ?? updated);
  await sender.sendAll(FLOOD, () => updated);
  await sender.close();

  const worker = await on.start("app/processes/worker.ts");
  const slowest = Math.max(...(await timesToPlan(on, 10, 0)));
  await Promise.all([web.end(), worker.end()]);
  return [
    figure("from the 200 to the active plan, queue empty, median", median(quiet), "ms"),
    figure(
      `behind ${FLOOD} product updates of its shop and ${FLOOD} order webhooks of another, slowest of 10`,
      slowest,
      "ms",
      "at most 5000",
      slowest <= 5_000,
    ),
  ];
}

/**
 * Products keep their categories. A rule on collections, which webhooks do not contain, makes the worker query each
 * product.
 */
async function keepCategories(client: pg.Client, shop: string): Promise<void> {
  await client.query(
    `INSERT INTO "CategoryOverride" (shop, "productId", "categoryId")
     SELECT shop, "productId", "categoryId" FROM "ShopProduct" WHERE shop = $1`,
    [shop],
  );
  await client.query(
    `INSERT INTO "CategoryRule" (id, shop, position, conditions, "categoryId")
     VALUES ($1 || ':import', $1, 0, '[{"field":"collection","value":"1"}]', NULL)`,
    [shop],
  );
}

/** From the 200 to the active plan, in milliseconds, for orders paid one after another. */
async function timesToPlan(on: Bench, orders: number, warmUp: number): Promise<number[]> {
  const sender = new Sender(on.url, on.secret, 1);
  const times: number[] = [];
  for (let each = -warmUp; each < orders; each++) {
    const paid = on.paid();
    await sender.send(paid);
    const answeredAt = Date.now();
    const activeAt = await eventually(() => findActivation(on, paid.orderId), "the active plan", {
      withinMs: 120_000,
      everyMs: 5,
    });
    if (each >= 0) times.push(activeAt.getTime() - answeredAt);
  }
  await sender.close();
  return times;
}

/** When the order's plan became active; null until its sales record is written as well. */
async function findActivation(on: Bench, orderId: string): Promise<Date | null> {
  const { rows } = await on.client.query<{ at: Date }>(
    `SELECT event.at FROM "Order" JOIN "OrderEvent" AS event USING (shop, "orderId")
     WHERE "orderId" = $1 AND event.type = 'contract' AND "salesRecordStatus" = 'recorded' AND "leaseHolder" IS NULL`,
    [orderId],
  );
  return rows[0]?.at ?? null;
}
