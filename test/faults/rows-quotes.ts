/** Automatic quotes of orders: one for each uninsured item, and none for anything else. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { becomesTrue } from "#test/eventually.ts";
import { customer, linesFor } from "#test/orders/references.ts";
import { Bucket } from "#test/sandbox/shop/api/limits.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { cancelOrder, createPaidOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { outcomes } from "./break.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";

/** The expected result of an order. */
interface Expected {
  order: Order;
  /** maximum and actual number of quotes: the uninsured items when the quotes were due */
  quotes: number;
  /** maximum of usable quotes in the end: fewer than created if the order changed afterwards */
  usable: number;
  /** with contracts: their check needs the order's later events */
  isInsured?: true;
}

const rows = z.array(z.object({ orderId: z.string(), state: z.string(), quoteId: z.string().nullable() }));
const leads = z.array(z.looseObject({ id: z.string(), customer: z.looseObject({ email: z.string() }) }));
const metafield = z.object({ stopUrl: z.string().nullable(), quotes: z.array(z.unknown()) });

/** A Shopify plan with a higher rate limit for orders. */
const LARGE_SHOP = 100;

/** The merchant grants every permission that the app requests in Settings. */
export async function grantScopes(iteration: Iteration): Promise<void> {
  const [shop] = iteration.testApp.shops;
  shop.changeScopes([...shop.app.scopes, ...shop.app.optionalScopes]);
  const isNoted = async () => {
    const noted = await iteration.query((read) => read(`SELECT 1 FROM "Merchant" WHERE "canWriteOrders"`));
    return noted.length > 0;
  };
  if (!(await becomesTrue(isNoted))) throw new Error("The granted scopes are not noted");
}

/** The merchant has turned quotes on long ago, and lets the app write to orders. */
async function turnOn(iteration: Iteration): Promise<void> {
  const [{ shopDomain, api }] = iteration.testApp.shops;
  if (iteration.orders > LARGE_SHOP) api.bucket = new Bucket("Shopify Plus");
  await grantScopes(iteration);
  await iteration.query((read) =>
    read(`INSERT INTO "QuoteSettings" (shop, since, "delayHours")
      VALUES ('${shopDomain}', now() - interval '10 days', 24)`),
  );
}

/** A purchase: most without insurance, some insured fully or in part, some without consent to e-mails. */
function sell(iteration: Iteration, index: number): Expected {
  const [{ state }] = iteration.testApp.shops;
  const quantity = iteration.random.between(1, 3);
  const kind = index % 10;
  const acceptsMarketing = kind !== 1;
  if (kind === 4) {
    const insured = iteration.random.between(1, quantity);
    const order = iteration.sales.buy(quantity, undefined, { insured, acceptsMarketing });
    return { order, quotes: quantity - insured, usable: quantity - insured, isInsured: true };
  }
  const { phone } = linesFor(state, iteration.testApp.references, { quantity });
  const order = createPaidOrder(state, {
    lines: [{ ...phone, properties: [] }],
    email: `quoted${index}@example.com`,
    billingAddress: customer,
    acceptsMarketing,
  });
  if (kind === 2) cancelOrder(state, order.id);
  if (kind === 3) takeBack(iteration, order);
  const left = !acceptsMarketing || kind === 2 ? 0 : quantity - (kind === 3 ? 1 : 0);
  return { order, quotes: left, usable: left };
}

/** One item is returned. */
function takeBack(iteration: Iteration, order: Order): void {
  const [{ state }] = iteration.testApp.shops;
  refundOrder(state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] });
}

/** While quotes are created and used: an order is cancelled, an item is returned, a customer declines quotes. */
async function happen(iteration: Iteration, sold: readonly Expected[]): Promise<void> {
  const [{ state }] = iteration.testApp.shops;
  const untouched = sold.filter(({ isInsured, usable }) => !isInsured && usable > 0);
  const pick = () => iteration.random.pick(untouched.filter(({ usable, quotes }) => usable === quotes));
  const cancelled = pick();
  cancelOrder(state, cancelled.order.id);
  cancelled.usable = 0;
  const returned = pick();
  takeBack(iteration, returned.order);
  returned.usable -= 1;
  const written = untouched.find(
    ({ order, usable, quotes }) => usable === quotes && quotesOn(iteration, order).stopUrl !== null,
  );
  const stopUrl = written && quotesOn(iteration, written.order).stopUrl;
  if (!written || !stopUrl) return;
  const { status } = await fetch(stopUrl, { method: "POST" });
  if (status === 200) written.usable = 0;
}

/** The order's data for the customer. */
function quotesOn(iteration: Iteration, order: Order): z.output<typeof metafield> {
  const written = findMetafield(iteration.testApp.shops[0].state, gid("Order", order.id), "$app", "quotes");
  return written ? metafield.parse(JSON.parse(written.value)) : { stopUrl: null, quotes: [] };
}

/** An order of which nothing is left to insure is never decided. */
async function isDecided(iteration: Iteration, sold: readonly Expected[]): Promise<boolean> {
  const ids = sold.filter(({ usable }) => usable > 0).map(({ order }) => `'${order.id}'`);
  const due = await iteration.query((read) =>
    read(`SELECT "orderId" FROM "Order" WHERE "acceptsMarketing" AND "cancelledAt" IS NULL AND "quotesDecidedAt" IS NULL
        AND "orderId" IN (${ids.join(",")})
      UNION ALL SELECT "orderId" FROM "OrderQuote" WHERE state IN ('due', 'sending') LIMIT 1`),
  );
  return due.length === 0;
}

/** The failures of the quotes at the insurer, in the app's tables and on the orders, as text. */
async function judge(iteration: Iteration, sold: readonly Expected[]): Promise<string[]> {
  const made = leads.parse(await (await fetch(`${iteration.testApp.insurance.control_url}/leads`)).json());
  const byEmail = Map.groupBy(made, ({ customer: { email } }) => email);
  const stored = rows.parse(
    await iteration.query((read) => read(`SELECT "orderId", state, "quoteId" FROM "OrderQuote"`)),
  );
  const byOrder = Map.groupBy(stored, ({ orderId }) => orderId);
  const wrong: string[] = [];
  let [usableNow, doubled, lost] = [0, 0, 0];
  for (const { order, quotes, usable } of sold) {
    const atInsurer = byEmail.get(order.email ?? "") ?? [];
    const own = byOrder.get(order.id) ?? [];
    const open = own.filter(({ state }) => state === "open");
    const states = own.map(({ state }) => state).join(" ");
    usableNow += open.length;
    doubled += Math.max(0, atInsurer.length - quotes);
    lost += own.filter(({ state }) => state === "unknown").length;
    if (atInsurer.length > quotes)
      wrong.push(`${order.name}: ${atInsurer.length} quotes were made, ${quotes} at most`);
    if (open.length > usable) wrong.push(`${order.name}: ${states}, ${usable} may be usable`);
    if (usable === quotes && own.length !== quotes)
      wrong.push(`${order.name}: ${states || "none"} instead of ${quotes} quotes`);
    if (usable === quotes && own.some(({ state }) => !["open", "unknown", "refused"].includes(state)))
      wrong.push(`${order.name}: ${states}`);
    const ids = new Set(atInsurer.map(({ id }) => id));
    if (open.some(({ quoteId }) => quoteId === null || !ids.has(quoteId)))
      wrong.push(`${order.name}: a quote is offered that the insurer does not have`);
    const shown = quotesOn(iteration, order).quotes.length;
    if (shown !== open.length) wrong.push(`${order.name}: shows ${shown} quotes, has ${open.length}`);
  }
  if (made.length === 0) wrong.push("no quote was made");
  // In the short form, the events may leave no quote.
  if (usableNow === 0 && !iteration.short) wrong.push("no quote can be used");
  const expected = sold.reduce((sum, { quotes }) => sum + quotes, 0);
  iteration.said.push(
    `${expected} items to be quoted, ${made.length} quotes at the insurer, ${usableNow} usable, ${lost} with a lost answer, ${doubled} too many`,
  );
  return wrong;
}

/** The requests to both sides, and the database's transactions, since the row began. */
async function spent(
  iteration: Iteration,
): Promise<{ insurer: number; admin: number; points: number; commits: number }> {
  const [{ api }] = iteration.testApp.shops;
  const [row] = z
    .array(z.object({ commits: z.coerce.number() }))
    .parse(
      await iteration.query((read) =>
        read(`SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()`),
      ),
    );
  const insurer = [...iteration.testApp.insurance.traffic.counts.values()].reduce(
    (sum, count) => sum + count,
    0,
  );
  return { insurer, admin: api.usage.calls, points: api.usage.points, commits: row?.commits ?? 0 };
}

export const quoteRows: Row[] = [
  {
    row: 13,
    name: "quotes for uninsured items: workers killed, answers lost, webhooks and hours twice",
    full: 1_000,
    short: 20,
    async run(iteration) {
      const [{ webhooks }] = iteration.testApp.shops;
      await iteration.open(1);
      await turnOn(iteration);
      webhooks.behaviour.duplicates = 1;
      let victim = await iteration.worker();
      const sold: Expected[] = [];
      for (let index = 0; index < iteration.orders; index++) {
        sold.push(sell(iteration, index));
        // At the rate of a busy shop.
        if (index % 20 === 19) await wait(200);
      }
      await webhooks.settled();
      if (!(await becomesTrue(() => iteration.isQuiet(), 120_000 + iteration.orders * 200, 500)))
        iteration.wrong.push("orders are still to be stored");
      await iteration.query(async (read) => {
        // A book takes no changes from anybody else.
        await read(`SET session_replication_role = replica`);
        await read(`UPDATE "OrderEvent" SET data = jsonb_set(data, '{asOf}',
          to_jsonb((data->>'asOf')::timestamptz - interval '25 hours')) WHERE type = 'paid'`);
        return read(`UPDATE "Order" SET "paidAt" = "paidAt" - interval '25 hours',
          "dueAt" = "dueAt" - interval '25 hours'`);
      });
      const perHour = Math.max(3, Math.round(iteration.orders / 20));
      const faults = Array.from({ length: perHour }, () => ({
        operation: "leads.create" as const,
        ...iteration.random.pick(outcomes),
      }));
      iteration.testApp.insurance.faults.add(...faults);
      const hours = iteration.short ? 3 : 8;
      const before = await spent(iteration);
      const startedAt = Date.now();
      for (let hour = 0; hour < hours; hour++) {
        await iteration.startHourlyJob();
        // Long enough that some work is done before the worker goes.
        await wait(iteration.random.between(500, 1_500) * Math.max(1, iteration.orders / 1_000));
        await happen(iteration, sold);
        await victim.end("SIGKILL");
        victim = await iteration.worker();
      }
      iteration.testApp.insurance.faults.clear();
      // A killed worker's request is abandoned after two minutes; the test advances the clock instead.
      await iteration.query((read) =>
        read(`WITH sending AS (
            UPDATE "OrderEvent" AS asked SET at = at - interval '1 hour' FROM "OrderQuote" AS l
            WHERE asked.type = 'quote_asked' AND l.state = 'sending' AND (asked.shop, asked."orderId") = (l.shop, l."orderId")
            RETURNING asked.shop, asked."orderId"
          ) UPDATE "Order" AS o SET "dueAt" = now() FROM sending WHERE (o.shop, o."orderId") = (sending.shop, sending."orderId")`),
      );
      const isOver = async () => {
        await iteration.query((read) =>
          read(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry' AND name = 'order'`),
        );
        if (!(await iteration.isHourlyJobOver()) || !(await iteration.isQuiet())) return false;
        if (await isDecided(iteration, sold)) return true;
        await iteration.startHourlyJob();
        return false;
      };
      if (!(await becomesTrue(isOver, 180_000 + iteration.orders * 1_500, 1_000)))
        iteration.wrong.push("quotes are still to be made");
      const after = await spent(iteration);
      const each = (what: keyof typeof after) => ((after[what] - before[what]) / sold.length).toFixed(1);
      iteration.said.push(
        `made in ${Math.round((Date.now() - startedAt) / 1_000)} s; for each order ${each("insurer")} requests to the insurer, ${each("admin")} to the shop (${each("points")} points), ${each("commits")} transactions`,
      );
      iteration.wrong.push(...(await judge(iteration, sold)).slice(0, 10));
    },
  },
];
