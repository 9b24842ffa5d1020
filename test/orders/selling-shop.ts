/**
 * A shop that sells insurance, for tests that begin at a paid order: installed, connected, with the insurer's
 * references as plan products, and the production intake for Shopify's webhooks.
 */
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { z } from "zod";
import { readOrderBook, rebuildOrder } from "#app/orders/book/book.server.ts";
import type { BookEvent, EventOf, KeptEvent } from "#app/orders/book/events.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { handleWebhookRequest } from "#app/webhooks/intake.server.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { settleJobs, startJobs } from "#test/job-worker.ts";
import { listen } from "#test/sandbox/listen.ts";
import type { NewOrder, NewOrderLine } from "#test/sandbox/shop/orders.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";
import { catalogueRows, customer, linesFor, sellReferences } from "./references.ts";
import type { SoldReference } from "./references.ts";

export interface SellingShop {
  references: SoldReference[];
  close(): Promise<void>;
}

/** Connects the first shop and gives it plans to sell; no worker does anything. */
export async function stockShop(): Promise<SoldReference[]> {
  await connectShop();
  const sold = await sellReferences(shop.state, insurance.control_url);
  const rows = catalogueRows(shop.shopDomain, shop.state, sold);
  await db.reference.createMany({ data: rows.references });
  await db.syncedVariant.createMany({ data: rows.variants });
  await db.shopProduct.createMany({ data: rows.products });
  return sold;
}

/** Installs the app in the first shop, connects it and gives it plans to sell. */
export async function openSellingShop(): Promise<SellingShop> {
  const sold = await stockShop();
  const close = await startWebhookServer();
  await startJobs();
  return { references: sold, close };
}

type LineOptions = NonNullable<Parameters<typeof linesFor>[2]>;
type Sale = LineOptions & Partial<NewOrder> & { planPrice?: number };

/** The first shop sells while the tests of a file run; each of them begins without injected faults and without work. */
export function setUpSellingShop() {
  let selling: SellingShop | undefined;
  const openShop = () => {
    if (!selling) throw new Error("The shop is not open yet");
    return selling;
  };
  /** A paid order of smartphones and the plans for them, at `planPrice` instead of their reference's price. */
  const buyInsured = ({ term, quantity, plans, planPrice, ...changes }: Sale = {}): Order => {
    const { phone, plan } = insuredLines(openShop().references, { term, quantity, plans });
    return buy([phone, planPrice === undefined ? plan : { ...plan, price: planPrice }], changes);
  };
  beforeAll(async () => {
    selling = await openSellingShop();
  });
  beforeEach(async () => {
    insurance.faults.clear();
    // What the test before set going would meet this one's faults.
    await shop.webhooks.settled();
    await settleJobs();
  });
  afterAll(() => selling?.close());
  return {
    get references() {
      return openShop().references;
    },
    buyInsured,
    /** The same, once its contracts are active. */
    async buyAndIssue(sale: Sale = {}): Promise<Order> {
      const order = buyInsured(sale);
      const plans = sale.plans ?? sale.quantity ?? 1;
      await eventually(async () => expect(await readItemStates(order)).toEqual(Array(plans).fill("active")));
      return order;
    },
  };
}

/** Receives the first shop's webhooks over HTTP, as the web server does. @returns what closes it */
export async function startWebhookServer(): Promise<() => Promise<void>> {
  const server = createServer((request, response) => void handleWebhookRequest(request, response));
  const { url, close } = await listen(server);
  shop.setAppUrl(url);
  return close;
}

/** A smartphone and the plan for it. */
export function insuredLines(references: SoldReference[], options: LineOptions = {}) {
  return linesFor(shop.state, references, options);
}

/** The merchant grants what the app requests in Settings. */
export async function grantOptionalScopes(): Promise<void> {
  shop.changeScopes([...shop.app.scopes, ...shop.app.optionalScopes]);
  // An order that is stored right while the app reads them may be passed over.
  await eventually(async () =>
    expect(await db.merchant.findUnique({ where: { shop: shop.shopDomain } })).toMatchObject({
      canFulfil: true,
      canWriteOrders: true,
      canWriteDrafts: true,
    }),
  );
}

let customers = 0;

/** A paid order, whose webhooks are being delivered. */
export function buy(lines: NewOrderLine[], changes: Partial<NewOrder> = {}): Order {
  const email = `ana${(customers += 1)}@example.com`;
  return createPaidOrder(shop.state, { lines, email, billingAddress: customer, ...changes });
}

const contracts = z.array(
  z.object({
    id: z.string(),
    order_reference_id: z.string(),
    offer_reference_id: z.string(),
    status: z.string(),
  }),
);

/** The id of the line at this place of an order; empty where it has none. */
export const lineIdAt = (order: Order, index: number): string => order.lines[index]?.id ?? "";

/** The contracts that the insurer has. */
export async function listAllContracts(): Promise<z.infer<typeof contracts>> {
  const answer = await fetch(`${insurance.control_url}/plans`);
  return contracts.parse(await answer.json());
}

/** What contracts it has for an order. */
export async function listContracts(order: Order): Promise<z.infer<typeof contracts>> {
  return (await listAllContracts()).filter((plan) => plan.order_reference_id === order.id);
}

/** The events of one type in an order's book. */
export async function listEvents<Type extends BookEvent["type"]>(
  order: Order,
  type: Type,
): Promise<(KeptEvent & EventOf<Type>)[]> {
  const book = await readOrderBook(shop.shopDomain, order.id);
  return (book?.events ?? []).filter((event): event is KeptEvent & EventOf<Type> => event.type === type);
}

/** Changes events of an order's book, which takes no changes from anybody else. */
async function rewriteBook(order: Order, statement: Prisma.Sql): Promise<void> {
  const [, events] = await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw(Prisma.sql`${statement} AND shop = ${shop.shopDomain} AND "orderId" = ${order.id}`),
  ]);
  if (events === 0) throw new Error(`The book of ${order.name} has no such event`);
  await rebuildOrder(shop.shopDomain, order.id);
}

/**
 * The order and its contracts were made days ago. The jobs of this process go on meanwhile: with a clock set forward they
 * would put off what they do by as many days.
 * @param days negative: they are as new again
 */
export const letDaysPass = (order: Order, days: number): Promise<void> =>
  rewriteBook(
    order,
    Prisma.sql`UPDATE "OrderEvent" SET at = at - make_interval(days => ${days}::int) WHERE true`,
  );

/** It was paid hours ago. */
export const letPaymentAge = (order: Order, hours: number): Promise<void> =>
  rewriteBook(
    order,
    Prisma.sql`UPDATE "OrderEvent" SET data = jsonb_set(data, '{asOf}',
      to_jsonb((data->>'asOf')::timestamptz - make_interval(hours => ${hours}::int))) WHERE type = 'paid'`,
  );

/** All that happened to its quotes was so long ago. */
export const letQuotesAge = (order: Order, ms: number): Promise<void> =>
  rewriteBook(
    order,
    Prisma.sql`UPDATE "OrderEvent" SET at = at - make_interval(secs => ${ms / 1_000}::float)
      WHERE type LIKE 'quote%'`,
  );

/** What events of this type say is otherwise. */
export const changeEvents = (order: Order, type: BookEvent["type"], changes: object): Promise<void> =>
  rewriteBook(
    order,
    Prisma.sql`UPDATE "OrderEvent" SET data = data || ${JSON.stringify(changes)}::jsonb WHERE type = ${type}`,
  );

/** As where a process died before it appended events of this type. */
export const forgetEvents = (order: Order, type: BookEvent["type"]): Promise<void> =>
  rewriteBook(order, Prisma.sql`DELETE FROM "OrderEvent" WHERE type = ${type}`);

/** The ids of those that are in force. */
export async function listContractsInForce(order: Order): Promise<string[]> {
  return (await listContracts(order)).filter(({ status }) => status === "active").map(({ id }) => id);
}

const recorded = z.array(
  z.looseObject({
    order_reference_id: z.string(),
    status: z.string(),
    recordings: z.int(),
    line_items: z.array(z.looseObject({ insurance_offered: z.boolean(), insurance_selected: z.boolean() })),
  }),
);

/** The sales record that the insurer has of an order, from its own data. */
export async function findSalesRecord(order: Order): Promise<z.infer<typeof recorded>[number] | undefined> {
  const answer = await fetch(`${insurance.control_url}/orders`);
  return recorded.parse(await answer.json()).find((each) => each.order_reference_id === order.id);
}

/** An order's items, as lists show them. */
export function listItems(order: Order) {
  return db.insuredItem.findMany({
    where: { shop: shop.shopDomain, orderId: order.id },
    orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }],
  });
}

/** Their states. */
export async function readItemStates(order: Order): Promise<string[]> {
  return (await listItems(order)).map(({ state }) => state);
}

/** Waits until everything that was delivered of an order is processed. */
export async function settleWebhooks(order: Order): Promise<void> {
  await shop.webhooks.settled();
  const where = { shop: shop.shopDomain, orderId: order.id, state: { not: "done" } };
  await eventually(async () => expect(await db.webhook.count({ where })).toBe(0));
}

/** The open tasks about an order, the oldest first. */
export async function listOpenTasks(order: Order) {
  return db.task.findMany({
    where: { shop: shop.shopDomain, orderId: order.id, closedAt: null },
    orderBy: { openedAt: "asc" },
  });
}

export async function listOpenTaskKinds(order: Order): Promise<string[]> {
  return (await listOpenTasks(order)).map(({ kind }) => kind);
}

/** Statements of this database that wait for a lock. */
export async function countWaiting(): Promise<number> {
  const rows = await db.$queryRaw`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return z.tuple([z.object({ waiting: z.int() })]).parse(rows)[0].waiting;
}
