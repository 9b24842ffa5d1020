/** Orders queried from the Admin API in each form: complete, without the customer, refused, or too expensive. */
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { AccessDenied, CostExceeded } from "#app/shopify/errors.ts";
import { fetchOrder, fetchOrders, ORDER_COST, PAGE_COST } from "#app/shopify/order-query.server.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { installApp } from "#test/install.ts";
import { customer } from "#test/orders/references.ts";
import { createPaidOrder, finishRefund, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { NewOrder } from "#test/sandbox/shop/orders.ts";
import { orderPayload } from "#test/sandbox/shop/webhooks/order-payload.ts";
import { shop } from "#test/world.ts";

const domain = shop.shopDomain;
const EVERYTHING = "created_at:>='2000-01-01T00:00:00Z'";

const variantId = () => {
  const product = [...shop.state.products.values()].find(({ variants }) => variants.length > 0);
  return product?.variants[0]?.id ?? "";
};

function order(changes: Partial<NewOrder> = {}, lines = 1) {
  const line = { variantId: variantId(), quantity: 1 };
  return createPaidOrder(shop.state, {
    lines: Array.from({ length: lines }, () => line),
    email: "ana@example.com",
    billingAddress: customer,
    ...changes,
  });
}

beforeAll(async () => {
  await installApp();
  shop.webhooks.behaviour.dropShare = 1;
});

afterEach(() => {
  shop.api.maximumCost = 1_000;
  Object.assign(shop.webhooks.behaviour, {
    approvedForOrders: true,
    protectedCustomerData: true,
    withheldAs: "error",
  });
});

describe("an order", () => {
  test("of a company is one of a business; a customer's own is not, whether or not the app may know the customer", async () => {
    const company = order({ company: { id: "77" } });
    const own = order();
    const guest = order({ customer: null, sourceName: "pos", email: null, billingAddress: null });
    expect(await fetchOrder(domain, company.id)).toMatchObject({ business: true, email: "ana@example.com" });
    expect(await fetchOrder(domain, own.id)).toMatchObject({ business: false, email: "ana@example.com" });
    expect(await fetchOrder(domain, guest.id)).toMatchObject({
      business: false,
      sourceName: "pos",
      email: null,
    });
  });

  test("has no line for its tip, and keeps what was sold without being a product of the shop", async () => {
    const tipped = order({ tip: 500 });
    const [sold] = tipped.lines;
    // A custom line of a draft order has no product either, and is fulfilled the same way.
    if (sold)
      tipped.lines.push({ ...sold, id: `${sold.id}5`, productId: "1", variantId: "1", title: "Gravure" });
    const { lines } = (await fetchOrder(domain, tipped.id)) ?? {};
    expect(lines?.map(({ title }) => title)).toEqual([
      expect.any(String),
      expect.stringContaining("Gravure"),
    ]);
    expect(lines?.[1]).toMatchObject({ productId: null, variantId: null });
  });

  test("keeps the tie of lines that were nested in the cart", async () => {
    const nested = order({
      lines: [
        { variantId: variantId(), quantity: 1, cartLineId: "a" },
        { variantId: variantId(), quantity: 1, cartLineId: "b", parentCartLineId: "a" },
        { variantId: variantId(), quantity: 1 },
      ],
    });
    const [parent, child, other] = (await fetchOrder(domain, nested.id))?.lines ?? [];
    expect(parent?.groupId).not.toBeNull();
    expect(child?.groupId).toBe(parent?.groupId);
    expect([parent?.bundle, child?.bundle]).toEqual([null, null]);
    expect(other?.groupId).toBeNull();
  });

  test("says of components which bundle they make up", async () => {
    const sold = order({}, 3);
    const [first, second] = sold.lines;
    const bundle = { id: "77", title: "Pack", quantity: 2, productId: "880", variantId: "8801" };
    if (first && second) first.bundle = second.bundle = bundle;
    for (const [id, lines] of [
      ["gid://shopify/LineItemGroup/77", (await fetchOrder(domain, sold.id))?.lines],
      [
        "77",
        parseOrderPayload(JSON.stringify(orderPayload(shop.state, sold, shop.webhooks.behaviour))).lines,
      ],
    ] as const)
      expect(lines?.map((line) => line.bundle)).toEqual([{ ...bundle, id }, { ...bundle, id }, null]);
  });

  test("has a line among those that cannot be read where its discounts are beyond every order together", async () => {
    const reduced = order({}, 2);
    const discount = { type: "manual", title: "Remise", targetType: "line_item" } as const;
    const application = reduced.discountApplications.push({
      ...discount,
      targetSelection: "explicit",
      allocationMethod: "across",
      value: { amount: 1 },
    });
    const [line] = reduced.lines;
    if (!line) throw new Error("There is no line");
    line.discounts = Array.from({ length: 9 }, () => ({ amount: 999_999_900, application: application - 1 }));
    const { lines, unreadableLines } = (await fetchOrder(domain, reduced.id)) ?? {};
    expect(lines).toHaveLength(1);
    expect(unreadableLines).toMatchObject([{ id: line.id }]);
  });

  test("older than 60 days is none for an app without read_all_orders", async () => {
    expect(await fetchOrder(domain, order({ createdAt: "2026-01-10T10:00:00Z" }).id)).toBeNull();
  });

  test.each(["error", "null"] as const)(
    "without approval for names and addresses is read without them, whether they come as an %s",
    async (withheldAs) => {
      Object.assign(shop.webhooks.behaviour, { protectedCustomerData: false, withheldAs });
      expect(await fetchOrder(domain, order().id)).toMatchObject({
        email: null,
        billingAddress: null,
        lines: [{ quantity: 1 }],
      });
    },
  );

  test("without approval for orders is denied, alone and in a list", async () => {
    const { id } = order();
    shop.webhooks.behaviour.approvedForOrders = false;
    await expect(fetchOrder(domain, id)).rejects.toThrow(AccessDenied);
    await expect(fetchOrders(domain, EVERYTHING, null)).rejects.toThrow(AccessDenied);
  });
});

describe("a page of orders", () => {
  test("is requested at half the size until its cost is accepted, and the next page begins there", async () => {
    for (let n = 0; n < 8; n += 1) order();
    const whole = await fetchOrders(domain, EVERYTHING, null);
    const ids = whole.orders.map(({ id }) => id);
    shop.api.maximumCost = 400;
    let page = await fetchOrders(domain, EVERYTHING, null);
    expect(page.size).toBeLessThan(25);
    const found = page.orders.map(({ id }) => id);
    while (page.next !== null) {
      page = await fetchOrders(domain, EVERYTHING, page.next, { size: page.size });
      found.push(...page.orders.map(({ id }) => id));
    }
    expect(found).toEqual(ids);
    shop.api.maximumCost = 20;
    await expect(fetchOrders(domain, EVERYTHING, null)).rejects.toThrow(CostExceeded);
  });

  test("and a single order wait for the points that they cost by Shopify's rules", async () => {
    const { id } = order();
    const { bucket } = shop.api;
    const taken: number[] = [];
    const take = bucket.take.bind(bucket);
    bucket.take = (points) => {
      taken.push(points);
      return take(points);
    };
    await fetchOrders(domain, EVERYTHING, null);
    await fetchOrder(domain, id);
    bucket.take = take;
    expect(taken).toEqual([PAGE_COST, ORDER_COST]);
  });
});

describe("an order with refunds", () => {
  test("has them: what they take out, what they pay back beyond it, and whether that is settled", async () => {
    const refunded = order({ shippingPrice: 500 }, 2);
    const [first, second] = refunded.lines;
    if (!first || !second) throw new Error("There are no lines");
    const lines = [{ lineId: first.id, quantity: 1 }];
    const itemMinor = first.price;
    const item = refundOrder(shop.state, refunded.id, { lines, shipping: true, amount: itemMinor + 900 });
    const credit = refundOrder(shop.state, refunded.id, {
      amount: 200,
      gateway: "shopify_store_credit",
      status: "pending",
    });
    const restock = refundOrder(shop.state, refunded.id, {
      lines: [{ lineId: second.id, quantity: 1 }],
      amount: 0,
    });
    const both = async () => [
      (await fetchOrder(domain, refunded.id))?.refunds,
      parseOrderPayload(JSON.stringify(orderPayload(shop.state, refunded, shop.webhooks.behaviour))).refunds,
    ];
    const of = ({ id }: { id: string }, lineId?: string) => ({
      id,
      at: expect.any(Date) as Date,
      currency: "EUR",
      lines: lineId === undefined ? [] : [{ lineId, quantity: 1, amountMinor: itemMinor }],
    });
    const read = (status: string, creditMinor: number) => [
      { ...of(item, first.id), moneyMinor: itemMinor + 400, status: "settled" },
      { ...of(credit), moneyMinor: creditMinor, status },
      { ...of(restock, second.id), moneyMinor: 0, status: "settled" },
    ];
    for (const refunds of await both()) expect(refunds).toEqual(read("pending", 200));
    finishRefund(shop.state, refunded.id, credit.id, "failure");
    for (const refunds of await both()) expect(refunds).toEqual(read("failed", 0));
  });

  test("has them in the shop's currency, with the tax where it is added", async () => {
    shop.state.taxesIncluded = false;
    const abroad = order({ presentment: { currency: "CHF", rate: "0.95" }, shippingPrice: 1_000 });
    shop.state.taxesIncluded = true;
    const [line] = abroad.lines;
    const refund = refundOrder(shop.state, abroad.id, {
      lines: [{ lineId: line?.id ?? "", quantity: 1 }],
      shipping: true,
    });
    const amountMinor = Math.round((line?.price ?? 0) * 1.2);
    expect(await fetchOrder(domain, abroad.id)).toMatchObject({
      refunds: [{ id: refund.id, currency: "EUR", lines: [{ amountMinor }], moneyMinor: amountMinor }],
    });
    // A webhook has the payment in the customer's currency alone.
    const payload = JSON.stringify(orderPayload(shop.state, abroad, shop.webhooks.behaviour));
    expect(parseOrderPayload(payload).refunds).toMatchObject([{ id: refund.id, currency: "CHF" }]);
  });

  test("has all of them, and all lines of each, below the limit of a request's cost", async () => {
    const long = order({}, 60);
    const lines = long.lines.map(({ id }) => ({ lineId: id, quantity: 1 }));
    refundOrder(shop.state, long.id, { lines });
    for (let n = 0; n < 9; n += 1) refundOrder(shop.state, long.id, { amount: 0 });
    const { refunds = [] } = (await fetchOrder(domain, long.id)) ?? {};
    expect(refunds.map((refund) => refund.lines.length)).toEqual([60, ...Array<number>(9).fill(0)]);
  });
});
