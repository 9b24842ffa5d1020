import "@shopify/shopify-api/adapters/node";
import { createServer } from "node:http";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { listen } from "#test/sandbox/listen.ts";
import {
  cancelOrder,
  createOrder,
  createPaidOrder,
  deleteOrder,
  editOrder,
  finishRefund,
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
/** The app's response to each next delivery; 200 once the list is empty; null cuts the connection. */
let answers: (number | null)[] = [];
const app = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    received.push({
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: Buffer.concat(parts).toString("utf8"),
    });
    const answer = answers.length === 0 ? 200 : answers.shift();
    if (answer == null) request.socket.destroy();
    else response.writeHead(answer).end();
  });
});
const { url: appUrl, close } = await listen(app);
afterAll(close);

const shop = await openShop({ appUrl, webhooks: { retryScheduleMs: [1, 1, 1, 1, 1, 1, 1, 1] } });
const { state, webhooks } = shop;
const variantId = product(shop).variants[0]?.id ?? "";
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
  lines: [{ variantId, quantity: 2, properties: [{ name: "_parasol_pair", value: "p1" }] }],
  email: "ines@example.fr",
  billingAddress: address,
  shippingAddress: address,
  ...more,
});
const header = (name: string) => received.map(({ headers }) => headers[name]);
const topics = () => header("x-shopify-topic");
const last = (topic: string): string => {
  const found = received.findLast(({ headers }) => headers["x-shopify-topic"] === topic);
  if (found === undefined) throw new Error(`no ${topic} came`);
  return found.body;
};
const payload = (topic: string) => z.record(z.string(), z.unknown()).parse(JSON.parse(last(topic)));

beforeEach(() => {
  received.length = 0;
  webhooks.log.length = 0;
  answers = [];
  shop.install();
  product(shop).variants.forEach((variant) => (variant.inventoryQuantity = 100));
  Object.assign(webhooks.behaviour, {
    duplicates: 0,
    dropShare: 0,
    disorder: 0,
    protectedCustomerData: true,
  });
});

describe("a delivery", () => {
  it("has Shopify's headers and a signature that its library accepts", async () => {
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    const rawRequest = { method: "POST", url: "/webhooks", headers };
    expect(await api.webhooks.validate({ rawBody: body, rawRequest })).toMatchObject({
      valid: true,
      topic: "ORDERS_PAID",
      domain: shop.shopDomain,
      apiVersion: "2026-10",
    });
  });

  it("has one event id for all webhooks of an action, and a webhook id of its own", async () => {
    const order = createPaidOrder(state, anOrder());
    await webhooks.settled();
    cancelOrder(state, order.id);
    await webhooks.settled();
    const [paid, refund, cancelled] = header("x-shopify-event-id");
    expect([refund === cancelled, refund === paid]).toEqual([true, false]);
    expect(new Set(header("x-shopify-webhook-id")).size).toBe(3);
  });

  it("comes for topics of shopify.app.toml, and after the app's end for that alone", async () => {
    createOrder(state, anOrder());
    await webhooks.settled();
    expect(webhooks.log).toEqual([]);
    shop.uninstall();
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(topics()).toEqual(["app/uninstalled"]);
  });

  it("is repeated with the original payload until the app takes it, nine times at most", async () => {
    answers = [500, null, 302];
    const order = createPaidOrder(state, anOrder());
    order.email = "changed@example.fr";
    await webhooks.settled();
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(header("x-shopify-webhook-id")).size).toBe(1);
    answers = Array.from({ length: 20 }, () => 503);
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(received).toHaveLength(4 + 9);
    expect(webhooks.log.map((delivery) => delivery.state)).toEqual(["delivered", "failed"]);
  });
});

describe("the order's payload", () => {
  it("spreads discounts over the lines as Shopify does", async () => {
    const other = product(shop, 1);
    const off = { title: "Soldes", productIds: null, code: null };
    createPaidOrder(
      state,
      anOrder({
        lines: [
          { variantId, quantity: 2 },
          { variantId: other.variants[0]?.id ?? "", quantity: 1 },
        ],
        shippingPrice: 490,
        discounts: [
          { ...off, target: "shipping", value: { percentage: 100 } },
          { ...off, target: "order", value: { percentage: 10 } },
          { ...off, code: "ONE", target: "products", productIds: [other.id], value: { amount: 2_900 } },
        ],
      }),
    );
    await webhooks.settled();
    const allocated = (amount: string, index: number): unknown =>
      expect.objectContaining({ amount, discount_application_index: index });
    expect(payload("orders/paid")).toMatchObject({
      // 2 × 229.00 + 329.00 - 29.00, less a tenth; the shipping is free.
      total_price: "682.20",
      total_discounts: "109.70",
      discount_applications: [
        { type: "discount_code", code: "ONE", target_selection: "entitled", allocation_method: "each" },
        { type: "automatic", title: "Soldes", target_selection: "all", allocation_method: "across" },
        { type: "automatic", target_type: "shipping_line", value: "100.0", value_type: "percentage" },
      ],
      line_items: [
        { price: "229.00", total_discount: "0.00", discount_allocations: [allocated("45.80", 1)] },
        { price: "329.00", discount_allocations: [allocated("29.00", 0), allocated("30.00", 1)] },
      ],
      shipping_lines: [{ price: "4.90", discounted_price: "0.00" }],
    });
  });

  it("has taxes that are added, a tip, a gift card and what is left to pay", async () => {
    state.taxesIncluded = false;
    const order = createOrder(state, anOrder({ tip: 500, giftCard: 10_000 }));
    state.taxesIncluded = true;
    payOrder(state, order.id, 1_000);
    expect(order.financialStatus).toBe("partially_paid");
    payOrder(state, order.id);
    await webhooks.settled();
    expect(topics()).toEqual(["orders/paid"]);
    expect(payload("orders/paid")).toMatchObject({
      subtotal_price: "458.00",
      total_tax: "91.60",
      total_tip_received: "5.00",
      total_price: "554.60",
      total_outstanding: "0.00",
      payment_gateway_names: ["gift_card", "bogus"],
    });
    expect(() => payOrder(state, order.id)).toThrow(OrderRefused);
  });

  it("has the shop's amounts converted back from what was charged in a market's currency", async () => {
    createPaidOrder(state, anOrder({ presentment: { currency: "JPY", rate: "163.37", roundTo: 100 } }));
    await webhooks.settled();
    const money = (amount: string, currency_code: string) => ({ amount, currency_code });
    expect(payload("orders/paid")).toMatchObject({
      currency: "EUR",
      presentment_currency: "JPY",
      line_items: [
        {
          price: "228.93",
          price_set: { shop_money: money("228.93", "EUR"), presentment_money: money("37400", "JPY") },
        },
      ],
    });
  });

  it("writes ids as numbers, digit by digit", async () => {
    const { id } = createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(last("orders/paid")).toContain(`"id":${id},"admin_graphql_api_id":"gid://shopify/Order/${id}"`);
  });

  it("keeps back who and where without approval for protected customer data", async () => {
    webhooks.behaviour.protectedCustomerData = false;
    createPaidOrder(state, anOrder());
    await webhooks.settled();
    expect(last("orders/paid")).not.toMatch(/Inès|Dupont|Lilas|ines@/);
  });
});

describe("what happens to an order", () => {
  it("cancelling refunds the money, then sends orders/cancelled: nothing is left of the lines", async () => {
    const order = createPaidOrder(state, anOrder());
    cancelOrder(state, order.id);
    await webhooks.settled();
    expect(webhooks.log.map(({ topic }) => topic)).toEqual([
      ...["orders/paid", "refunds/create", "orders/cancelled"],
    ]);
    expect(payload("orders/cancelled")).toMatchObject({
      cancel_reason: "customer",
      financial_status: "refunded",
      current_total_price: "0.00",
      total_price: "458.00",
      line_items: [{ quantity: 2, current_quantity: 0, fulfillable_quantity: 0 }],
      refunds: [{ transactions: [{ amount: "458.00", kind: "refund" }] }],
    });
    const unpaid = createOrder(state, anOrder());
    cancelOrder(state, unpaid.id);
    await webhooks.settled();
    expect(payload("orders/cancelled")).toMatchObject({ financial_status: "voided", refunds: [] });
  });

  it("a refund takes what is left of a line and of the money, with money or without", async () => {
    const order = createPaidOrder(state, anOrder());
    const lineId = order.lines[0]?.id ?? "";
    refundOrder(state, order.id, { lines: [{ lineId, quantity: 1 }] });
    await webhooks.settled();
    expect(last("refunds/create")).toContain(`"line_item_id":${lineId},`);
    expect(payload("refunds/create")).toMatchObject({
      transactions: [{ amount: "229.00", kind: "refund" }],
      refund_line_items: [{ quantity: 1, subtotal: 229 }],
    });
    refundOrder(state, order.id, { lines: [{ lineId, quantity: 1 }], amount: 0 });
    await webhooks.settled();
    expect(payload("refunds/create")).toMatchObject({ transactions: [] });
    expect(order.financialStatus).toBe("partially_refunded");
    expect(() => refundOrder(state, order.id, { lines: [{ lineId, quantity: 1 }] })).toThrow(OrderRefused);
    expect(() => refundOrder(state, order.id, { amount: 22_901 })).toThrow(OrderRefused);
  });

  it("a refund may be of more than its items, in store credit, and pending until it succeeds or fails", async () => {
    const order = createPaidOrder(state, anOrder());
    const lines = [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }];
    const credit = { gateway: "shopify_store_credit", status: "pending" } as const;
    const refund = refundOrder(state, order.id, { lines, amount: 24_900, ...credit });
    await webhooks.settled();
    expect(payload("refunds/create")).toMatchObject({
      transactions: [{ amount: "249.00", currency: "EUR", ...credit }],
      order_adjustments: [{ amount: "-20.00", reason: "Pending refund discrepancy" }],
      refund_line_items: [{ subtotal_set: { shop_money: { amount: "229.00" } }, total_tax: 38.17 }],
    });
    expect(order.financialStatus).toBe("paid");
    const before = order.updatedAt;
    finishRefund(state, order.id, refund.id, "success");
    expect(order).toMatchObject({ financialStatus: "partially_refunded" });
    expect(order.updatedAt > before).toBe(true);
    // What failed can be refunded again.
    const second = refundOrder(state, order.id, { amount: 20_900, status: "pending" });
    expect(() => refundOrder(state, order.id, { amount: 1 })).toThrow(OrderRefused);
    finishRefund(state, order.id, second.id, "failure");
    refundOrder(state, order.id, { amount: 20_900 });
    expect(order.financialStatus).toBe("refunded");
  });

  it("a deleted order is gone, and the webhook has no more than its id", async () => {
    const order = createPaidOrder(state, anOrder());
    deleteOrder(state, order.id);
    await webhooks.settled();
    expect(last("orders/delete")).toBe(`{"id":${order.id}}`);
    expect(() => cancelOrder(state, order.id)).toThrow(OrderRefused);
  });

  it("an edit has what was added and removed", async () => {
    const order = createPaidOrder(state, anOrder());
    const line = order.lines[0]?.id ?? "";
    editOrder(state, order.id, {
      setQuantity: [{ lineId: line, quantity: 1 }],
      add: [{ variantId, quantity: 3 }],
    });
    await webhooks.settled();
    const added = order.lines[1]?.id ?? "";
    expect(last("orders/edited")).toContain(
      `"line_items":{"additions":[{"id":${added},"delta":3}],"removals":[{"id":${line},"delta":1}]}`,
    );
    expect(last("orders/edited")).toContain(`"order_id":${order.id}`);
  });

  it("an order takes its items from the stock, and what is sold out cannot be ordered", () => {
    createPaidOrder(state, anOrder());
    expect(product(shop).variants[0]?.inventoryQuantity).toBe(98);
    expect(() => createPaidOrder(state, anOrder({ lines: [{ variantId, quantity: 99 }] }))).toThrow(
      OrderRefused,
    );
  });
});
