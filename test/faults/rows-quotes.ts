/** Quotes that orders get by themselves: one for each uninsured piece, and none for anything else. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { becomesTrue } from "#test/eventually.ts";
import { customer, linesFor } from "#test/plans/references.ts";
import { cancelOrder, createPaidOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { breakService, mendService, outcomes } from "./break.ts";
import type { Round } from "./round.ts";
import type { Row } from "./row.ts";

/** What the order is to have in the end. */
interface Expected {
  order: Order;
  /** quotes that may have been made: one for each piece that was uninsured when its time came */
  quotes: number;
  /** it is cancelled while quotes are made: none may stay usable */
  isCancelled?: true;
}

const rows = z.array(z.object({ orderId: z.string(), state: z.string(), leadId: z.string().nullable() }));
const leads = z.array(z.looseObject({ id: z.string(), customer: z.looseObject({ email: z.string() }) }));

/** The merchant has turned them on long ago, and let the app write to orders. */
async function turnOn(round: Round): Promise<void> {
  const [{ shopDomain, state, app }] = round.house.shops;
  if (state.installation) state.installation.scopes = [...app.scopes, ...app.optionalScopes];
  await round.query(async (read) => {
    await read(`UPDATE "Merchant" SET "canWriteOrders" = true WHERE shop = '${shopDomain}'`);
    await read(`INSERT INTO "LeadSettings" (shop, since, "delayHours")
      VALUES ('${shopDomain}', now() - interval '10 days', 24)`);
  });
}

/** Somebody buys: most without insurance, some for a part of it, some who do not want to be written to. */
function sell(round: Round, index: number): Expected {
  const [{ state }] = round.house.shops;
  const quantity = round.random.between(1, 3);
  const { phone } = linesFor(state, round.house.references, { quantity });
  const acceptsMarketing = index % 10 !== 1;
  const order = createPaidOrder(state, {
    lines: [{ ...phone, properties: [] }],
    ...{ email: `quoted${index}@example.com`, billingAddress: customer, acceptsMarketing },
  });
  const kind = index % 10;
  if (kind === 2) cancelOrder(state, order.id);
  if (kind === 3)
    refundOrder(state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] });
  const isNone = !acceptsMarketing || kind === 2;
  return { order, quotes: isNone ? 0 : quantity - (kind === 3 ? 1 : 0) };
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

async function isDecided(round: Round, sold: readonly Expected[]): Promise<boolean> {
  const due = await round.query((read) =>
    read(`SELECT "orderId" FROM "Order" WHERE "acceptsMarketing" AND "cancelledAt" IS NULL AND "leadsDecidedAt" IS NULL
        AND "orderId" IN (${sold.map(({ order }) => `'${order.id}'`).join(",")})
      UNION ALL SELECT "orderId" FROM "OrderLead" WHERE state = 'due' LIMIT 1`),
  );
  return due.length === 0;
}

/** What is wrong with the quotes at the service and in the app's books, in words. */
async function judge(round: Round, sold: readonly Expected[]): Promise<string[]> {
  const made = leads.parse(await (await fetch(`${round.house.insurance.control_url}/leads`)).json());
  const byEmail = Map.groupBy(made, ({ customer: { email } }) => email);
  const stored = rows.parse(
    await round.query((read) => read(`SELECT "orderId", state, "leadId" FROM "OrderLead"`)),
  );
  const byOrder = Map.groupBy(stored, ({ orderId }) => orderId);
  const wrong: string[] = [];
  let usable = 0;
  for (const { order, quotes, isCancelled } of sold) {
    const atService = byEmail.get(order.email ?? "") ?? [];
    const own = byOrder.get(order.id) ?? [];
    const open = own.filter(({ state }) => state === "open");
    usable += open.length;
    if (atService.length > quotes)
      wrong.push(`${order.name}: ${atService.length} quotes were made, ${quotes} at most`);
    if (isCancelled ? open.length > 0 : own.length !== quotes)
      wrong.push(`${order.name}: ${own.map(({ state }) => state).join(" ")} instead of ${quotes} quotes`);
    if (!isCancelled && own.some(({ state }) => !["open", "unknown", "refused"].includes(state)))
      wrong.push(`${order.name}: ${own.map(({ state }) => state).join(" ")}`);
    const ids = new Set(atService.map(({ id }) => id));
    if (open.some(({ leadId }) => leadId === null || !ids.has(leadId)))
      wrong.push(`${order.name}: a quote is offered that the service does not have`);
  }
  if (usable === 0) wrong.push("no quote can be used");
  return wrong;
}

export const quoteRows: Row[] = [
  {
    row: 13,
    name: "quotes for uninsured pieces: workers killed, answers lost, webhooks and hours twice",
    full: { server: 1_000 },
    short: 12,
    async play(round) {
      const [{ webhooks, state }] = round.house.shops;
      await round.open(1);
      await turnOn(round);
      webhooks.behaviour.duplicates = 1;
      let victim = await round.worker();
      // The judge of contracts wants some, too.
      round.sales.buy();
      const sold: Expected[] = [];
      for (let index = 0; index < round.orders; index++) {
        sold.push(sell(round, index));
        // As fast as a shop that sells a lot, and not faster.
        if (index % 20 === 19) await wait(200);
      }
      await webhooks.settled();
      await becomesTrue(() => round.isQuiet(), 120_000 + round.orders * 60, 250);
      await round.query((read) => read(`UPDATE "Order" SET "paidAt" = "paidAt" - interval '25 hours'`));
      const perHour = Math.max(3, Math.round(round.orders / 20));
      const faults = Array.from({ length: perHour }, () => ({
        operation: "leads.create" as const,
        ...round.random.pick(outcomes),
      }));
      breakService(round.house, ...faults);
      const hours = round.short ? 3 : 8;
      for (let hour = 0; hour < hours; hour++) {
        await hourComes(round);
        await wait(round.random.between(500, 1_500));
        const cancelled = sold[round.random.between(0, sold.length - 1)];
        if (cancelled && cancelled.order.cancelledAt === null && cancelled.quotes > 0) {
          cancelOrder(state, cancelled.order.id);
          cancelled.isCancelled = true;
        }
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
        if (await isDecided(round, sold)) return (await isHourOver(round)) && (await round.isQuiet());
        await hourComes(round);
        return false;
      };
      if (!(await becomesTrue(isOver, 180_000 + round.orders * 200, 1_000)))
        round.wrong.push("quotes are still to be made");
      round.wrong.push(...(await judge(round, sold)).slice(0, 10));
    },
  },
];
