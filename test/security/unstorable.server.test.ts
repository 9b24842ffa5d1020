/**
 * Texts, amounts and timestamps that PostgreSQL cannot store, from every possible sender. Their webhook or request must
 * not fail as a whole, nor may a job fail at every retry.
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { action as touchpoints } from "#app/routes/app.touchpoints/route.tsx";
import { action as receive } from "#app/routes/webhooks.tsx";
import { eventually } from "#test/eventually.ts";
import { insuredLines, listContracts, readItemStates, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { customer } from "#test/orders/references.ts";
import { answerOf } from "#test/routes/answer.ts";
import { createOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { webhookPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { adminRequest, insurance, shop, webhookRequest } from "#test/world.ts";

const selling = setUpSellingShop();
/** NUL, and each half of a surrogate pair alone. */
const ODD = "a\0b\uD83Dc\uDE00";
/** Their stored form. */
const READ = "a\uFFFDb\uFFFDc\uFFFD";

const json = z.record(z.string(), z.unknown());
type Json = z.infer<typeof json>;
const jsons = z.array(json);

/** A paid order whose webhook body is modified. */
function paid(change: (body: Json, lines: Json[]) => Json): { order: Order; body: Json } {
  const { phone, plan } = insuredLines(selling.references);
  const order = createOrder(shop.state, {
    lines: [phone, plan],
    email: "odd@example.com",
    billingAddress: customer,
  });
  const body = webhookPayload(
    shop.state,
    { topic: "orders/paid", order: { ...order, financialStatus: "paid" } },
    { protectedCustomerData: true },
  );
  return { order, body: { ...body, ...change(body, jsons.parse(body["line_items"])) } };
}

async function deliver(topic: string, body: unknown, webhookId: string): Promise<void> {
  const request = webhookRequest(topic, body, { webhookId });
  expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
}

/** No event and no job waits for a retry. */
async function nothingIsRetried(): Promise<void> {
  expect(await db.webhook.count({ where: { state: "failed" } })).toBe(0);
  expect(await db.$queryRaw`SELECT name FROM pgboss.job WHERE retry_count > 0`).toEqual([]);
}

const tasksOf = async (orderId: string) =>
  (await db.task.findMany({ where: { orderId }, orderBy: { openedAt: "asc" } })).map(({ kind }) => kind);

describe("a shopper", () => {
  test("who writes such characters into every text of an order is insured all the same", async () => {
    const { order, body } = paid(({ customer: buyer, billing_address }, lines) => ({
      name: ODD,
      note_attributes: [{ name: ODD, value: ODD }],
      customer: { ...json.parse(buyer), first_name: ODD },
      billing_address: { ...json.parse(billing_address), city: ODD, first_name: ODD },
      line_items: lines.map((line) => ({
        ...line,
        name: `${String(line["name"])}${ODD}`,
        sku: ODD,
        properties: [...jsons.parse(line["properties"]), { name: ODD, value: ODD }],
      })),
    }));
    await deliver("orders/paid", body, "texts");
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
    expect(await db.order.findFirst({ where: { orderId: order.id } })).toMatchObject({
      name: READ,
    });
    await nothingIsRetried();
  });

  test("whose character lies where a title is cut gets the task about that line", async () => {
    const name = `${"x".repeat(199)}\u{1F600}`;
    const { order, body } = paid((_, lines) => ({
      line_items: [...lines, { id: 77, name, quantity: "two" }],
    }));
    await deliver("orders/paid", body, "cut");
    await eventually(async () => expect(await tasksOf(order.id)).toEqual(["line_left_out"]));
    await nothingIsRetried();
  });
});

describe("Shopify, or who has its secret,", () => {
  test.each<[string, Json]>([
    ["a price", { price: "99999999999.00", price_set: null }],
    ["a price of three hundred digits", { price: "9".repeat(300), price_set: null }],
    ["a discount", { discount_allocations: Array(9).fill({ amount: "-9999999.00" }) }],
    ["a quantity", { quantity: 3_000_000_000 }],
    ["an exponent", { price: 1e300, price_set: null }],
  ])("names %s beyond every order: that line is a task, the others are insured", async (what, change) => {
    const { order, body } = paid((_, lines) => ({
      line_items: [...lines, { ...lines[0], id: 78, properties: [], ...change }],
    }));
    await deliver("orders/paid", body, what);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await tasksOf(order.id)).toEqual(["line_left_out"]);
    await nothingIsRetried();
  });

  test.each(["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])(
    "names the moment %s: the event is a task, and not tried again",
    async (processed_at) => {
      const { body } = paid(() => ({ processed_at }));
      await deliver("orders/paid", body, processed_at);
      await eventually(async () =>
        expect(await db.task.findFirst({ where: { key: { contains: processed_at } } })).toMatchObject({
          kind: "unreadable_webhook",
        }),
      );
      await nothingIsRetried();
    },
  );

  test("names a product's price that is none, or that is never paid: the products' events are processed", async () => {
    const product = { shop: shop.shopDomain, productId: "1", title: "t", handle: "", status: "" };
    await db.shopProduct.create({ data: { ...product, productType: "", vendor: "", tags: [] } });
    const variant = { shop: shop.shopDomain, productId: "1", variantId: "2", title: "", priceMinor: 1 };
    await db.shopVariant.create({ data: variant });
    for (const price of ["dear", "9".repeat(30)]) {
      await deliver("products/update", { id: 1, title: "t", tags: "", variants: [{ id: 2, price }] }, price);
    }
    await eventually(async () => {
      const events = await db.webhook.findMany({ where: { topic: "products/update" } });
      expect(events.map(({ state }) => state)).toEqual(["done", "done"]);
    });
    await nothingIsRetried();
  });
});

describe("a merchant", () => {
  test("may paste such characters into texts: they are saved without them", async () => {
    const { url, headers } = await adminRequest("/app/touchpoints");
    const request = new Request(url, {
      method: "POST",
      headers,
      body: JSON.stringify({ texts: { fr: { headline: ODD } } }),
    });
    expect((await answerOf(touchpoints, request)).text).toContain("success");
    const { settings } = await db.storefrontSettings.findFirstOrThrow({ where: { shop: shop.shopDomain } });
    expect(settings).toMatchObject({ texts: { fr: { headline: READ } } });
  });
});

describe("the insurer gone bad", () => {
  test("may say such characters in an error: the task has it", async () => {
    insurance.faults.add({ operation: "orders.record", kind: "status", status: 422, message: ODD });
    const { order, body } = paid(() => ({}));
    await deliver("orders/paid", body, "message");
    await eventually(async () => expect(await tasksOf(order.id)).toEqual(["order_refused"]));
    await nothingIsRetried();
  });
});
