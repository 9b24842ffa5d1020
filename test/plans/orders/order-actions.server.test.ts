import { staff } from "#app/audit/actor.ts";
import { describe, expect, it } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { confirmCancelled, endUnit, retryUnit } from "#app/plans/orders/order-actions.server.ts";
import { saveCustomerData } from "#app/plans/orders/save-customer-data.server.ts";
import { eraseCustomer } from "#app/plans/privacy.server.ts";
import { eventually } from "#test/eventually.ts";
import { installApp } from "#test/install.ts";
import { cancelOrder, createOrder, payOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { otherShop, shop } from "#test/world.ts";
import { customer } from "#test/plans/references.ts";
import {
  setUpSellingShop,
  injectFault,
  buy,
  listContracts,
  insuredLines,
  listOpenTasks,
  findSalesRecord,
  readUnitStates,
} from "#test/plans/selling-shop.ts";

const selling = setUpSellingShop();

async function keyOf(order: Order, unitNumber = 1) {
  const { lineId } = await db.insuredUnit.findFirstOrThrow({ where: { orderId: order.id, unitNumber } });
  return { orderId: order.id, lineId, unitNumber };
}

const domain = shop.shopDomain;

describe("a paid plan that does not fit the catalogue", () => {
  const rows: [what: string, forge: (lines: ReturnType<typeof insuredLines>) => Order, finding: string][] = [
    ["discounted", ({ phone, plan }) => buy([phone, { ...plan, discounts: [100] }]), "wrong_price"],
    ["sold at a placeholder price", ({ phone, plan }) => buy([phone, { ...plan, price: 0 }]), "wrong_price"],
    ["without its product", ({ plan }) => buy([plan]), "no_insured_line"],
    [
      "with more pieces than its product",
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
      expect((await readUnitStates(order)).at(-1)).toBe("attention");
      expect(await listContracts(order)).toHaveLength(finding === "more_plans_than_products" ? 1 : 0);
    });
  }

  it("is a task and no plan: a test order where contracts are real", async () => {
    const sellIn = async (environment: "test" | "production") => {
      await db.reference.updateMany({ where: { shop: domain }, data: { environment } });
      await db.syncedVariant.updateMany({ where: { shop: domain }, data: { environment } });
    };
    await sellIn("production");
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, plan], { gateway: "bogus" });
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([{ details: { finding: "test_order" } }]),
    );
    expect(await readUnitStates(order)).toEqual(["attention"]);
    await sellIn("test");
    const another = buy([phone, plan], { gateway: "bogus" });
    await eventually(async () => expect(await readUnitStates(another)).toEqual(["active"]));
  });

  it("is created once the merchant decides so", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, { ...plan, discounts: [100] }]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["attention"]));
    expect(await retryUnit(domain, await keyOf(order), staff("1"))).toBe("done");
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("is not created once the merchant decides so", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, { ...plan, discounts: [100] }]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["attention"]));
    expect(await endUnit(domain, await keyOf(order), staff("1"))).toBe("done");
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["cancelled"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
    expect(await listContracts(order)).toEqual([]);
  });

  it("has no open task once its order is cancelled", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, { ...plan, discounts: [100] }]);
    await eventually(async () => expect(await listOpenTasks(order)).toHaveLength(1));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["cancelled"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
  });

  it("cannot be decided on from another shop", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, { ...plan, discounts: [100] }]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["attention"]));
    expect(await retryUnit(otherShop.shopDomain, await keyOf(order), staff("1"))).toBe("unknown");
    expect(await endUnit(otherShop.shopDomain, await keyOf(order), staff("1"))).toBe("unknown");
    expect(await readUnitStates(order)).toEqual(["attention"]);
  });
});

describe("an order that lacks data of its customer", () => {
  async function withoutPhone(): Promise<Order> {
    const { phone, plan } = insuredLines(selling.references, { quantity: 2 });
    const order = buy([phone, plan], { billingAddress: { ...customer, phone: null } });
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["attention", "attention"]));
    return order;
  }

  it("becomes one task that names what is missing; once that is entered, its plans are created", async () => {
    const order = await withoutPhone();
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
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active", "active"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
  });

  it("is completed once: its plans are looked up by the e-mail address that they were requested with", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, plan], { email: null });
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["attention"]));
    await injectFault({ operation: "plans.create", kind: "reset_after" });
    await injectFault({ operation: "plans.list", kind: "status", status: 500, times: 3 });
    expect(await saveCustomerData(domain, order.id, { email: "first@example.com" }, staff("1"))).toEqual({
      state: "done",
    });
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["unknown"]));
    expect(await saveCustomerData(domain, order.id, { email: "second@example.com" }, staff("1"))).toEqual({
      state: "not_now",
    });
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("cannot be completed from another shop", async () => {
    await installApp(otherShop.shopDomain);
    const order = await withoutPhone();
    expect(
      await saveCustomerData(otherShop.shopDomain, order.id, { phone: "0612345678" }, staff("1")),
    ).toEqual({
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
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
    expect(await eraseCustomer(domain, { email: "gone@example.com", orderIds: [] })).toEqual([order.id]);
    const kept = await db.order.findFirstOrThrow({ where: { orderId: order.id } });
    expect([kept.sealedCustomer, kept.emailDigest]).toEqual([null, null]);
    // A later event of the order does not bring the data back, and is worked off without it.
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["cancelled"]));
    expect((await db.order.findFirstOrThrow({ where: { orderId: order.id } })).sealedCustomer).toBeNull();
  });
});

describe("a plan that the service refuses", () => {
  it("is a task with the service's message, and the other plans of the order are created", async () => {
    const { phone, plan } = insuredLines(selling.references, { quantity: 2 });
    await injectFault({ operation: "plans.create", kind: "status", status: 422, message: "Not insurable" });
    const order = buy([phone, plan]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["refused", "active"]));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "plan_refused", unitNumber: 1, details: { serviceMessage: "Not insurable" } },
    ]);
    expect(await retryUnit(domain, await keyOf(order, 1), staff("1"))).toBe("done");
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active", "active"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
    expect(await listContracts(order)).toHaveLength(2);
  });
});

describe("one contract of several that has to be cancelled", () => {
  it("stays a task until the service shows it cancelled", async () => {
    const { phone, plan } = insuredLines(selling.references, { quantity: 2 });
    const order = buy([phone, plan]);
    await eventually(async () => expect((await findSalesRecord(order))?.status).toBe("recorded"));
    refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[1]?.id ?? "", quantity: 1 }] });
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active", "attention"]));
    expect(await confirmCancelled(domain, await keyOf(order, 2), staff("1"))).toBe("not_now");
    expect(await listOpenTasks(order)).toHaveLength(1);
  });
});
