import { describe, expect, it } from "vitest";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import { startReconciliation } from "#app/reconciliation/reconciliation.server.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { scheduleDueOrders, sendOrderJobs } from "#app/orders/schedule.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { loader as coverOfCheckout } from "#app/routes/covers.$shop.tsx";
import { action as saveSettings } from "#app/routes/app.settings/route.tsx";
import { eventually } from "#test/eventually.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import {
  buy,
  forgetEvents,
  grantOptionalScopes,
  insuredLines,
  listOpenTasks,
  setUpSellingShop,
} from "#test/orders/selling-shop.ts";
import { refundOrder } from "#test/sandbox/shop/orders.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { readCover } from "../../extensions/cover/src/cover.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

/** What the order's page would show. */
const shown = (order: Order) => findMetafield(shop.state, `gid://shopify/Order/${order.id}`, "$app", "cover");
const coverOf = (order: Order) => readCover(shown(order)?.value);
const statesOf = (order: Order) => coverOf(order)?.items.map(({ state }) => state);

describe("the cover of an order", () => {
  it("is not written without the scope, and is once it is granted", async () => {
    const order = await selling.buyAndIssue();
    await reconcileOrder(domain, order.id);
    expect(shown(order)).toBeUndefined();
    await grantOptionalScopes();
    await eventually(() => expect(statesOf(order)).toEqual(["active"]));
  });

  it("turns from waiting to active, with contract, dates and documents, and says nothing of the customer", async () => {
    const references = await db.reference.findMany({ where: { shop: domain }, distinct: ["categoryId"] });
    const legal = { conditionsUrl: "https://insurer.example/cg.pdf", ipidUrl: "javascript:alert(1)" };
    await db.category.createMany({
      data: references.map(({ environment, categoryId }) => ({
        shop: domain,
        environment,
        categoryId,
        marketing: {},
        legal,
      })),
    });
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 503, times: 2 });
    const order = selling.buyInsured();
    await eventually(() => expect(statesOf(order)).toEqual(["waiting"]));
    await eventually(() => expect(statesOf(order)).toEqual(["active"]));
    const item = await db.insuredItem.findFirst({ where: { shop: domain, orderId: order.id } });
    expect(coverOf(order)).toMatchObject({
      isTest: true,
      more: 0,
      items: [{ contract: item?.contractId, until: item?.expiresOn, product: item?.insuredTitle }],
    });
    const [shownItem] = coverOf(order)?.items ?? [];
    expect(shownItem?.conditions).toBe("https://insurer.example/cg.pdf");
    expect(shownItem?.ipid).toBeNull();
    expect(Date.parse(shownItem?.since ?? "")).toBeGreaterThanOrEqual(Date.parse(order.processedAt));
    const value = shown(order)?.value ?? "";
    for (const personal of [order.email, "Ana", "Paris"]) expect(value).not.toContain(personal);
  });

  it("is read by the thank-you page with the checkout's token alone, at its own shop, a limited number of times", async () => {
    const order = selling.buyInsured();
    await eventually(() => expect(statesOf(order)).toEqual(["active"]));
    const read = async (checkout: string, of = domain) => {
      const request = new Request(`http://app.test/covers/${of}?checkout=${checkout}`);
      return responseOf(coverOfCheckout({ request, params: { shop: of }, context: {} }));
    };
    const token = order.checkoutToken ?? "";
    const answer = await read(token);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({ cover: shown(order)?.value });
    expect(await (await read("0".repeat(32))).json()).toEqual({ cover: null });
    expect(await (await read(token, otherShop.shopDomain)).json()).toEqual({ cover: null });
    expect((await read(`${token} OR id:1`)).status).toBe(404);
    shop.faults.add({ operation: "ParasolCoverOfCheckout", status: 500, times: 3 });
    expect(await (await read(token)).json()).toEqual({ cover: null });
    shop.faults.clear();
    const statuses = await Promise.all(Array.from({ length: 30 }, () => read(token)));
    expect(statuses.map(({ status }) => status)).toContain(429);
  });

  it("is not written again while nothing changes, and every hour where it was not written", async () => {
    const order = selling.buyInsured();
    await eventually(() => expect(statesOf(order)).toEqual(["active"]));
    const before = shown(order)?.updatedAt;
    await eventually(async () => {
      const stored = await db.order.findFirst({ where: { shop: domain, orderId: order.id } });
      expect(stored?.coverDigest).not.toBeNull();
    });
    await reconcileOrder(domain, order.id);
    expect(shown(order)?.updatedAt).toBe(before);
    // As if no job had come through with it.
    const queue = await jobQueue();
    await eventually(async () => {
      const jobs = await queue.findJobs("order", { key: `${domain}:${order.id}` });
      expect(jobs.filter(({ state }) => state !== "completed")).toEqual([]);
    });
    await forgetEvents(order, "shown");
    await db.order.updateMany({ where: { shop: domain, orderId: order.id }, data: { dueAt: new Date() } });
    shop.state.metafields.clear();
    await scheduleDueOrders(new AbortController().signal);
    await eventually(() => expect(statesOf(order)).toEqual(["active"]));
  });

  it("ends with a refunded order, and says where the shop has to act", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, plan]);
    await eventually(() => expect(statesOf(order)).toEqual(["active"]));
    // Its plan line is fulfilled, so Shopify does not let the merchant cancel the whole order.
    refundOrder(shop.state, order.id, { lines: order.lines.map(({ id }) => ({ lineId: id, quantity: 1 })) });
    await eventually(() => expect(statesOf(order)).toEqual(["ended"]));
    const wrong = buy([phone, { ...plan, price: 1 }]);
    await eventually(async () => expect(await listOpenTasks(wrong)).toHaveLength(1));
    await eventually(() => expect(statesOf(wrong)).toEqual(["attention"]));
    expect(coverOf(wrong)?.items[0]?.contract).toBeNull();
  });

  it("ends with a contract that the insurer cancelled, once the orders are compared with it", async () => {
    const order = selling.buyInsured();
    await eventually(() => expect(statesOf(order)).toEqual(["active"]));
    for (const contract of insurance.plans())
      if (contract.order_reference_id === order.id) contract.status = "cancelled";
    await startReconciliation(domain, "hourly", new Date(Date.now() - 3_600_000), new Date());
    await eventually(() => expect(statesOf(order)).toEqual(["ended"]));
  });

  it("follows the shop's period for withdrawing, in earlier orders, too", async () => {
    const order = selling.buyInsured();
    const until = () => Date.parse(coverOf(order)?.withdrawal?.until ?? "");
    await eventually(() => expect(until()).toBeGreaterThan(Date.now() + 25 * 86_400_000));
    const save = (withdrawalDays: number) =>
      ask(saveSettings, "/app/settings", {
        json: { intent: "save", settings: { ...defaultMerchantSettings, withdrawalDays } },
      });
    await save(60);
    await eventually(() => expect(until()).toBeGreaterThan(Date.now() + 55 * 86_400_000));
    await save(defaultMerchantSettings.withdrawalDays);
    await eventually(() => expect(until()).toBeLessThan(Date.now() + 40 * 86_400_000));
  });

  it("of a shop's many old orders waits apart from that of its next one", async () => {
    const orders = Array.from({ length: 101 }, (_, index) => ({ orderId: `${index}` }));
    const undone = db.$transaction(async (transaction) => {
      await sendOrderJobs(transaction, domain, orders);
      const waiting = await transaction.$queryRaw<{ priority: number; jobs: number }[]>`
        SELECT priority, count(*)::int AS jobs FROM pgboss.job
        WHERE name = 'order' AND state = 'created' AND priority < 0 GROUP BY 1`;
      expect(waiting).toEqual([{ priority: -1, jobs: 101 }]);
      throw new Error("Nothing of it is to be worked on");
    });
    await expect(undone).rejects.toThrow("Nothing of it");
  });
});
