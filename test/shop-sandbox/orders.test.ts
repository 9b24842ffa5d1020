import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventually } from "#test/eventually.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { cancelOrder, createOrder, createPaidOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { NewOrder } from "#test/sandbox/shop/orders.ts";
import { admin, codes, data, messages, openShop, product } from "./client.ts";

const shop = await openShop();
const { state } = shop;
const variantId = product(shop).variants[0]?.id ?? "";
const planId = product(shop, 43).variants[0]?.id ?? "";
const day = 24 * 3600 * 1000;
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();

const order = (more: Partial<NewOrder> = {}) =>
  createPaidOrder(state, {
    lines: [
      {
        variantId,
        quantity: 2,
        cartLineId: "a",
        properties: [{ name: "_parasol_pair", value: "p" }],
        discounts: [500],
      },
      { variantId: planId, quantity: 2, parentCartLineId: "a", cartLineId: "b" },
    ],
    email: "ines@example.fr",
    noteAttributes: [{ name: "from", value: "test" }],
    shippingAddress: {
      first_name: "Inès",
      last_name: "Dupont",
      address1: "3 rue des Lilas",
      address2: null,
      city: "Nantes",
      zip: "44000",
      country_code: "FR",
      phone: null,
      company: null,
    },
    shippingPrice: 490,
    ...more,
  });

beforeEach(() => {
  state.orders.clear();
  shop.webhooks.behaviour.protectedCustomerData = true;
  product(shop).variants.forEach((variant) => (variant.inventoryQuantity = 1000));
  product(shop, 43).variants.forEach((variant) => (variant.inventoryQuantity = 1000));
});

const names = async (query: string | null, more: Record<string, unknown> = {}): Promise<string[]> =>
  (
    await data(
      shop,
      z.object({ orders: z.object({ nodes: z.array(z.object({ name: z.string() })) }) }),
      "query ($query: String, $sortKey: OrderSortKeys, $reverse: Boolean) { orders(first: 50, query: $query, sortKey: $sortKey, reverse: $reverse) { nodes { name } } }",
      { query, ...more },
    )
  ).orders.nodes.map(({ name }) => name);

describe("an order of the Admin API", () => {
  it("has lines, properties, discounts, money, refunds and payments", async () => {
    const made = order();
    refundOrder(state, made.id, { lines: [{ lineId: made.lines[0]?.id ?? "", quantity: 1 }] });
    const query = `query ($id: ID!) { order(id: $id) {
      name displayFinancialStatus cancelledAt email customerLocale sourceName currencyCode taxesIncluded
      customAttributes { key value } shippingAddress { firstName city zip countryCodeV2 }
      totalPriceSet { shopMoney { amount currencyCode } } totalRefundedSet { shopMoney { amount } }
      lineItems(first: 10) { nodes { id sku quantity currentQuantity title variantTitle customAttributes { key value }
        originalUnitPriceSet { shopMoney { amount } } discountAllocations { allocatedAmountSet { shopMoney { amount } } }
        product { id } variant { id } } }
      refunds { note refundLineItems(first: 5) { nodes { quantity lineItem { id } } } totalRefundedSet { shopMoney { amount } } }
      transactions { kind status gateway amountSet { shopMoney { amount } } } } }`;
    const lineId = gid("LineItem", made.lines[0]?.id ?? "");
    expect((await admin(shop, query, { id: gid("Order", made.id) })).data).toEqual({
      order: {
        name: made.name,
        displayFinancialStatus: "PARTIALLY_REFUNDED",
        cancelledAt: null,
        email: "ines@example.fr",
        customerLocale: "fr",
        sourceName: "web",
        currencyCode: "EUR",
        taxesIncluded: true,
        customAttributes: [{ key: "from", value: "test" }],
        shippingAddress: { firstName: "Inès", city: "Nantes", zip: "44000", countryCodeV2: "FR" },
        totalPriceSet: { shopMoney: { amount: "477.7", currencyCode: "EUR" } },
        totalRefundedSet: { shopMoney: { amount: "226.5" } },
        lineItems: {
          nodes: [
            {
              id: lineId,
              sku: product(shop).variants[0]?.sku,
              quantity: 2,
              currentQuantity: 1,
              title: "Velin One",
              variantTitle: "Noir",
              customAttributes: [{ key: "_parasol_pair", value: "p" }],
              originalUnitPriceSet: { shopMoney: { amount: "229.0" } },
              discountAllocations: [{ allocatedAmountSet: { shopMoney: { amount: "5.0" } } }],
              product: { id: gid("Product", product(shop).id) },
              variant: { id: gid("ProductVariant", variantId) },
            },
            expect.objectContaining({ quantity: 2, title: "Câble USB-C tressé" }),
          ],
        },
        refunds: [
          {
            note: "",
            refundLineItems: { nodes: [{ quantity: 1, lineItem: { id: lineId } }] },
            totalRefundedSet: { shopMoney: { amount: "226.5" } },
          },
        ],
        transactions: [
          {
            kind: "SALE",
            status: "SUCCESS",
            gateway: "bogus",
            amountSet: { shopMoney: { amount: "477.7" } },
          },
          {
            kind: "REFUND",
            status: "SUCCESS",
            gateway: "bogus",
            amountSet: { shopMoney: { amount: "226.5" } },
          },
        ],
      },
    });
  });

  it("keeps who and where back without approval for protected customer data", async () => {
    shop.webhooks.behaviour.protectedCustomerData = false;
    const made = order();
    const answer = await admin(
      shop,
      "query ($id: ID!) { order(id: $id) { name email shippingAddress { city } } }",
      { id: gid("Order", made.id) },
    );
    expect(answer.data).toEqual({ order: { name: made.name, email: null, shippingAddress: null } });
    expect(codes(answer)).toEqual(["ACCESS_DENIED", "ACCESS_DENIED"]);
    expect(messages(answer)[1]).toMatch(/^This app is not approved to access the MailingAddress object/);
  });

  it("has lines whose product is gone", async () => {
    const made = order();
    const found = state.products.get(made.lines[1]?.productId ?? "");
    state.products.delete(found?.id ?? "");
    const query =
      "query ($id: ID!) { order(id: $id) { lineItems(first: 2) { nodes { title product { id } variant { id } } } } }";
    expect((await admin(shop, query, { id: gid("Order", made.id) })).data).toMatchObject({
      order: { lineItems: { nodes: [{}, { title: "Câble USB-C tressé", product: null, variant: null }] } },
    });
    if (found !== undefined) state.products.set(found.id, found);
  });
});

describe("the list of orders", () => {
  it("is searched by payment, cancellation, dates and name", async () => {
    const paid = order();
    const pending = createOrder(state, { lines: [{ variantId, quantity: 1 }] });
    const cancelled = order();
    cancelOrder(state, cancelled.id);
    expect(await names("financial_status:paid")).toEqual([paid.name]);
    expect(await names("financial_status:pending")).toEqual([pending.name]);
    expect(await names("status:cancelled")).toEqual([cancelled.name]);
    expect(await names("status:open")).toEqual([paid.name, pending.name]);
    expect(await names("status:any")).toHaveLength(3);
    expect(await names(`name:'${paid.name}'`)).toEqual([paid.name]);
    expect(await names(`updated_at:>='${cancelled.updatedAt}' AND status:cancelled`)).toEqual([
      cancelled.name,
    ]);
    expect(await names(`created_at:>'${new Date(Date.now() + day).toISOString()}'`)).toEqual([]);
  });

  it("sees sixty days without read_all_orders", async () => {
    const old = order({ createdAt: ago(61) });
    const recent = order({ createdAt: ago(59) });
    expect(await names(null)).toEqual([recent.name]);
    const all = await admin(
      shop,
      "{ orders(first: 5) { nodes { name } } }",
      {},
      { token: shop.tokens.offline(["read_orders", "read_all_orders"]).token },
    );
    expect(all.data).toEqual({ orders: { nodes: [{ name: old.name }, { name: recent.name }] } });
  });

  it("is sorted by the requested field", async () => {
    const first = order({ createdAt: ago(1) });
    const second = order({ createdAt: ago(3) });
    expect(await names(null, { sortKey: "CREATED_AT" })).toEqual([second.name, first.name]);
    expect(await names(null, { sortKey: "UPDATED_AT", reverse: true })).toEqual([second.name, first.name]);
    expect(await names(null, { sortKey: "ID" })).toEqual([first.name, second.name]);
  });
});

describe("mutations of orders", () => {
  const token = () => shop.tokens.offline(["read_orders", "write_orders"]).token;
  const cancel =
    "mutation ($id: ID!) { orderCancel(orderId: $id, reason: CUSTOMER, refundMethod: { originalPaymentMethodsRefund: true }, restock: true) { job { id done } orderCancelUserErrors { code } } }";

  it("orderCancel needs write_orders", async () => {
    expect(codes(await admin(shop, cancel, { id: gid("Order", order().id) }))).toEqual(["ACCESS_DENIED"]);
  });

  it("orderCancel cancels in a job", async () => {
    const made = order();
    const answer = await admin(shop, cancel, { id: gid("Order", made.id) }, { token: token() });
    expect(answer.data).toMatchObject({ orderCancel: { job: { done: false }, orderCancelUserErrors: [] } });
    await eventually(() =>
      expect(made).toMatchObject({ cancelReason: "customer", financialStatus: "refunded" }),
    );
    expect((await admin(shop, cancel, { id: gid("Order", made.id) }, { token: token() })).data).toMatchObject(
      { orderCancel: { job: null, orderCancelUserErrors: [{ code: "INVALID" }] } },
    );
  });

  it("refundCreate moves the money that its transactions say", async () => {
    const made = order();
    const refund =
      "mutation ($input: RefundInput!) { refundCreate(input: $input) { refund { totalRefundedSet { shopMoney { amount } } } userErrors { message } } }";
    const id = gid("Order", made.id);
    const input = {
      orderId: id,
      refundLineItems: [{ lineItemId: gid("LineItem", made.lines[0]?.id ?? ""), quantity: 1 }],
    };
    expect((await admin(shop, refund, { input }, { token: token() })).data).toEqual({
      refundCreate: { refund: { totalRefundedSet: { shopMoney: { amount: "0.0" } } }, userErrors: [] },
    });
    const paid = {
      orderId: id,
      transactions: [{ amount: "10.50", gateway: "bogus", kind: "REFUND", orderId: id }],
    };
    expect((await admin(shop, refund, { input: paid }, { token: token() })).data).toEqual({
      refundCreate: { refund: { totalRefundedSet: { shopMoney: { amount: "10.5" } } }, userErrors: [] },
    });
    const tooMuch = {
      orderId: id,
      transactions: [{ amount: "999999", gateway: "bogus", kind: "REFUND", orderId: id }],
    };
    expect((await admin(shop, refund, { input: tooMuch }, { token: token() })).data).toMatchObject({
      refundCreate: { refund: null, userErrors: [{}] },
    });
  });
});

describe("the shop's checkout", () => {
  const set = (what: string, value: unknown) =>
    fetch(`${shop.origin}/sandbox/${what}`, { method: "PUT", body: JSON.stringify(value) });

  it("takes off automatic discounts and the code that was typed, line by line, and requires the fields that the shop set", async () => {
    const cart = await fetch(`${shop.origin}/cart/add.js`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: variantId, quantity: 2 }),
    });
    const cookie = cart.headers.get("set-cookie")?.split(";")[0] ?? "";
    const tenth = { code: null, title: "Soldes", target: "products", value: { percentage: 10 } };
    await set("discounts", [tenth, { code: "MERCI", target: "order", value: { amount: 500 } }]);
    await set("checkout", { phone: "required" });
    const buy = async (more: Record<string, string>) => {
      const who = { first_name: "Inès", last_name: "Dupont", email: "ines@example.fr" };
      const where = { address1: "3 rue des Lilas", zip: "44000", city: "Nantes", country_code: "FR" };
      const body = new URLSearchParams({ ...who, ...where, ...more });
      const answer = await fetch(`${shop.origin}/checkout`, {
        ...{ method: "POST", body, headers: { cookie }, redirect: "manual" },
      });
      return answer.status;
    };
    expect(await buy({ discount: "MERCI" })).toBe(422);
    expect(await buy({ phone: "0612345678", discount: "NON" })).toBe(422);
    expect(state.orders.size).toBe(0);
    expect(await buy({ phone: "0612345678", discount: "MERCI" })).toBe(303);
    const [bought] = state.orders.values();
    expect(bought?.billingAddress?.phone).toBe("0612345678");
    const price = product(shop).variants[0]?.price ?? 0;
    expect(bought?.lines[0]?.discounts.map(({ amount }) => amount)).toEqual([Math.round(price / 5), 500]);
    await set("discounts", []);
    await set("checkout", { phone: "hidden" });
  });
});
