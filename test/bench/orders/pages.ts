/**
 * A process of the bench: times what two pages read, by their own functions: the newest orders, and one order with its
 * units and history. The database is in its environment, the shop its argument. Prints one JSON line.
 */
import { database, db } from "#app/platform/db.server.ts";
import { listOrders } from "#app/plans/orders/order-list.server.ts";
import { readOrderView } from "#app/plans/orders/order-page.server.ts";
import { median } from "../figure.ts";

const TIMES = 300;
const [, , shop = ""] = process.argv;

async function timed(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const started = performance.now();
    await read();
    times.push(performance.now() - started);
  }
  return median(times);
}

const merchant = { shop, timezone: "Europe/Paris", environment: "test" as const };
const everything = { query: null, plans: null, start: null, end: null, tests: null, sort: null };
const firstPage = { after: null, before: null };
const list = await timed(() => listOrders(merchant, everything, firstPage, 25));
// A past order of the bench (grow.ts) has no customer that can be decrypted.
const { orderId } = await db.order.findFirstOrThrow({
  where: { shop, NOT: { orderId: { startsWith: "past-" } } },
});
const order = await timed(() => readOrderView(shop, orderId));
process.stdout.write(`${JSON.stringify({ list, order })}\n`);
await database.close();
process.exit(0);
