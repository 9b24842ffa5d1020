import { describe, expect, it } from "vitest";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { action } from "#app/routes/webhooks.tsx";
import { CONSENT, INSURED_VARIANT, OFFERED, PAIR } from "#app/shopify/line-properties.ts";
import { readOrderBook } from "#app/orders/book/book.server.ts";
import { readStory } from "#app/orders/book/story.ts";
import { saveReport } from "#app/orders/save-report.server.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import { findWebhook } from "#app/inbox/stored-webhooks.server.ts";
import { allowSale } from "#test/install.ts";
import { eventually } from "#test/eventually.ts";
import {
  setUpSellingShop,
  buy,
  listContracts,
  insuredLines,
  listOpenTasks,
  findSalesRecord,
  readItemStates,
} from "./selling-shop.ts";
import { customer } from "./references.ts";
import { cancelOrder, createOrder, deleteOrder, payOrder } from "#test/sandbox/shop/orders.ts";
import type { NewOrder } from "#test/sandbox/shop/orders.ts";
import { webhookPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { insurance, shop, webhookRequest } from "#test/world.ts";

const selling = setUpSellingShop();

describe("a paid order", () => {
  it("becomes a plan and a recorded order", async () => {
    const { phone, plan, reference } = insuredLines(selling.references);
    const order = buy([phone, plan]);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toMatchObject([
      { offer_reference_id: reference.reference_id, status: "active" },
    ]);
    await eventually(async () =>
      expect(await findSalesRecord(order)).toMatchObject({
        status: "recorded",
        line_items: [{ reference_id: phone.variantId, insurance_offered: true, insurance_selected: true }],
      }),
    );
  });

  it("of a bundle insures the bundle, by the webhook and by the comparison", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const line = { ...phone, properties: [] };
    const claims = plan.properties?.filter(({ name }) => name !== PAIR && name !== INSURED_VARIANT) ?? [];
    const properties = [...claims, { name: INSURED_VARIANT, value: "8801" }];
    const order = createOrder(shop.state, {
      lines: [line, line, { ...plan, properties }],
      email: "ana@example.com",
      billingAddress: customer,
    });
    const [first, second, sold] = order.lines;
    if (!first || !second || !sold) throw new Error("There are no lines");
    second.price = 0;
    const { productId } = first;
    first.bundle = second.bundle = { id: "77", title: "Pack duo", quantity: 1, productId, variantId: "8801" };
    payOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    const book = await readOrderBook(shop.shopDomain, order.id);
    expect(book?.order.items).toMatchObject([{ insured: { title: "Pack duo", variantId: "8801" } }]);
    await eventually(async () => {
      const read = await fetchOrder(shop.shopDomain, order.id);
      expect(read && (await saveReport(shop.shopDomain, read, "read"))?.added).toEqual([]);
    });
  });

  it("is one order, though its products come as changed under the same event id", async () => {
    const products = await db.shopProduct.findMany({ where: { shop: shop.shopDomain } });
    // The products are read again, and keep the categories that this test's catalogue gave them.
    await db.categoryOverride.createMany({
      data: products.map(({ productId, categoryId }) => ({ shop: shop.shopDomain, productId, categoryId })),
    });
    const { log, behaviour } = shop.webhooks;
    const from = log.length;
    behaviour.productsOfOrders = true;
    const order = selling.buyInsured();
    behaviour.productsOfOrders = false;
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    const paid = log.slice(from).find(({ topic }) => topic === "orders/paid");
    const where = { shop: shop.shopDomain, eventId: paid?.eventId ?? "" };
    await eventually(async () => {
      const events = await db.webhook.findMany({ where });
      expect(new Set(events.map(({ topic }) => topic))).toEqual(new Set(["orders/paid", "products/update"]));
      expect(events.filter(({ state }) => state !== "done")).toEqual([]);
    });
    expect(await listContracts(order)).toHaveLength(1);
  });

  const draft = { sourceName: "shopify_draft_order", gateway: "manual" };
  const counter = { sourceName: "pos", gateway: "cash", shippingAddress: null };
  const renewal = { sourceName: "subscription_contract_checkout_one" };
  const company = {
    company: { id: "77" },
    billingAddress: { ...customer, company: "Blanc SARL", phone: null },
  };
  const nobody = { customer: null, email: null, billingAddress: null };
  const noPhone = { billingAddress: { ...customer, phone: null } };
  const kinds: [name: string, changes: Partial<NewOrder>, channel: string, state: string, tasks: string[]][] =
    [
      ["with a tip, which is a line of no product", { tip: 500 }, "online", "active", []],
      ["from a draft, without a phone number", { ...draft, ...noPhone }, "online", "active", []],
      ["from a draft for nobody", { ...draft, ...nobody }, "online", "attention", ["customer_data"]],
      ["at the counter, by a known customer", counter, "in_store", "active", []],
      [
        "at the counter, by nobody known",
        { ...counter, ...nobody },
        "in_store",
        "attention",
        ["customer_data"],
      ],
      ["of a subscription", { ...renewal, ...noPhone }, "online", "active", []],
      ["of a company, by one of its people", company, "b2b", "active", []],
      [
        "of a company without an e-mail address",
        { ...company, email: null },
        "b2b",
        "attention",
        ["customer_data"],
      ],
      [
        "of a company that names no person",
        {
          company: company.company,
          customer: null,
          billingAddress: { ...company.billingAddress, first_name: null, last_name: null },
        },
        "b2b",
        "attention",
        ["customer_data"],
      ],
    ];
  it.each(kinds)(
    "%s, becomes its plan or a task, and is recorded",
    async (_, changes, channel, state, tasks) => {
      const { phone, plan } = insuredLines(selling.references);
      const isSubscribed = changes.sourceName === renewal.sourceName;
      await allowSale({ companies: true });
      const sellingPlan = isSubscribed ? { id: "31", name: "Chaque mois" } : null;
      const order = buy([{ ...phone, sellingPlan }, plan], changes);
      await eventually(async () => expect(await readItemStates(order)).toEqual([state]));
      // The product is the only thing that was sold and could be insured: all that the attachment rate counts.
      expect(await db.orderLine.count({ where: { orderId: order.id } })).toBe(1);
      await eventually(async () =>
        expect(await findSalesRecord(order)).toMatchObject({
          sales_channel: channel,
          line_items: [{ reference_id: phone.variantId }],
        }),
      );
      expect(await listContracts(order)).toHaveLength(state === "active" ? 1 : 0);
      const open = await db.task.findMany({ where: { orderId: order.id, closedAt: null } });
      expect(open.map(({ kind }) => kind)).toEqual(tasks);
    },
  );

  const reunion = { shippingAddress: { ...customer, country_code: "RE", zip: "97400" } };
  it.each<[where: string, changes: Partial<NewOrder>, finding: string]>([
    ["to a country where the shop does not sell it", reunion, "other_country"],
    ["to a company, where the shop sells to consumers alone", company, "company"],
  ])("sold all the same %s is a task with its amount, and no plan", async (_where, changes, finding) => {
    await allowSale({ companies: false, countries: [] });
    const { phone, plan, reference } = insuredLines(selling.references);
    const order = buy([phone, plan], changes);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    expect(await listOpenTasks(order)).toMatchObject([
      {
        kind: "check_plan",
        details: { finding, premiumMinor: reference.price },
        atStakeMinor: reference.price,
      },
    ]);
    expect(await listContracts(order)).toEqual([]);
    await allowSale({ companies: true, countries: ["FR", "RE"] });
    const allowed = buy([phone, plan], changes);
    await eventually(async () => expect(await readItemStates(allowed)).toEqual(["active"]));
  });

  it("of staff who noted no consent is a task", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const properties = plan.properties?.filter(({ name }) => name !== CONSENT) ?? [];
    const order = buy([phone, { ...plan, properties }], draft);
    await eventually(async () =>
      expect(await db.task.findMany({ where: { orderId: order.id } })).toMatchObject([
        { kind: "check_plan", details: { finding: "no_consent" } },
      ]),
    );
    expect(await listContracts(order)).toEqual([]);
  });

  it("becomes one plan per insured item", async () => {
    const order = await selling.buyAndIssue({ quantity: 3 });
    expect(await listContracts(order)).toHaveLength(3);
  });

  const shown = [{ name: OFFERED, value: "cart" }];
  it.each<[where: string, isOffered: boolean, properties: typeof shown, changes: Partial<NewOrder>]>([
    ["that was offered in the cart", true, shown, {}],
    ["of which the storefront says nothing", false, [], {}],
    ["at the counter", false, [], counter],
    ["from a draft", false, [], draft],
    ["of a company", false, [], company],
  ])("without insurance is recorded, too, as one %s", async (_where, isOffered, properties, changes) => {
    const { phone } = insuredLines(selling.references);
    const order = buy([{ ...phone, properties }], changes);
    await eventually(async () =>
      expect((await findSalesRecord(order))?.line_items).toMatchObject([
        { insurance_offered: isOffered, insurance_selected: false },
      ]),
    );
    expect(await listContracts(order)).toEqual([]);
  });

  it("that is cancelled ends with no plan in force", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(await findSalesRecord(order)).toMatchObject({ status: "cancelled" });
  });

  it("that is deleted loses no contract by the webhook alone", async () => {
    const order = await selling.buyAndIssue();
    deleteOrder(shop.state, order.id);
    const where = { shop: shop.shopDomain, orderId: order.id, topic: "orders/delete", state: "done" };
    await eventually(async () => expect(await db.webhook.count({ where })).toBe(1));
    expect(await listContracts(order)).toMatchObject([{ status: "active" }]);
  });

  it("keeps the history of each item", async () => {
    const order = await selling.buyAndIssue();
    const book = await readOrderBook(shop.shopDomain, order.id);
    const ofItem = readStory(book?.events ?? []).filter(({ items }) => items.length > 0);
    expect(ofItem.slice(0, 4).map(({ cause, attempt }) => [cause, attempt])).toEqual([
      ["paid_for", null],
      ["send", 1],
      ["created", 1],
      ["contract_active", null],
    ]);
  });
});

describe("a paid order with a line that cannot be read", () => {
  it("is insured all the same, and the line is a task", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = createOrder(shop.state, {
      lines: [phone, plan],
      email: "odd@example.com",
      billingAddress: customer,
    });
    const paid = { ...order, financialStatus: "paid" as const };
    const payload = webhookPayload(
      shop.state,
      { topic: "orders/paid", order: paid },
      { protectedCustomerData: true },
    );
    const line_items = [
      ...z.array(z.unknown()).parse(payload["line_items"]),
      { id: 77, name: "Cadeau", quantity: "two" },
    ];
    const request = webhookRequest("orders/paid", { ...payload, line_items });
    expect((await action({ request, params: {}, context: {} })).status).toBe(200);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await db.task.findMany({ where: { orderId: order.id } })).toMatchObject([
      { kind: "line_left_out", lineId: "77", details: { why: "unreadable", title: "Cadeau" } },
    ]);
    // A later report in which all lines can be read settles it.
    const again = webhookRequest("orders/paid", payload);
    expect((await action({ request: again, params: {}, context: {} })).status).toBe(200);
    await eventually(async () =>
      expect(await db.task.findMany({ where: { orderId: order.id } })).toMatchObject([
        { kind: "line_left_out", outcome: "obsolete" },
      ]),
    );
  });

  it("or that names one line twice, differently: the last counts", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = createOrder(shop.state, {
      lines: [phone, plan],
      email: "twice@example.com",
      billingAddress: customer,
    });
    const paid = { ...order, financialStatus: "paid" as const };
    const options = { protectedCustomerData: true };
    const payload = webhookPayload(shop.state, { topic: "orders/paid", order: paid }, options);
    const [first, ...others] = z.array(z.looseObject({})).parse(payload["line_items"]);
    const line_items = [{ ...first, name: "Old", title: "Old" }, first, ...others, ...others];
    const request = webhookRequest("orders/paid", { ...payload, line_items });
    expect((await action({ request, params: {}, context: {} })).status).toBe(200);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await db.task.findMany({ where: { orderId: order.id } })).toMatchObject([
      { kind: "line_left_out", lineId: order.lines[0]?.id },
    ]);
  });

  it("or whose properties are an object is an order like any other", async () => {
    shop.webhooks.behaviour.propertiesAs = "object";
    const order = selling.buyInsured();
    shop.webhooks.behaviour.propertiesAs = "list";
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  });
});

describe("a sales record", () => {
  it("is sent again when the response was lost, and stays one order", async () => {
    insurance.faults.add({ operation: "orders.record", kind: "reset_after" });
    const order = selling.buyInsured();
    await eventually(async () =>
      expect((await db.order.findFirst({ where: { orderId: order.id } }))?.salesRecordStatus).toBe(
        "recorded",
      ),
    );
    expect(await findSalesRecord(order)).toMatchObject({ status: "recorded", recordings: 2 });
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("that the insurer refuses becomes a task and holds up no plan", async () => {
    insurance.faults.add({
      operation: "orders.record",
      kind: "status",
      status: 422,
      message: "Unknown channel",
    });
    const order = selling.buyInsured();
    await eventually(async () =>
      expect(await db.task.findMany({ where: { orderId: order.id } })).toMatchObject([
        { kind: "order_refused", details: { insurerMessage: "Unknown channel" } },
      ]),
    );
    expect(await readItemStates(order)).toEqual(["active"]);
  });
});

describe("a webhook that cannot be read", () => {
  it("is kept as it was received and becomes a task, with no job left behind", async () => {
    for (const body of ["{}", '{"id":1}', '{"id":"x"}', '{"line_items":[]}']) {
      const webhookId = `bad [${body}]`;
      const request = webhookRequest("orders/paid", body, { webhookId });
      expect((await action({ request, params: {}, context: {} })).status).toBe(200);
      await eventually(async () => {
        const { id } = await db.webhook.findFirstOrThrow({ where: { webhookId } });
        expect(await findWebhook(shop.shopDomain, id)).toMatchObject({ state: "done", body });
      });
    }
    const tasks = await db.task.findMany({ where: { kind: "unreadable_webhook" } });
    expect(tasks).toHaveLength(4);
  });
});

describe("a token that the insurer no longer accepts", () => {
  const openConnectionTasks = () => db.task.count({ where: { kind: "connection", closedAt: null } });

  it.each([true, false])(
    "is one task for the shop while a cancellation waits for it, too (refunded: %s)",
    async (refund) => {
      const order = selling.buyInsured();
      await eventually(async () => expect((await findSalesRecord(order))?.status).toBe("recorded"));
      insurance.faults.add({ kind: "status", status: 401, times: null });
      cancelOrder(shop.state, order.id, { refund });
      await eventually(async () => expect(await openConnectionTasks()).toBe(1));
      insurance.faults.clear();
      await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
      await eventually(async () => expect(await openConnectionTasks()).toBe(0));
    },
  );

  it("or a store that it does not know is a task while plans wait", async () => {
    insurance.faults.add({ kind: "status", status: 404, times: null });
    const order = selling.buyInsured();
    await eventually(async () => expect(await openConnectionTasks()).toBe(1));
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    await eventually(async () => expect(await openConnectionTasks()).toBe(0));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("is one task for the shop, and the plans are created once it is accepted again", async () => {
    insurance.faults.add({ kind: "status", status: 401, times: null });
    const order = selling.buyInsured();
    await eventually(async () =>
      expect(await db.task.findMany({ where: { kind: "connection", closedAt: null } })).toMatchObject([
        { details: { problem: "refused" } },
      ]),
    );
    expect(await listContracts(order)).toEqual([]);
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
    await eventually(async () =>
      expect(await db.task.count({ where: { kind: "connection", closedAt: null } })).toBe(0),
    );
  });
});
