import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { loader as attachment } from "#app/routes/app.analytics._index/route.tsx";
import { loader } from "#app/routes/app._index/route.tsx";
import { eventually } from "#test/eventually.ts";
import { installApp } from "#test/install.ts";
import { buy, insuredLines, setUpSellingShop, readItemStates } from "#test/orders/selling-shop.ts";
import { customer } from "#test/orders/references.ts";
import { cancelOrder, createPaidOrder } from "#test/sandbox/shop/orders.ts";
import { otherShop, shop } from "#test/world.ts";
import { ask } from "./ask.ts";

/** About noon in the shop's time zone, so that the day does not change during the test. */
const noonAt = 12 - new Date().getUTCHours();
shop.state.timezone = `Etc/GMT${noonAt > 0 ? "-" : "+"}${Math.abs(noonAt)}`;

/** The page after all its data has arrived. */
async function home(domain?: string) {
  const page = await ask(loader, "/app", { domain });
  return { ...page, cartSection: await page.cartSection, orderAccess: await page.orderAccess };
}
const overview = async (search = "", domain?: string) =>
  (await (await ask(attachment, `/app/analytics${search}`, { domain })).statistics).overview;

test("a shop that has just installed the app has every step before it", async () => {
  const domain = otherShop.shopDomain;
  await installApp(domain);
  const first = await home(domain);
  expect(first).toMatchObject({
    connection: null,
    catalogue: { insuredProducts: 0, onSale: 0, lastSync: null },
    insuredOrder: null,
    tasks: [],
    waitingOrders: 0,
    sales: { today: { eligible: 0, insuredOrders: 0, premiumMinor: 0 }, month: { eligible: 0 } },
  });
  // The line over time has every day, also those without an order.
  expect(first.sales?.days).toHaveLength(30);
  expect(first.sales?.suggestion).toBeNull();
  expect(first.editors.product_page).toContain(`https://${domain}/admin/themes/current/editor?`);
});

test("what the shop has not permitted is missing until it is permitted", async () => {
  await installApp();
  expect((await home()).missingPermissions).toEqual(["fulfilment", "orderCover"]);
  await db.merchant.update({
    where: { shop: shop.shopDomain },
    data: { canFulfil: true, canWriteOrders: true },
  });
  expect((await home()).missingPermissions).toEqual([]);
});

test("access to orders and their customers is checked until Shopify gives it", async () => {
  await installApp();
  const { behaviour } = shop.webhooks;
  behaviour.approvedForOrders = false;
  expect((await home()).orderAccess).toBe("none");
  behaviour.approvedForOrders = true;
  expect((await home()).orderAccess).toBe("unknown");
  const variantId = [...shop.state.variantProducts.keys()][0] ?? "";
  const order = { lines: [{ variantId, quantity: 1 }], email: "ana@example.com", billingAddress: customer };
  behaviour.dropShare = 1;
  const { id } = createPaidOrder(shop.state, order);
  behaviour.dropShare = 0;
  behaviour.protectedCustomerData = false;
  for (const withheldAs of ["error", "null"] as const) {
    behaviour.withheldAs = withheldAs;
    expect((await home()).orderAccess).toBe("anonymous");
  }
  behaviour.protectedCustomerData = true;
  expect((await home()).orderAccess).toBe("full");
  shop.state.orders.delete(id);
});

test("a shop that does not respond delays nothing", async () => {
  await installApp();
  const answer = shop.faults.hold("admin", { times: null });
  const { connection, cartSection, orderAccess } = await ask(loader, "/app");
  expect(connection).toBeNull();
  // The page renders while Shopify's answers are pending.
  const first = await Promise.race([cartSection, orderAccess, setImmediate("the page")]);
  expect(first).toBe("the page");
  shop.faults.clear();
  shop.faults.add({ operation: "admin", status: 500, times: 20 });
  answer();
  await cartSection;
  expect((await home()).cartSection).toBeNull();
  expect((await home()).orderAccess).toBeNull();
  shop.faults.clear();
});

describe("with orders", () => {
  const selling = setUpSellingShop();
  let premium = 0;
  beforeAll(async () => {
    const insured = insuredLines(selling.references);
    premium = insured.reference.price;
    const { phone } = insuredLines(selling.references);
    const kept = buy([insured.phone, insured.plan]);
    const over = insuredLines(selling.references);
    const cancelled = buy([over.phone, over.plan]);
    buy([phone]);
    await eventually(async () => expect(await readItemStates(cancelled)).toEqual(["active"]));
    cancelOrder(shop.state, cancelled.id);
    await eventually(async () => {
      expect(await readItemStates(kept)).toEqual(["active"]);
      expect(await readItemStates(cancelled)).toEqual(["cancelled"]);
      expect(await db.order.count()).toBe(3);
    });
  });

  test("home counts what could be insured, what was, and what it is worth", async () => {
    const { sales, insuredOrder } = await home();
    expect(sales?.today).toEqual({
      eligible: 3,
      seen: expect.any(Number) as number,
      chosen: 2,
      paid: 2,
      cancelled: 1,
      premiumMinor: premium,
      insuredOrders: 1,
    });
    expect(sales?.month).toEqual(sales?.today);
    expect(sales?.days.at(-1)?.premiumMinor).toBe(premium);
    const withContract = await db.insuredItem.findMany({ where: { contractId: { not: null } } });
    expect(withContract.map(({ orderId }) => orderId)).toContain(insuredOrder);
  });

  test("what the statistics suggest first is on Home, too", async () => {
    const lines = await db.orderLine.findMany({ where: { shop: shop.shopDomain, categoryId: { not: "" } } });
    const [line] = lines;
    if (!line) throw new Error("no line");
    // Forty more insurable lines, none of them with an offer.
    const more = Array.from({ length: 40 }, (_, number) => ({
      ...line,
      lineId: `90${number}`,
      insuranceOffered: false,
      insuranceSelected: false,
    }));
    await db.orderLine.createMany({ data: more });
    const { sales } = await home();
    expect(sales?.suggestion).toEqual({
      kind: "few_seen",
      seen: sales?.month.seen,
      eligible: sales?.month.eligible,
    });
    await db.orderLine.deleteMany({ where: { lineId: { in: more.map(({ lineId }) => lineId) } } });
  });

  test("tasks of one kind are one point, with the earliest deadline and what was paid", async () => {
    const { orderId } = await db.order.findFirstOrThrow({ where: { shop: shop.shopDomain } });
    const task = { shop: shop.shopDomain, kind: "premium_kept", details: {}, currency: "EUR" };
    await db.task.createMany({
      data: [
        { ...task, key: "a", atStakeMinor: 4_990, orderId },
        { ...task, key: "b", atStakeMinor: 1_000, dueOn: "2026-03-01" },
        { ...task, key: "c", kind: "mail_refused", currency: null, orderId },
        { ...task, key: "d", closedAt: new Date() },
      ],
    });
    const { tasks } = await home();
    expect(tasks).toHaveLength(2);
    expect(tasks).toContainEqual({
      kind: "premium_kept",
      count: 2,
      dueOn: "2026-03-01",
      atStake: [{ minor: 5_990, currency: "EUR" }],
      order: null,
    });
    expect(tasks).toContainEqual({
      kind: "mail_refused",
      count: 1,
      dueOn: null,
      atStake: [],
      order: { id: orderId, name: expect.any(String) as string },
    });
    expect((await home(otherShop.shopDomain)).tasks).toEqual([]);
    await db.task.deleteMany({ where: { key: { in: ["a", "b", "c", "d"] } } });
  });

  test.each(["refused", "attention"])(
    "an order whose plan is %s is sold, and not insured: its premium does not count",
    async (state) => {
      const where = { state: "active" };
      const [item] = await db.insuredItem.findMany({ where });
      await db.insuredItem.updateMany({ where, data: { state } });
      expect((await home()).sales?.today).toMatchObject({ paid: 2, insuredOrders: 0, premiumMinor: 0 });
      await db.insuredItem.updateMany({ where: { orderId: item?.orderId ?? "" }, data: { state: "active" } });
    },
  );

  test("orders of the days before are in the month and not in today", async () => {
    const [order] = await db.order.findMany({ where: { cancelledAt: null, items: { some: {} } } });
    const where = { shop_orderId: { shop: shop.shopDomain, orderId: order?.orderId ?? "" } };
    const purchasedAt = new Date(Date.now() - 10 * 86_400_000);
    await db.order.update({ where, data: { purchasedAt } });
    const { sales } = await home();
    expect(sales?.today).toMatchObject({ eligible: 2, insuredOrders: 0, premiumMinor: 0 });
    expect(sales?.month).toMatchObject({ eligible: 3, insuredOrders: 1, premiumMinor: premium });
    await db.order.update({ where, data: { purchasedAt: new Date(Date.now() - 40 * 86_400_000) } });
    expect((await home()).sales?.month).toMatchObject({ eligible: 2, insuredOrders: 0 });
    await db.order.update({ where, data: { purchasedAt: new Date() } });
  });

  test("a day begins at midnight of the shop", async () => {
    const merchant = await db.merchant.findUniqueOrThrow({ where: { shop: shop.shopDomain } });
    const at = (timezone: string) =>
      db.merchant.update({ where: { shop: shop.shopDomain }, data: { timezone } });
    const purchasedAt = new Date("2026-03-31T23:30:00Z");
    await db.order.updateMany({ data: { purchasedAt } });
    await at("UTC");
    expect((await overview("?start=2026-03-31&end=2026-03-31")).total.eligible).toBe(3);
    expect((await overview()).days).toMatchObject([{ day: "2026-03-31" }]);
    await at("Europe/Paris");
    expect((await overview("?start=2026-03-31&end=2026-03-31")).total.eligible).toBe(0);
    expect((await overview()).days).toMatchObject([{ day: "2026-04-01" }]);
    await at(merchant.timezone);
    await db.order.updateMany({ data: { purchasedAt: new Date() } });
  });

  test("every way of dividing the figures makes up the same total", async () => {
    const { total, days, categories, touchpoints, products, bands } = await overview();
    expect(total).toMatchObject({ eligible: 3, chosen: 2, paid: 2, cancelled: 1, premiumMinor: premium });
    for (const parts of [days, categories, touchpoints, products, bands]) {
      expect(parts.reduce((sum, { eligible }) => sum + eligible, 0)).toBe(total.eligible);
      expect(parts.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0)).toBe(total.premiumMinor);
    }
    const line = await db.orderLine.findFirstOrThrow();
    expect(bands).toHaveLength(1);
    expect(bands[0]?.fromMinor).toBeLessThanOrEqual(line.priceMinor);
    expect(bands[0]?.toMinor ?? Infinity).toBeGreaterThan(line.priceMinor);
  });

  test("another shop's figures stay empty", async () => {
    expect((await overview("", otherShop.shopDomain)).total.eligible).toBe(0);
    expect((await home(otherShop.shopDomain)).insuredOrder).toBeNull();
  });

  test("events that fail or wait too long are distinguished", async () => {
    const long = new Date(Date.now() - 3_600_000);
    const [first, second] = await db.webhook.findMany({ where: { shop: shop.shopDomain }, take: 2 });
    await db.webhook.updateMany({ where: { id: first?.id ?? "" }, data: { state: "failed" } });
    await db.webhook.updateMany({
      where: { id: second?.id ?? "" },
      data: { state: "received", receivedAt: long },
    });
    expect((await home()).jobs).toEqual({ failing: 1, overdue: 1 });
    expect((await home(otherShop.shopDomain)).jobs).toEqual({ failing: 0, overdue: 0 });
  });

  test("orders that wait for the insurer are said to, in their own shop", async () => {
    const { orderId, environment } = await db.order.findFirstOrThrow({ where: { shop: shop.shopDomain } });
    await db.waitingOrder.create({ data: { shop: shop.shopDomain, orderId, environment } });
    expect((await home()).waitingOrders).toBe(1);
    expect((await home(otherShop.shopDomain)).waitingOrders).toBe(0);
  });
});
