import "@shopify/shopify-api/adapters/node";
import { createServer } from "node:http";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { listen } from "#test/sandbox/listen.ts";
import { useHugeIds } from "#test/sandbox/shop/ids.ts";
import {
  cancelOrder,
  createOrder,
  createPaidOrder,
  editOrder,
  OrderRefused,
  payOrder,
  refundOrder,
} from "#test/sandbox/shop/orders.ts";
import type { NewOrder } from "#test/sandbox/shop/orders.ts";
import { apiKey, apiSecret, openShop, product } from "./client.ts";

interface Received {
  headers: Record<string, string>;
  body: string;
}
const received: Received[] = [];
/** What the app answers to each next delivery; 200 once the list is empty; null cuts the connection. */
let answers: (number | null | "never")[] = [];
const app = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({
      headers: { ...headers, ":path": request.url ?? "" },
      body: Buffer.concat(parts).toString("utf8"),
    });
    const answer = answers.length === 0 ? 200 : answers.shift();
    if (answer === "never") return;
    if (answer == null) request.socket.destroy();
    else response.writeHead(answer).end();
  });
});
const { url: appUrl, close } = await listen(app);
afterAll(close);

const shop = await openShop({ appUrl, webhooks: { retryScheduleMs: [1, 1, 1, 1, 1, 1, 1, 1] } });
const { state, webhooks } = shop;
const variant =
  product(shop).variants[0] ??
  (() => {
    throw new Error("no variant");
  })();
const api = shopifyApi({
  apiKey,
  apiSecretKey: apiSecret,
  apiVersion: ApiVersion.October26,
  hostName: "app.test",
  isEmbeddedApp: true,
  logger: { log: () => Promise.resolve() },
});

const address = {
  first_name: "Inès",
  last_name: "Dupont",
  address1: "3 rue des Lilas",
  address2: null,
  city: "Nantes",
  zip: "44000",
  country_code: "FR",
  phone: "+33612345678",
  company: null,
};
const anOrder = (more: Partial<NewOrder> = {}): NewOrder => ({
  lines: [{ variantId: variant.id, quantity: 2, properties: [{ name: "_parasol_pair", value: "p1" }] }],
  email: "ines@example.fr",
  billingAddress: address,
  shippingAddress: address,
  ...more,
});
const valid = ({ headers, body }: Received) =>
  api.webhooks.validate({ rawBody: body, rawRequest: { method: "POST", url: "/webhooks", headers } });
const last = (topic: string): Received => {
  const found = received.findLast(({ headers }) => headers["x-shopify-topic"] === topic);
  if (found === undefined) throw new Error(`no ${topic} came`);
  return found;
};
const payload = (topic: string): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(last(topic).body));

beforeEach(() => {
  received.length = 0;
  webhooks.log.length = 0;
  answers = [];
  shop.install();
  variant.inventoryQuantity = 100;
  Object.assign(webhooks.behaviour, {
    duplicates: 0,
    dropShare: 0,
    disorder: 0,
    delayMs: 0,
    secret: null,
    timeoutMs: 5000,
    protectedCustomerData: true,
  });
});

describe("a delivery", () => {
  it("has all headers of the platform and a signature that its library accepts", async () => {
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(received).toHaveLength(1);
    const delivery = last("orders/paid");
    expect(await valid(delivery)).toMatchObject({
      valid: true,
      topic: "ORDERS_PAID",
      domain: shop.shopDomain,
      apiVersion: "2026-10",
    });
    expect(delivery.headers).toMatchObject({
      ":path": "/webhooks",
      "content-type": "application/json",
      "user-agent": "Shopify-Captain-Hook",
      "x-shopify-webhook-id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      "x-shopify-event-id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      "x-shopify-triggered-at": expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });

  it("reports that the products of an order changed, with the event id of its payment", async () => {
    webhooks.behaviour.productsOfOrders = true;
    createPaidOrder(state, anOrder());
    webhooks.behaviour.productsOfOrders = false;
    await webhooks.settled();
    const headersOf = (name: string) => new Set(received.map(({ headers }) => headers[name]));
    expect(headersOf("x-shopify-topic")).toEqual(new Set(["products/update", "orders/paid"]));
    expect(headersOf("x-shopify-event-id").size).toBe(1);
    expect(headersOf("x-shopify-webhook-id").size).toBe(2);
  });

  it("is not sent for a topic that shopify.app.toml does not name", async () => {
    createOrder(state, anOrder());
    await webhooks.settled();
    expect(webhooks.log).toEqual([]);
  });

  it("is not sent to an app that is not installed, but for its own end", async () => {
    shop.uninstall();
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(received.map(({ headers }) => headers["x-shopify-topic"])).toEqual(["app/uninstalled"]);
    expect(await valid(last("app/uninstalled"))).toMatchObject({ valid: true });
    shop.install();
  });

  it("does not validate when it was signed with another secret", async () => {
    webhooks.behaviour.secret = "the-secret-before";
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(await valid(last("orders/paid"))).toMatchObject({ valid: false });
  });
});

describe("retries", () => {
  it("repeat the same event and delivery, with the original payload, until the app takes it", async () => {
    answers = [500, null, 302];
    const order = createPaidOrder(state, anOrder());
    order.email = "changed@example.fr";
    await webhooks.settled();
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["x-shopify-webhook-id"])).size).toBe(1);
    expect(webhooks.log).toMatchObject([
      { state: "delivered", attempts: [{ status: 500 }, { status: null }, { status: 302 }, { status: 200 }] },
    ]);
  });

  it("come after an answer that takes too long", async () => {
    answers = ["never"];
    webhooks.behaviour.timeoutMs = 1_000;
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(webhooks.log).toMatchObject([
      {
        state: "delivered",
        attempts: [{ status: null, error: expect.stringContaining("Timeout") as string }, { status: 200 }],
      },
    ]);
  });

  it("end after eight", async () => {
    answers = Array.from({ length: 20 }, () => 503);
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(received).toHaveLength(9);
    expect(webhooks.log).toMatchObject([{ state: "failed" }]);
  });

  it("can be requested by hand afterwards", async () => {
    answers = Array.from({ length: 9 }, () => 503);
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    webhooks.redeliver(webhooks.log[0]?.webhookId ?? "");
    await webhooks.settled();
    expect(webhooks.log).toMatchObject([{ state: "delivered" }]);
  });

  it("take four hours on the platform", async () => {
    const { Webhooks } = await import("#test/sandbox/shop/webhooks/webhooks.ts");
    const { emptyShop } = await import("#test/sandbox/shop/seed/shop.ts");
    const real = new Webhooks({ state: emptyShop(), app: shop.app, apiSecret, appUrl: () => null });
    expect(real.behaviour.retryScheduleMs).toHaveLength(8);
    expect(real.behaviour.retryScheduleMs.reduce((sum, ms) => sum + ms, 0) / 3_600_000).toBeCloseTo(4, 1);
  });
});

describe("unreliable delivery", () => {
  it("duplicates: one event id; the webhook id of a retry, or another one", async () => {
    webhooks.behaviour.duplicates = 2;
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ headers }) => headers["x-shopify-event-id"])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["x-shopify-webhook-id"])).size).toBe(2);
  });

  it("event ids: one for all webhooks of an action, whatever their topics, and another for the next action", async () => {
    const order = createPaidOrder(state, anOrder());
    await webhooks.settled();
    cancelOrder(state, order.id);
    await webhooks.settled();
    const ids = (name: string) => received.map(({ headers }) => headers[name]);
    const [paid, refund, cancelled] = ids("x-shopify-event-id");
    expect(refund).toBe(cancelled);
    expect(refund).not.toBe(paid);
    expect(new Set(ids("x-shopify-webhook-id")).size).toBe(3);
  });

  it("disorder: the last event comes first", async () => {
    webhooks.behaviour.disorder = 3;
    const order = createPaidOrder(state, anOrder());
    cancelOrder(state, order.id);
    await webhooks.settled();
    expect(webhooks.log.map(({ topic }) => topic)).toEqual([
      "orders/paid",
      "refunds/create",
      "orders/cancelled",
    ]);
    expect(
      received.map(({ headers }) => headers["x-shopify-topic"]).indexOf("orders/cancelled"),
    ).toBeLessThan(received.map(({ headers }) => headers["x-shopify-topic"]).indexOf("orders/paid"));
  });

  it("drops: a share of the events is lost for good, the same ones in every run", async () => {
    webhooks.behaviour.dropShare = 0.5;
    for (let order = 0; order < 20; order += 1) createPaidOrder(state, anOrder());
    await webhooks.settled();
    const dropped = webhooks.log.filter((delivery) => delivery.state === "dropped").length;
    expect(dropped).toBeGreaterThan(3);
    expect(received).toHaveLength(20 - dropped);
  });
});

describe("the order's payload", () => {
  const money = (amount: string) => ({
    shop_money: { amount, currency_code: "EUR" },
    presentment_money: { amount, currency_code: "EUR" },
  });

  it("spreads discounts over the lines as the platform does", async () => {
    const plan = product(shop, 1).variants[0];
    const lines = [
      { variantId: variant.id, quantity: 2 },
      { variantId: plan?.id ?? "", quantity: 1 },
    ];
    const off = { title: "Soldes", productIds: null };
    createPaidOrder(
      state,
      anOrder({
        lines,
        shippingPrice: 490,
        discounts: [
          { ...off, code: null, target: "shipping", value: { percentage: 100 } },
          { ...off, code: null, target: "order", value: { percentage: 10 } },
          {
            ...off,
            code: "ONE",
            target: "products",
            productIds: [product(shop, 1).id],
            value: { amount: 2_900 },
          },
        ],
      }),
    );
    await webhooks.settled();
    const allocated = (amount: string, index: number): unknown =>
      expect.objectContaining({ amount, amount_set: money(amount), discount_application_index: index });
    expect(payload("orders/paid")).toMatchObject({
      // 2 × 229.00 + 329.00 - 29.00, less a tenth; the shipping is free.
      total_price: "682.20",
      total_discounts: "109.70",
      total_shipping_price_set: money("0.00"),
      discount_codes: [{ code: "ONE", amount: "29.00", type: "fixed_amount" }],
      discount_applications: [
        { type: "discount_code", code: "ONE", target_selection: "entitled", allocation_method: "each" },
        { type: "automatic", title: "Soldes", target_selection: "all", allocation_method: "across" },
        { type: "automatic", target_type: "shipping_line", value: "100.0", value_type: "percentage" },
      ],
      line_items: [
        { price: "229.00", total_discount: "0.00", discount_allocations: [allocated("45.80", 1)] },
        {
          price: "329.00",
          total_discount: "0.00",
          discount_allocations: [allocated("29.00", 0), allocated("30.00", 1)],
        },
      ],
      shipping_lines: [
        { price: "4.90", discounted_price: "0.00", discount_allocations: [allocated("4.90", 2)] },
      ],
    });
  });

  it("has taxes that are added, a tip, a gift card and what is left to pay", async () => {
    state.taxesIncluded = false;
    const order = createOrder(state, anOrder({ tip: 500, giftCard: 10_000 }));
    state.taxesIncluded = true;
    payOrder(state, order.id, 1_000);
    expect(order.financialStatus).toBe("partially_paid");
    await webhooks.settled();
    expect(received.map(({ headers }) => headers["x-shopify-topic"])).not.toContain("orders/paid");
    payOrder(state, order.id);
    await webhooks.settled();
    expect(payload("orders/paid")).toMatchObject({
      taxes_included: false,
      subtotal_price: "458.00",
      total_tax: "91.60",
      total_tip_received: "5.00",
      total_price: "554.60",
      total_outstanding: "0.00",
      payment_gateway_names: ["gift_card", "bogus"],
    });
  });

  it("has the shop's amounts converted back from what was charged in a market's currency", async () => {
    const presentment = { currency: "JPY", rate: "163.37", roundTo: 100 };
    createPaidOrder(state, anOrder({ presentment }));
    await webhooks.settled();
    expect(payload("orders/paid")).toMatchObject({
      currency: "EUR",
      presentment_currency: "JPY",
      line_items: [
        {
          price: "228.93",
          price_set: {
            shop_money: { amount: "228.93", currency_code: "EUR" },
            presentment_money: { amount: "37400", currency_code: "JPY" },
          },
        },
      ],
    });
  });

  it("is the platform's REST order", async () => {
    const plan = product(shop, 1).variants[0];
    createPaidOrder(
      state,
      anOrder({
        lines: [
          {
            variantId: variant.id,
            quantity: 2,
            cartLineId: "a",
            properties: [{ name: "_parasol_pair", value: "p1" }],
            discounts: [1000],
          },
          { variantId: plan?.id ?? "", quantity: 2, cartLineId: "b", parentCartLineId: "a" },
        ],
        shippingPrice: 490,
        noteAttributes: [{ name: "origin", value: "web" }],
      }),
    );
    await webhooks.settled();
    expect(payload("orders/paid")).toMatchObject({
      financial_status: "paid",
      currency: "EUR",
      email: "ines@example.fr",
      customer_locale: "fr",
      cancelled_at: null,
      total_price: "1110.90",
      total_price_set: money("1110.90"),
      subtotal_price: "1106.00",
      total_discounts: "10.00",
      taxes_included: true,
      payment_gateway_names: ["bogus"],
      note_attributes: [{ name: "origin", value: "web" }],
      customer: { email: "ines@example.fr", first_name: "Inès", last_name: "Dupont" },
      shipping_address: {
        name: "Inès Dupont",
        city: "Nantes",
        zip: "44000",
        country: "France",
        country_code: "FR",
      },
      billing_address: { address1: "3 rue des Lilas" },
      line_items: [
        {
          quantity: 2,
          current_quantity: 2,
          price: "229.00",
          price_set: money("229.00"),
          // Staff took it off this line.
          total_discount: "10.00",
          discount_allocations: [
            { amount: "10.00", amount_set: money("10.00"), discount_application_index: 0 },
          ],
          properties: [{ name: "_parasol_pair", value: "p1" }],
          title: "Velin One",
          vendor: "Velin",
          gift_card: false,
        },
        { quantity: 2, price: "329.00", discount_allocations: [] },
      ],
      refunds: [],
    });
  });

  it("writes ids as numbers, digit by digit, above 2^53 too", async () => {
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    const [id] = [...state.orders.keys()].slice(-1);
    expect(last("orders/paid").body).toContain(
      `"id":${id},"admin_graphql_api_id":"gid://shopify/Order/${id}"`,
    );
    useHugeIds(state);
    const order = createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(BigInt(order.id)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
    expect(last("orders/paid").body).toContain(`"id":${order.id},`);
    expect(String(z.object({ id: z.number() }).parse(JSON.parse(last("orders/paid").body)).id)).not.toBe(
      order.id,
    );
  });

  it("has another currency beside the shop's where the customer paid in it", async () => {
    createPaidOrder(
      state,
      anOrder({
        lines: [{ variantId: variant.id, quantity: 1 }],
        presentment: { currency: "JPY", rate: "162.5" },
      }),
    );
    await webhooks.settled();
    expect(payload("orders/paid")).toMatchObject({
      presentment_currency: "JPY",
      line_items: [
        {
          price_set: {
            shop_money: { amount: "229.00", currency_code: "EUR" },
            presentment_money: { amount: "37213", currency_code: "JPY" },
          },
        },
      ],
    });
  });

  it("has no customer where there was none", async () => {
    createPaidOrder(
      state,
      anOrder({ customer: null, email: null, billingAddress: null, shippingAddress: null }),
    );
    await webhooks.settled();
    expect(payload("orders/paid")).toMatchObject({
      customer: null,
      shipping_address: null,
      billing_address: null,
      email: "",
    });
  });

  it("keeps back who and where without approval for protected customer data", async () => {
    webhooks.behaviour.protectedCustomerData = false;
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(last("orders/paid").body).not.toMatch(/Inès|Dupont|Lilas|ines@/);
    expect(payload("orders/paid")).toMatchObject({
      shipping_address: null,
      phone: null,
      customer: { email: null, first_name: null },
    });
  });
});

describe("what happens to an order", () => {
  it("cancelling refunds the money, then sends orders/cancelled: nothing is left of the lines", async () => {
    const order = createPaidOrder(state, anOrder());
    cancelOrder(state, order.id, { reason: "customer" });
    await webhooks.settled();
    expect(webhooks.log.map(({ topic }) => topic)).toEqual([
      "orders/paid",
      "refunds/create",
      "orders/cancelled",
    ]);
    expect(payload("orders/cancelled")).toMatchObject({
      cancel_reason: "customer",
      cancelled_at: expect.stringMatching(/[+-]\d\d:\d\d$/) as string,
      financial_status: "refunded",
      current_total_price: "0.00",
      total_price: "458.00",
      line_items: [{ quantity: 2, current_quantity: 0, fulfillable_quantity: 0 }],
      refunds: [{ transactions: [{ amount: "458.00", kind: "refund" }] }],
    });
    expect(() => cancelOrder(state, order.id)).toThrow(OrderRefused);
  });

  it("cancelling an unpaid order moves no money", async () => {
    const order = createOrder(state, anOrder());
    cancelOrder(state, order.id);
    await webhooks.settled();
    expect(payload("orders/cancelled")).toMatchObject({ financial_status: "voided", refunds: [] });
  });

  it("a refund of one item leaves the other", async () => {
    const order = createPaidOrder(state, anOrder());
    const line = order.lines[0]?.id ?? "";
    refundOrder(state, order.id, { lines: [{ lineId: line, quantity: 1 }] });
    await webhooks.settled();
    expect(last("refunds/create").body).toContain(`"line_item_id":${line},`);
    expect(payload("refunds/create")).toMatchObject({
      transactions: [{ amount: "229.00", kind: "refund" }],
      refund_line_items: [{ quantity: 1, subtotal: 229, subtotal_set: { shop_money: { amount: "229.00" } } }],
    });
    expect(order).toMatchObject({
      financialStatus: "partially_refunded",
      lines: [{ quantity: 2, currentQuantity: 1 }],
    });
    expect(() => refundOrder(state, order.id, { lines: [{ lineId: line, quantity: 2 }], amount: 0 })).toThrow(
      OrderRefused,
    );
  });

  it("a refund without money comes, too", async () => {
    const order = createPaidOrder(state, anOrder());
    refundOrder(state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }], amount: 0 });
    await webhooks.settled();
    expect(payload("refunds/create")).toMatchObject({
      transactions: [],
      refund_line_items: [{ quantity: 1 }],
    });
    expect(order.financialStatus).toBe("paid");
  });

  it("gives back no more than was paid", () => {
    const order = createPaidOrder(state, anOrder());
    expect(() => refundOrder(state, order.id, { amount: 45_801 })).toThrow(OrderRefused);
    refundOrder(state, order.id, { amount: 45_800 });
    expect(order.financialStatus).toBe("refunded");
    expect(() => refundOrder(state, order.id, { amount: 1 })).toThrow(OrderRefused);
  });

  it("an edit has what was added and removed", async () => {
    const order = createPaidOrder(state, anOrder());
    const line = order.lines[0]?.id ?? "";
    editOrder(state, order.id, {
      setQuantity: [{ lineId: line, quantity: 1 }],
      add: [{ variantId: variant.id, quantity: 3 }],
    });
    await webhooks.settled();
    const added = order.lines[1]?.id ?? "";
    expect(last("orders/edited").body).toContain(
      `"line_items":{"additions":[{"id":${added},"delta":3}],"removals":[{"id":${line},"delta":1}]}`,
    );
    expect(last("orders/edited").body).toContain(`"order_id":${order.id}`);
    expect(order.lines.map(({ currentQuantity }) => currentQuantity)).toEqual([1, 3]);
  });

  it("a payment that comes later pays the order once", async () => {
    const order = createOrder(state, anOrder());
    payOrder(state, order.id);
    await webhooks.settled();
    expect(webhooks.log.map(({ topic }) => topic)).toEqual(["orders/paid"]);
    expect(() => payOrder(state, order.id)).toThrow(OrderRefused);
  });

  it("an order takes its items from the stock, and what is sold out cannot be ordered", () => {
    const before = variant.inventoryQuantity;
    createPaidOrder(state, anOrder());
    expect(variant.inventoryQuantity).toBe(before - 2);
    expect(() =>
      createPaidOrder(state, anOrder({ lines: [{ variantId: variant.id, quantity: before }] })),
    ).toThrow(OrderRefused);
  });
});

describe("from outside", () => {
  const post = async (path: string, body: unknown = {}): Promise<Response> =>
    fetch(`${shop.origin}/sandbox${path}`, { method: "POST", body: JSON.stringify(body) });

  it("a script orders, cancels, and reads what was delivered", async () => {
    const made = z
      .object({ id: z.string() })
      .parse(
        await (
          await post("/orders", { lines: [{ variantId: variant.id, quantity: 1 }], email: "a@b.fr" })
        ).json(),
      );
    expect((await post(`/orders/${made.id}/cancel`, { reason: "fraud" })).status).toBe(200);
    expect((await post(`/orders/${made.id}/cancel`)).status).toBe(409);
    await post("/webhooks/settled");
    const log = z
      .array(z.object({ topic: z.string(), state: z.string() }))
      .parse(await (await fetch(`${shop.origin}/sandbox/webhooks`)).json());
    expect(log).toEqual(
      ["orders/paid", "refunds/create", "orders/cancelled"].map((topic) => ({ topic, state: "delivered" })),
    );
  });

  it("a script sends the compliance requests", async () => {
    const order = createPaidOrder(state, anOrder());
    for (const topic of ["customers/data_request", "customers/redact", "shop/redact"])
      expect((await post("/compliance", { topic, orderId: order.id })).status).toBe(204);
    await webhooks.settled();
    expect(payload("customers/redact")).toMatchObject({
      shop_domain: shop.shopDomain,
      customer: { email: "ines@example.fr" },
    });
    expect(last("customers/redact").body).toContain(order.id);
    expect(payload("shop/redact")).toEqual({ shop_id: Number(state.id), shop_domain: shop.shopDomain });
  });

  it("a change of scopes is sent", async () => {
    const response = await fetch(`${shop.origin}/sandbox/scopes`, {
      method: "PUT",
      body: JSON.stringify({ scopes: ["read_products"] }),
    });
    expect(response.status).toBe(204);
    await webhooks.settled();
    expect(payload("app/scopes_update")).toMatchObject({
      previous: shop.app.scopes,
      current: ["read_products"],
    });
    shop.install();
  });

  it.each([
    ["an unknown order", "/orders/1/cancel", {}, 409],
    ["an unknown shop", "/install?shop=nobody.myshopify.com", {}, 409],
    ["a body that does not fit", "/orders", { lines: [] }, 400],
    ["what is no JSON", "/orders", "{", 400],
  ])("refuses %s", async (_what, path, body, expected) => {
    const response = await fetch(`${shop.origin}/sandbox${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    expect(response.status).toBe(expected);
  });
});
