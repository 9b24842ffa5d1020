/** A consent that staff recorded as text, from the order to the erasure of the customer's data. */
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { loader as openOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { loader as downloadData } from "#app/routes/app.tasks.$taskId.data.tsx";
import { CONSENT } from "#app/shopify/line-properties.ts";
import { eventually } from "#test/eventually.ts";
import {
  buy,
  insuredLines,
  readItemStates,
  settleWebhooks,
  setUpSellingShop,
} from "#test/orders/selling-shop.ts";
import { emitShopEvent } from "#test/sandbox/shop/events.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { shop } from "#test/world.ts";
import { ask } from "./ask.ts";
import { allTables, rowsWith } from "./database-print.ts";

const WORDS = "Accord de Zenobie Quartz, 06 98 76 54 32, au magasin";
const selling = setUpSellingShop();
let order: Order;
let other: Order;

const buyWith = (consent: string, email: string) => {
  const { phone, plan } = insuredLines(selling.references);
  const properties = (plan.properties ?? []).map((each) =>
    each.name === CONSENT ? { ...each, value: consent } : each,
  );
  return buy([phone, { ...plan, properties }], { email });
};
const itemOf = async ({ id }: Order) => {
  const { order: view } = await ask(openOrder, `/app/orders/${id}`, { params: { orderId: id } });
  const [item] = view.items;
  if (!item) throw new Error("The order has no item");
  return item;
};

beforeAll(async () => {
  order = buyWith(WORDS, "zenobie@example.com");
  other = buyWith("Said so by phone", "other@example.com");
  for (const each of [order, other])
    await eventually(async () => expect(await readItemStates(each)).toEqual(["active"]));
});

test("staff read the words on the order's page, and no table holds them in clear", async () => {
  expect(await itemOf(order)).toMatchObject({ consent: null, consentWords: WORDS, consentErasedAt: null });
  const count = z.tuple([z.object({ rows: z.coerce.number() })]);
  for (const { schema, name } of await allTables()) {
    const found = await db.$queryRawUnsafe(
      `SELECT count(*) AS rows FROM "${schema}"."${name}" AS t WHERE t::text LIKE '%Quartz%'`,
    );
    expect([name, count.parse(found)[0].rows]).toEqual([name, 0]);
  }
});

test("a customer who requests their data gets the words", async () => {
  const about = { customerId: "1", email: "zenobie@example.com", phone: null, orderIds: [order.id] };
  emitShopEvent(shop.state, { topic: "customers/data_request", ...about });
  const task = await eventually(() =>
    db.task.findFirst({ where: { shop: shop.shopDomain, kind: "customer_data_request" } }),
  );
  const params = { taskId: task.id };
  const file = await ask(downloadData, `/app/tasks/${task.id}/data`, { params });
  expect(await file.text()).toContain(WORDS);
});

test("after customers/redact the page says that words were erased and when, and no row knows them", async () => {
  const about = { customerId: "1", email: "zenobie@example.com", phone: null, orderIds: [order.id] };
  expect(await rowsWith("Zenobie Quartz")).not.toEqual([]);
  emitShopEvent(shop.state, { topic: "customers/redact", ...about });
  await eventually(async () => expect(await rowsWith("Zenobie Quartz")).toEqual([]));
  const { erasedAt } = await db.order.findFirstOrThrow({ where: { orderId: order.id } });
  expect(erasedAt).not.toBeNull();
  expect(await itemOf(order)).toMatchObject({ consent: null, consentWords: null, consentErasedAt: erasedAt });
  expect(await itemOf(other)).toMatchObject({ consentWords: "Said so by phone", consentErasedAt: null });
});

test("a report of the order that comes later does not bring the words back", async () => {
  const received = { shop: shop.shopDomain, orderId: order.id };
  const before = await db.webhook.count({ where: received });
  emitShopEvent(shop.state, { topic: "orders/paid", order });
  await settleWebhooks(order);
  expect(await db.webhook.count({ where: received })).toBe(before + 1);
  expect(await itemOf(order)).toMatchObject({ consentWords: null });
});
