import { staff } from "#app/audit/actor.ts";
import { describe, expect, it } from "vitest";
import { savePhoneNumberNeed } from "#app/merchants/connection-state.server.ts";
import { db } from "#app/platform/db.server.ts";
import { endItems, retryItems } from "#app/orders/admin/order-actions.server.ts";
import { readOrderView } from "#app/orders/admin/order-page.server.ts";
import { saveCustomerData } from "#app/orders/admin/save-customer-data.server.ts";
import { eraseCustomer } from "#app/privacy/order-privacy.server.ts";
import { eventually } from "#test/eventually.ts";
import { installApp } from "#test/install.ts";
import { cancelOrder, createOrder, payOrder } from "#test/sandbox/shop/orders.ts";
import { findVariant } from "#test/sandbox/shop/products.ts";
import type { Discount, Order } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { customer } from "#test/orders/references.ts";
import {
  setUpSellingShop,
  buy,
  listContracts,
  insuredLines,
  listOpenTasks,
  findSalesRecord,
  readItemStates,
} from "#test/orders/selling-shop.ts";

const selling = setUpSellingShop();

async function keyOf(order: Order, itemNumber = 1) {
  const { lineId } = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id, itemNumber } });
  return { orderId: order.id, lineId, itemNumber };
}

const domain = shop.shopDomain;

describe("a paid plan that does not fit the catalogue", () => {
  const rows: [what: string, forge: (lines: ReturnType<typeof insuredLines>) => Order, finding: string][] = [
    [
      "sold at another price",
      ({ phone, plan, reference }) => buy([phone, { ...plan, price: reference.price - 100 }]),
      "wrong_price",
    ],
    ["sold at a placeholder price", ({ phone, plan }) => buy([phone, { ...plan, price: 0 }]), "wrong_price"],
    ["without its product", ({ plan }) => buy([plan]), "no_insured_line"],
    [
      "with more items than its product",
      ({ phone, plan }) => buy([phone, { ...plan, quantity: 2 }]),
      "more_plans_than_products",
    ],
    [
      "for a dearer product than its band",
      ({ phone, plan, reference }) => buy([{ ...phone, price: reference.price_band_max + 1 }, plan]),
      "outside_price_band",
    ],
    [
      "for a product of another category",
      ({ phone, plan }) => {
        const other = [...shop.state.products.values()].find(
          ({ productType }) => productType !== "Smartphone",
        );
        const variant = other?.variants[0];
        if (!variant) throw new Error("The demo shop sells more than smartphones");
        variant.tracked = false;
        return buy([{ ...phone, variantId: variant.id }, plan]);
      },
      "wrong_category",
    ],
  ];
  for (const [what, forge, finding] of rows) {
    it(`is a task and no plan: ${what}`, async () => {
      const order = forge(insuredLines(selling.references));
      await eventually(async () =>
        expect(await listOpenTasks(order)).toMatchObject([{ kind: "check_plan", details: { finding } }]),
      );
      await eventually(async () => expect((await findSalesRecord(order))?.status).toBe("recorded"));
      expect((await readItemStates(order)).at(-1)).toBe("attention");
      expect(await listContracts(order)).toHaveLength(finding === "more_plans_than_products" ? 1 : 0);
    });
  }

  it("is a task, no plan and no sale: a test order where contracts are real", async () => {
    const sellIn = async (environment: "test" | "production") => {
      await db.reference.updateMany({ where: { shop: domain }, data: { environment } });
      await db.syncedVariant.updateMany({ where: { shop: domain }, data: { environment } });
    };
    await sellIn("production");
    const order = selling.buyInsured({ gateway: "bogus" });
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([{ details: { finding: "test_order" } }]),
    );
    expect(await readItemStates(order)).toEqual(["attention"]);
    const statusOf = async ({ id }: Order) =>
      (await db.order.findFirstOrThrow({ where: { orderId: id } })).salesRecordStatus;
    expect(await statusOf(order)).toBe("test_order");
    expect(await retryItems(domain, [await keyOf(order)], staff("1"))).toBe("done");
    expect(await statusOf(order)).toBe("none");
    await sellIn("test");
    const another = selling.buyInsured({ gateway: "bogus" });
    await eventually(async () => expect(await readItemStates(another)).toEqual(["active"]));
    await eventually(async () => expect(await statusOf(another)).toBe("recorded"));
  });

  it("is not created once the merchant decides so", async () => {
    const order = selling.buyInsured({ planPrice: 1 });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    expect(await endItems(domain, [await keyOf(order)], staff("1"))).toBe("done");
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([{ kind: "premium_kept" }]),
    );
    expect(await listContracts(order)).toEqual([]);
  });

  it("has no open task once its order is cancelled", async () => {
    const order = selling.buyInsured({ planPrice: 1 });
    await eventually(async () => expect(await listOpenTasks(order)).toHaveLength(1));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
  });

  it("cannot be decided on from another shop", async () => {
    const order = selling.buyInsured({ planPrice: 1 });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    expect(await retryItems(otherShop.shopDomain, [await keyOf(order)], staff("1"))).toBe("unknown");
    expect(await endItems(otherShop.shopDomain, [await keyOf(order)], staff("1"))).toBe("unknown");
    expect(await readItemStates(order)).toEqual(["attention"]);
  });
});

describe("a discount", () => {
  const off: Pick<Discount, "code" | "title" | "productIds"> = {
    code: null,
    title: "Soldes",
    productIds: null,
  };
  const targetedAt = ({ reference }: ReturnType<typeof insuredLines>): Discount => {
    const found = findVariant(shop.state, reference.variantId);
    if (!found) throw new Error("The plan is not in the shop");
    return {
      ...off,
      code: "PLAN",
      target: "products",
      productIds: [found.product.id],
      value: { amount: 500 },
    };
  };
  const itemOf = (order: Order) => db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
  it.each<[what: string, discount: Omit<Discount, "productIds" | "title">, paidOfPlan: number]>([
    ["an automatic one", { code: null, target: "order", value: { percentage: 30 } }, 0.7],
    ["a code", { code: "ETE30", target: "order", value: { percentage: 30 } }, 0.7],
    ["one on every product", { code: null, target: "products", value: { percentage: 30 } }, 0.7],
    ["free shipping", { code: null, target: "shipping", value: { percentage: 100 } }, 1],
  ])(
    "for the whole order lets the plan be issued at the offer's price: %s",
    async (_, discount, paidOfPlan) => {
      const { phone, plan, reference } = insuredLines(selling.references);
      const order = buy([phone, plan], { discounts: [{ ...off, ...discount }], shippingPrice: 490 });
      await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
      expect(await itemOf(order)).toMatchObject({
        premiumMinor: expect.closeTo(reference.price * paidOfPlan, -0.5) as number,
        offerPriceMinor: reference.price,
      });
      expect(await listContracts(order)).toMatchObject([{ offer_reference_id: reference.reference_id }]);
      expect(await listOpenTasks(order)).toEqual([]);
    },
  );

  it("targeted at the plan lets it be issued: the merchant bears the difference", async () => {
    const lines = insuredLines(selling.references);
    const order = buy([lines.phone, lines.plan], { discounts: [targetedAt(lines)] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await itemOf(order)).toMatchObject({ offerPriceMinor: lines.reference.price });
  });

  it("that leaves nothing to pay for the plan is always a task", async () => {
    const order = selling.buyInsured({
      discounts: [{ ...off, target: "order", value: { percentage: 100 } }],
    });
    expect(order.payments).toEqual([]);
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([
        { details: { finding: "free_plan", premiumMinor: 0 } },
      ]),
    );
    expect(await listContracts(order)).toEqual([]);
  });
});

describe("money", () => {
  it("of a partly paid order insures nothing until all is paid; taxes, a tip and a gift card change no price", async () => {
    const { phone, plan } = insuredLines(selling.references);
    shop.state.taxesIncluded = false;
    const order = createOrder(shop.state, {
      lines: [phone, plan],
      email: "acompte@example.com",
      billingAddress: customer,
      tip: 300,
      giftCard: 1_000,
    });
    shop.state.taxesIncluded = true;
    payOrder(shop.state, order.id, 1_000);
    await shop.webhooks.settled();
    expect(await readItemStates(order)).toEqual([]);
    payOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    await eventually(async () =>
      expect(await findSalesRecord(order)).toMatchObject({ payment_method: "credit_card", line_items: [{}] }),
    );
  });

  it("of a market's currency is distinguished from a wrong price", async () => {
    const inYen = (roundTo: number) =>
      selling.buyInsured({ presentment: { currency: "JPY", rate: "163.37", roundTo } });
    const exact = inYen(1);
    const rounded = inYen(1_000);
    await eventually(async () => expect(await readItemStates(exact)).toEqual(["active"]));
    await eventually(async () =>
      expect(await listOpenTasks(rounded)).toMatchObject([{ details: { finding: "other_currency" } }]),
    );
  });
});

describe("an order that lacks data of its customer", () => {
  const requirePhone = async (requires_phone: boolean) => {
    const body = JSON.stringify({ requires_phone });
    await fetch(`${insurance.control_url}/stores/${insurance.store_id}`, { method: "PATCH", body });
  };
  const countCreations = () => insurance.traffic.counts.get("plans.create") ?? 0;
  const phoneNumberNeed = async () =>
    (await db.connection.findFirstOrThrow({ where: { shop: domain } })).phoneNumber;
  const buyWithoutPhone = () => {
    const { phone, plan } = insuredLines(selling.references, { quantity: 2 });
    return buy([phone, plan], { billingAddress: { ...customer, phone: null } });
  };
  async function withoutPhone(): Promise<Order> {
    const order = buyWithoutPhone();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention", "attention"]));
    return order;
  }

  it("and is refused for its product does not make the account one that needs phone numbers", async () => {
    const message = "Smartphone is not insurable";
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message, times: 2 });
    const order = buyWithoutPhone();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["refused", "refused"]));
    expect(await phoneNumberNeed()).toBe("optional");
  });

  it("is insured without a phone number, which most checkouts do not require", async () => {
    const order = buyWithoutPhone();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    expect(await phoneNumberNeed()).toBe("optional");
  });

  it("becomes one task where the insurer refuses contracts without a phone number, and the account learns it", async () => {
    await requirePhone(true);
    const sent = countCreations();
    const order = await withoutPhone();
    // The second item and the next order are not sent in vain.
    const next = await withoutPhone();
    expect(countCreations() - sent).toBe(1);
    expect(await phoneNumberNeed()).toBe("needed");
    expect(await listOpenTasks(next)).toMatchObject([
      { kind: "customer_data", details: { missing: ["phone"] } },
    ]);
    // The merchant has the checkout require it; an order without one says that it does not yet.
    await savePhoneNumberNeed(domain, "test", "asked");
    const late = await withoutPhone();
    expect(await phoneNumberNeed()).toBe("needed");
    for (const each of [next, late])
      expect(await saveCustomerData(domain, each.id, { phone: "06 12 34 56 78" }, staff("1"))).toEqual({
        state: "done",
      });
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "customer_data", details: { missing: ["phone"] } },
    ]);
    expect(await saveCustomerData(domain, order.id, { phone: "call me" }, staff("1"))).toEqual({
      state: "invalid",
      problems: { phone: "phone" },
    });
    expect(await saveCustomerData(domain, order.id, { phone: "06 12 34 56 78" }, staff("1"))).toEqual({
      state: "done",
    });
    for (const each of [order, next, late]) {
      await eventually(async () => expect(await readItemStates(each)).toEqual(["active", "active"]));
      await eventually(async () => expect(await listOpenTasks(each)).toEqual([]));
    }
    await requirePhone(false);
    await db.connection.updateMany({ data: { phoneNumber: "optional" } });
  });

  it("is completed once: its plans are looked up by the e-mail address that they were requested with", async () => {
    const order = selling.buyInsured({ email: null });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
    insurance.faults.add({ operation: "plans.list", kind: "status", status: 500, times: null });
    expect(await saveCustomerData(domain, order.id, { email: "first@example.com" }, staff("1"))).toEqual({
      state: "done",
    });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["unknown"]));
    expect(await saveCustomerData(domain, order.id, { email: "second@example.com" }, staff("1"))).toEqual({
      state: "conflict",
    });
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("cannot be completed from another shop", async () => {
    await installApp(otherShop.shopDomain);
    const order = selling.buyInsured({ billingAddress: { ...customer, city: null } });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    expect(await saveCustomerData(otherShop.shopDomain, order.id, { city: "Paris" }, staff("1"))).toEqual({
      state: "unknown",
    });
  });

  it("does not get erased data back with a later webhook", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = createOrder(shop.state, {
      lines: [phone, plan],
      email: "gone@example.com",
      billingAddress: customer,
    });
    payOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(
      await eraseCustomer(domain, { email: "gone@example.com", customerId: null, orderIds: [] }),
    ).toEqual([order.id]);
    const kept = await db.order.findFirstOrThrow({ where: { orderId: order.id } });
    expect([kept.sealedCustomer, kept.emailDigest]).toEqual([null, null]);
    // A later event of the order does not bring the data back, and is processed without it.
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect((await db.order.findFirstOrThrow({ where: { orderId: order.id } })).sealedCustomer).toBeNull();
  });
});

describe("a plan that the insurer refuses", () => {
  it("is a task with the insurer's message, and the other plans of the order are created", async () => {
    insurance.faults.add({
      operation: "plans.create",
      kind: "status",
      status: 422,
      message: "Not insurable",
    });
    const order = selling.buyInsured({ quantity: 2 });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["refused", "active"]));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "plan_refused", itemNumber: 1, details: { insurerMessage: "Not insurable" } },
    ]);
    expect(await retryItems(domain, [await keyOf(order, 1)], staff("1"))).toBe("done");
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
    expect(await listContracts(order)).toHaveLength(2);
  });
});

describe("a plan that the insurer refuses for a detail of the customer", () => {
  it("waits for that field on the order's page, and is requested again with what was corrected", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const message = "phone is invalid";
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message });
    const order = buy([phone, plan]);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    const refused = { fields: ["phone"], insurerMessage: message };
    expect(await listOpenTasks(order)).toMatchObject([{ kind: "customer_data", details: { refused } }]);
    expect(await readOrderView(domain, order.id, "en")).toMatchObject({ missing: [], refused });
    // One customer's wrong number says nothing of the account.
    expect((await db.connection.findFirstOrThrow({ where: { shop: domain } })).phoneNumber).toBe("optional");
    const corrected = { phone: "+33 6 98 76 54 32" };
    expect(await saveCustomerData(domain, order.id, corrected, staff("1"))).toEqual({ state: "done" });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listOpenTasks(order)).toEqual([]);
    expect(await readOrderView(domain, order.id, "en")).toMatchObject({
      customer: { phone: "+33698765432" },
    });
  });

  it("keeps the address of a plan of which it is not clear whether it exists", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 409, message: "Exists" });
    const message = "phone is invalid";
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message });
    const order = selling.buyInsured({ quantity: 2 });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention", "attention"]));
    const another = { phone: "+33 6 98 76 54 32", email: "another@example.com" };
    expect(await saveCustomerData(domain, order.id, another, staff("1"))).toEqual({
      state: "invalid",
      problems: { email: "email_known" },
    });
  });

  it("keeps the address that another plan of the order is known by, so that this one is found again", async () => {
    const message = "phone is invalid";
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message, skip: 1 });
    const order = selling.buyInsured({ quantity: 2 });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "attention"]));
    const corrected = { phone: "+33 6 98 76 54 32" };
    const another = { ...corrected, email: "another@example.com" };
    expect(await saveCustomerData(domain, order.id, another, staff("1"))).toEqual({
      state: "invalid",
      problems: { email: "email_known" },
    });
    expect(await saveCustomerData(domain, order.id, corrected, staff("1"))).toEqual({ state: "done" });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    expect(await listContracts(order)).toHaveLength(2);
  });
});
