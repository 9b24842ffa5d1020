/** Automatic quotes of orders: one for each uninsured item, and none for anything else. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { becomesTrue } from "#test/eventually.ts";
import { customer, linesFor } from "#test/plans/references.ts";
import { Bucket } from "#test/sandbox/shop/admin/api/throttle.ts";
import { emitShopEvent } from "#test/sandbox/shop/events.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { cancelOrder, createPaidOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { breakService, mendService, outcomes } from "./break.ts";
import type { Round } from "./round.ts";
import type { Row } from "./row.ts";

/** What has to come of an order. */
interface Expected {
  order: Order;
  /** maximum and actual number of quotes: its items that were uninsured when its time came */
  quotes: number;
  /** quotes that may be usable in the end; fewer than were made where something happened to the order since */
  usable: number;
  /** with contracts: their judge has to know of what happens to it */
  isInsured?: true;
}

const rows = z.array(z.object({ orderId: z.string(), state: z.string(), leadId: z.string().nullable() }));
const leads = z.array(z.looseObject({ id: z.string(), customer: z.looseObject({ email: z.string() }) }));
const metafield = z.object({ stopUrl: z.string().nullable(), quotes: z.array(z.unknown()) });

/** A plan of the platform whose Admin API has a higher rate limit of orders. */
const LARGE_SHOP = 100;

/** The merchant has turned them on long ago, and lets the app write to orders. */
async function turnOn(round: Round): Promise<void> {
  const [{ shopDomain, state, app, api }] = round.house.shops;
  if (round.orders > LARGE_SHOP) api.bucket = new Bucket("Shopify Plus");
  const { installation } = state;
  if (!installation) throw new Error("The app is not installed");
  const previous = installation.scopes;
  const current = [...app.scopes, ...app.optionalScopes];
  state.installation = { ...installation, scopes: current };
  emitShopEvent(state, { topic: "app/scopes_update", previous, current });
  const isNoted = async () => {
    const noted = await round.query((read) => read(`SELECT 1 FROM "Merchant" WHERE "canWriteOrders"`));
    return noted.length > 0;
  };
  if (!(await becomesTrue(isNoted, 60_000, 100))) throw new Error("The granted scopes are not noted");
  await round.query((read) =>
    read(`INSERT INTO "LeadSettings" (shop, since, "delayHours")
      VALUES ('${shopDomain}', now() - interval '10 days', 24)`),
  );
}

/** Somebody buys: most without insurance, some with it, some for a part, some who do not want to be written to. */
function sell(round: Round, index: number): Expected {
  const [{ state }] = round.house.shops;
  const quantity = round.random.between(1, 3);
  const kind = index % 10;
  const acceptsMarketing = kind !== 1;
  if (kind === 4) {
    const insured = round.random.between(1, quantity);
    const order = round.sales.buy(quantity, undefined, { insured, acceptsMarketing });
    return { order, quotes: quantity - insured, usable: quantity - insured, isInsured: true };
  }
  const { phone } = linesFor(state, round.house.references, { quantity });
  const order = createPaidOrder(state, {
    lines: [{ ...phone, properties: [] }],
    ...{ email: `quoted${index}@example.com`, billingAddress: customer, acceptsMarketing },
  });
  if (kind === 2) cancelOrder(state, order.id);
  if (kind === 3) takeBack(round, order);
  const left = !acceptsMarketing || kind === 2 ? 0 : quantity - (kind === 3 ? 1 : 0);
  return { order, quotes: left, usable: left };
}

/** One item is returned. */
function takeBack(round: Round, order: Order): void {
  const [{ state }] = round.house.shops;
  refundOrder(state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] });
}

/** While quotes are made and used: an order is cancelled, an item is returned, a customer wants no quotes any more. */
async function happen(round: Round, sold: readonly Expected[]): Promise<void> {
  const [{ state }] = round.house.shops;
  const untouched = sold.filter(({ isInsured, usable }) => !isInsured && usable > 0);
  const pick = () => round.random.pick(untouched.filter(({ usable, quotes }) => usable === quotes));
  const cancelled = pick();
  cancelOrder(state, cancelled.order.id);
  cancelled.usable = 0;
  const returned = pick();
  takeBack(round, returned.order);
  returned.usable -= 1;
  const written = untouched.find(
    ({ order, usable, quotes }) => usable === quotes && quotesOn(round, order).stopUrl !== null,
  );
  const stopUrl = written && quotesOn(round, written.order).stopUrl;
  if (!written || !stopUrl) return;
  const { status } = await fetch(stopUrl, { method: "POST" });
  if (status === 200) written.usable = 0;
}

/** What the customer sees on the order. */
function quotesOn(round: Round, order: Order): z.output<typeof metafield> {
  const written = findMetafield(round.house.shops[0].state, gid("Order", order.id), "$app", "quotes");
  return written ? metafield.parse(JSON.parse(written.value)) : { stopUrl: null, quotes: [] };
}

/** The hour comes, and its job as the queue would send it: a worker that is killed with it loses it to the next one. */
async function hourComes(round: Round): Promise<void> {
  await round.query((read) =>
    read(`INSERT INTO pgboss.job (name, data, policy, retry_limit, retry_delay, expire_seconds, heartbeat_seconds)
      SELECT name, '{}', policy, retry_limit, 1, expire_seconds, heartbeat_seconds FROM pgboss.queue
      WHERE name = 'hourly' ON CONFLICT DO NOTHING`),
  );
}

async function isHourOver(round: Round): Promise<boolean> {
  const open = await round.query((read) =>
    read(`SELECT 1 FROM pgboss.job WHERE name = 'hourly' AND state < 'completed' LIMIT 1`),
  );
  return open.length === 0;
}

/** An order of which nothing is left to insure is never decided. */
async function isDecided(round: Round, sold: readonly Expected[]): Promise<boolean> {
  const ids = sold.filter(({ usable }) => usable > 0).map(({ order }) => `'${order.id}'`);
  const due = await round.query((read) =>
    read(`SELECT "orderId" FROM "Order" WHERE "acceptsMarketing" AND "cancelledAt" IS NULL AND "leadsDecidedAt" IS NULL
        AND "orderId" IN (${ids.join(",")})
      UNION ALL SELECT "orderId" FROM "OrderLead" WHERE state IN ('due', 'sending') LIMIT 1`),
  );
  return due.length === 0;
}

/** What is wrong with the quotes at the service, in the app's tables and on the orders, in words. */
async function judge(round: Round, sold: readonly Expected[]): Promise<string[]> {
  const made = leads.parse(await (await fetch(`${round.house.insurance.control_url}/leads`)).json());
  const byEmail = Map.groupBy(made, ({ customer: { email } }) => email);
  const stored = rows.parse(
    await round.query((read) => read(`SELECT "orderId", state, "leadId" FROM "OrderLead"`)),
  );
  const byOrder = Map.groupBy(stored, ({ orderId }) => orderId);
  const wrong: string[] = [];
  let [usableNow, doubled, lost] = [0, 0, 0];
  for (const { order, quotes, usable } of sold) {
    const atService = byEmail.get(order.email ?? "") ?? [];
    const own = byOrder.get(order.id) ?? [];
    const open = own.filter(({ state }) => state === "open");
    const states = own.map(({ state }) => state).join(" ");
    usableNow += open.length;
    doubled += Math.max(0, atService.length - quotes);
    lost += own.filter(({ state }) => state === "unknown").length;
    if (atService.length > quotes)
      wrong.push(`${order.name}: ${atService.length} quotes were made, ${quotes} at most`);
    if (open.length > usable) wrong.push(`${order.name}: ${states}, ${usable} may be usable`);
    if (usable === quotes && own.length !== quotes)
      wrong.push(`${order.name}: ${states || "none"} instead of ${quotes} quotes`);
    if (usable === quotes && own.some(({ state }) => !["open", "unknown", "refused"].includes(state)))
      wrong.push(`${order.name}: ${states}`);
    const ids = new Set(atService.map(({ id }) => id));
    if (open.some(({ leadId }) => leadId === null || !ids.has(leadId)))
      wrong.push(`${order.name}: a quote is offered that the service does not have`);
    const shown = quotesOn(round, order).quotes.length;
    if (shown !== open.length) wrong.push(`${order.name}: shows ${shown} quotes, has ${open.length}`);
  }
  if (made.length === 0) wrong.push("no quote was made");
  // Of the few of the short form, what happens meanwhile may leave none.
  if (usableNow === 0 && !round.short) wrong.push("no quote can be used");
  const expected = sold.reduce((sum, { quotes }) => sum + quotes, 0);
  round.said.push(
    `${expected} items to be quoted, ${made.length} quotes at the service, ${usableNow} usable, ${lost} with a lost answer, ${doubled} too many`,
  );
  return wrong;
}

/** The requests to both sides, and the database's transactions, since the row began. */
async function spent(
  round: Round,
): Promise<{ service: number; admin: number; points: number; commits: number }> {
  const [{ api }] = round.house.shops;
  const [row] = z
    .array(z.object({ commits: z.coerce.number() }))
    .parse(
      await round.query((read) =>
        read(`SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()`),
      ),
    );
  const service = [...round.house.insurance.traffic.counts.values()].reduce((sum, count) => sum + count, 0);
  return { service, admin: api.usage.calls, points: api.usage.points, commits: row?.commits ?? 0 };
}

export const quoteRows: Row[] = [
  {
    row: 13,
    name: "quotes for uninsured items: workers killed, answers lost, webhooks and hours twice",
    full: { server: 1_000 },
    short: 12,
    async play(round) {
      const [{ webhooks }] = round.house.shops;
      await round.open(1);
      await turnOn(round);
      webhooks.behaviour.duplicates = 1;
      let victim = await round.worker();
      const sold: Expected[] = [];
      for (let index = 0; index < round.orders; index++) {
        sold.push(sell(round, index));
        // As fast as a shop that sells a lot, and not faster.
        if (index % 20 === 19) await wait(200);
      }
      await webhooks.settled();
      if (!(await becomesTrue(() => round.isQuiet(), 120_000 + round.orders * 200, 500)))
        round.wrong.push("orders are still to be stored");
      await round.query((read) => read(`UPDATE "Order" SET "paidAt" = "paidAt" - interval '25 hours'`));
      const perHour = Math.max(3, Math.round(round.orders / 20));
      const faults = Array.from({ length: perHour }, () => ({
        operation: "leads.create" as const,
        ...round.random.pick(outcomes),
      }));
      breakService(round.house, ...faults);
      const hours = round.short ? 3 : 8;
      const before = await spent(round);
      const startedAt = Date.now();
      for (let hour = 0; hour < hours; hour++) {
        await hourComes(round);
        // Long enough that some work is done before the worker goes.
        await wait(round.random.between(500, 1_500) * Math.max(1, round.orders / 1_000));
        await happen(round, sold);
        await victim.end("SIGKILL");
        victim = await round.worker();
      }
      mendService(round.house);
      // What a killed worker was sending is given up in two minutes; here the clock is moved on.
      await round.query((read) =>
        read(`UPDATE "OrderLead" SET "sentAt" = "sentAt" - interval '1 hour' WHERE state = 'sending'`),
      );
      const isOver = async () => {
        await round.query((read) =>
          read(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry' AND name = 'order-leads'`),
        );
        if (!(await isHourOver(round)) || !(await round.isQuiet())) return false;
        if (await isDecided(round, sold)) return true;
        await hourComes(round);
        return false;
      };
      if (!(await becomesTrue(isOver, 180_000 + round.orders * 1_500, 1_000)))
        round.wrong.push("quotes are still to be made");
      const after = await spent(round);
      const each = (what: keyof typeof after) => ((after[what] - before[what]) / sold.length).toFixed(1);
      round.said.push(
        `made in ${Math.round((Date.now() - startedAt) / 1_000)} s; for each order ${each("service")} requests to the service, ${each("admin")} to the shop (${each("points")} points), ${each("commits")} transactions`,
      );
      round.wrong.push(...(await judge(round, sold)).slice(0, 10));
    },
  },
];
