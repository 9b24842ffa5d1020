/** A process of the bench: opens the statistics of years of orders, in the database that its environment names. */
import { writeHistory } from "#test/shop-history.ts";
import { median } from "../figure.ts";

const { database, db } = await import("#app/platform/db.server.ts");
const { attachmentOverview } = await import("#app/plans/attachment/overview.server.ts");
const { recountChangedDays } = await import("#app/plans/attachment/daily-sums.server.ts");
const { stopQueue } = await import("#app/jobs/queue.server.ts");

const LOOKS = 15;
const shop = "busy.myshopify.com";
const settings = { timezone: "Europe/Paris", currency: "EUR" };
const range = { ...settings, environment: "test" as const, start: null, end: null };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function looks(change: () => Promise<unknown> = () => Promise.resolve()): Promise<number> {
  const times: number[] = [];
  for (let iteration = 0; iteration < LOOKS; iteration += 1) {
    await change();
    times.push(await timed(() => attachmentOverview(shop, range)));
  }
  return median(times);
}

// The empty database's look warms up code, connection and prepared statements.
await attachmentOverview(shop, range);
await writeHistory(db, { shop, orders: 100_000, references: 3_000, organisation: null });
const first = await timed(() => attachmentOverview(shop, range));
const recount = await timed(() => recountChangedDays(shop, settings));
const later = await looks();
const selling = await looks(() =>
  db.order.updateMany({ where: { shop, orderId: "5000100000" }, data: { paidAt: new Date() } }),
);
process.stdout.write(`${JSON.stringify({ first, recount, later, selling })}\n`);
await stopQueue();
await database.close();
