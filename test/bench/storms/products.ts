/** A price import: thousands of product events, and a paid order behind them. */
import { eventually } from "#test/eventually.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import { productPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { figure, median } from "../figure.ts";
import type { Figure } from "../figure.ts";
import type { StormStage } from "./stage.ts";

const UPDATES = Number(process.env["BENCH_UPDATES"] ?? 20_000);
const AT_ONCE = 64;
const QUIET_ORDERS = 5;
const ORDERS = 10;

export async function productStorm(on: StormStage): Promise<Figure[]> {
  const [shop] = on.testApp.shops;
  const { shopDomain } = shop;
  // A rule on collections: an event's body cannot show that it changes nothing. The others keep what the stage gave them.
  await on.client.query(
    `INSERT INTO "CategoryRule" (id, shop, position, conditions, "categoryId")
     VALUES ($1 || ':storm', $1, 0, '[{"field":"collection","value":"1"}]', NULL)`,
    [shopDomain],
  );
  await on.client.query(
    `INSERT INTO "CategoryOverride" (shop, "productId", "categoryId")
     SELECT shop, "productId", "categoryId" FROM "ShopProduct" WHERE shop = $1`,
    [shopDomain],
  );
  const quiet = await withWorker(on, async () => {
    const times: number[] = [];
    for (let each = 0; each < QUIET_ORDERS; each++) times.push((await on.orderToPlan(shop, 60_000)) ?? NaN);
    return median(times);
  });
  await sendUpdates(on, shop);
  const { usage } = shop.api;
  const before = { ...usage };
  const started = performance.now();
  const storm = await withWorker(on, async () => {
    const times: number[] = [];
    for (let each = 0; each < ORDERS; each++) {
      const ms = await on.orderToPlan(shop, 60_000);
      times.push(ms ?? Infinity);
      if (ms === null) break;
    }
    if (process.env["BENCH_PRINT"]) console.error(times);
    const isOver = times.includes(Infinity)
      ? false
      : await eventually(async () => (await on.waitingEvents()) === 0, "the end of the events", {
          withinMs: 300_000,
        });
    return { slowest: Math.max(...times), isOver };
  });
  const seconds = (performance.now() - started) / 1_000;
  const calls = usage.calls - before.calls;
  return [
    figure("paid order to plan, quiet, median", quiet, "ms"),
    figure(
      `paid order to plan behind ${UPDATES} product events, slowest of ${ORDERS}`,
      storm.slowest,
      "ms",
      "at most 5000",
      storm.slowest <= 5_000,
    ),
    figure("until all events are processed", storm.isOver ? seconds : Infinity, "s"),
    figure("Admin API calls for all of them", calls, "calls", "at most 1 per 25", calls <= UPDATES / 25),
    figure("their cost", usage.points - before.points, "points"),
  ];
}

async function withWorker<T>(on: StormStage, work: () => Promise<T>): Promise<T> {
  const worker = await on.startWorker();
  try {
    return await work();
  } finally {
    await worker.end();
  }
}

/** Updates of all the shop's products, one after another. */
async function sendUpdates(on: StormStage, shop: ShopSandbox): Promise<void> {
  const products = [...shop.state.products.values()];
  for (let sent = 0; sent < UPDATES; sent += AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, UPDATES - sent) }, (_, index) => {
        const product = products[(sent + index) % products.length];
        if (!product) throw new Error("The shop has no products");
        return on.receive(shop, "products/update", JSON.stringify(productPayload(shop.state, product)));
      }),
    );
  }
}
