import { describe, expect, it } from "vitest";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { db } from "#app/platform/db.server.ts";
import { fetchOrderIfAllowed } from "#app/orders/save-report.server.ts";
import { compareWithShop } from "#app/reconciliation/compare.server.ts";
import { reconciliationCounts } from "#app/reconciliation/reconciliation.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { scheduleDueOrders } from "#app/orders/schedule.server.ts";
import { eventually } from "#test/eventually.ts";
import {
  setUpSellingShop,
  buy,
  forgetEvents,
  grantOptionalScopes,
  insuredLines,
  listOpenTasks,
  readItemStates,
  settleWebhooks,
} from "#test/orders/selling-shop.ts";
import { webhookPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { fulfilLines, fulfilmentState, isClosed } from "#test/sandbox/shop/fulfilments.ts";
import { findVariant } from "#test/sandbox/shop/products.ts";
import { cancelOrder, OrderRefused, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

/** What is fulfilled beside the product that is sent. */
const fulfilledOf = ({ fulfilments, lines: [phone] }: Order) =>
  fulfilments.flatMap(({ lines }) => lines).filter(({ lineId }) => lineId !== phone?.id);

/** The merchant sends the first product. */
const send = (order: Order, quantity = 1) =>
  fulfilLines(shop.state, order.id, [{ lineId: order.lines[0]?.id ?? "", quantity }]);

/** The worker has written down what Shopify has fulfilled. */
const isNoted = (order: Order, items: number) =>
  eventually(async () =>
    expect(await db.insuredItem.count({ where: { orderId: order.id, fulfilledAt: { not: null } } })).toBe(
      items,
    ),
  );

describe("the line of a plan", () => {
  it("stays unfulfilled without the scope, and everything else works", async () => {
    const order = await selling.buyAndIssue();
    send(order);
    await settleWebhooks(order);
    await reconcileOrder(domain, order.id);
    expect(fulfilledOf(order)).toEqual([]);
    // Once it is granted, what waits is fulfilled.
    await grantOptionalScopes();
    await eventually(() => expect(fulfilmentState(order)).toBe("fulfilled"));
    expect(fulfilledOf(order)).toEqual([{ lineId: order.lines[1]?.id, quantity: 1 }]);
  });

  it("is fulfilled once, by whomever, and then the order can close", async () => {
    const order = selling.buyInsured({ quantity: 2 });
    send(order, 2);
    await eventually(() => expect(fulfilledOf(order)).toMatchObject([{ quantity: 2 }]));
    await isNoted(order, 2);
    await reconcileOrder(domain, order.id);
    await forgetEvents(order, "fulfilled");
    await reconcileOrder(domain, order.id);
    expect(fulfilledOf(order)).toHaveLength(1);
    const said = { topic: "orders/paid", order } as const;
    const { closed_at } = webhookPayload(shop.state, said, { protectedCustomerData: true });
    expect([isClosed(order), typeof closed_at]).toEqual([true, "string"]);
  });

  it.each([
    ["the 121st line of one fulfilment order", 121],
    ["in the 13th fulfilment order", 10],
  ])("is fulfilled where it is %s", async (_name, linesPerFulfilmentOrder) => {
    const { phone, plan } = insuredLines(selling.references);
    const others = Array.from({ length: 119 }, () => ({ ...phone, properties: [] }));
    const order = buy([phone, ...others, plan]);
    order.linesPerFulfilmentOrder = linesPerFulfilmentOrder;
    send(order);
    await eventually(() =>
      expect(fulfilledOf(order)).toEqual([{ lineId: order.lines.at(-1)?.id, quantity: 1 }]),
    );
  });

  it("waits while the fulfilment is held back, and is never fulfilled twice by an answer that was lost", async () => {
    const order = selling.buyInsured();
    send(order);
    order.onHold = true;
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    await settleWebhooks(order);
    // The worker holds the order until it has written when it is due next.
    const released = { orderId: order.id, leaseHolder: null, dueAt: { not: null } };
    await eventually(async () => expect(await db.order.count({ where: released })).toBe(1));
    await reconcileOrder(domain, order.id);
    expect(fulfilledOf(order)).toEqual([]);
    const item = await db.insuredItem.findFirst({ where: { orderId: order.id } });
    expect(item?.fulfilledAt).toBeNull();
    // The hourly job finds it.
    order.onHold = false;
    await scheduleDueOrders(new AbortController().signal);
    await db.$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE name = 'order' AND start_after > now()`;
    await eventually(() => expect(fulfilledOf(order)).toEqual([{ lineId: order.lines[1]?.id, quantity: 1 }]));
    await eventually(async () =>
      expect(await db.insuredItem.count({ where: { orderId: order.id, fulfilledAt: { not: null } } })).toBe(
        1,
      ),
    );
    // Two workers that both read before either wrote: Shopify has one item to fulfil.
    await forgetEvents(order, "fulfilled");
    await Promise.all([reconcileOrder(domain, order.id), reconcileOrder(domain, order.id)]);
    expect(fulfilledOf(order)).toHaveLength(1);
  });

  it("stays fulfilled when the contract is cancelled", async () => {
    const order = selling.buyInsured();
    send(order);
    await eventually(() => expect(fulfilledOf(order)).toHaveLength(1));
    // Shopify cancels no order of which something is fulfilled: the merchant refunds its lines.
    expect(() => cancelOrder(shop.state, order.id)).toThrow(OrderRefused);
    refundOrder(shop.state, order.id, { lines: order.lines.map(({ id }) => ({ lineId: id, quantity: 1 })) });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await reconcileOrder(domain, order.id);
    expect(fulfilledOf(order)).toHaveLength(1);
  });

  it("is not fulfilled before the contract exists", async () => {
    const order = selling.buyInsured({ planPrice: 1 });
    await eventually(async () => expect(await listOpenTasks(order)).toHaveLength(1));
    send(order);
    await settleWebhooks(order);
    await reconcileOrder(domain, order.id);
    expect(fulfilledOf(order)).toEqual([]);
  });

  it("waits for its product, and the order can be cancelled until that is sent", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    await reconcileOrder(domain, order.id);
    expect(order.fulfilments).toEqual([]);
    const sent = selling.buyInsured({ quantity: 2 });
    send(sent, 1);
    await eventually(() => expect(fulfilledOf(sent)).toEqual([{ lineId: sent.lines[1]?.id, quantity: 1 }]));
    send(sent, 1);
    await eventually(() => expect(isClosed(sent)).toBe(true));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
  });

  it("is found by the hourly comparison where the webhook about its product was lost", async () => {
    const order = await selling.buyAndIssue();
    order.fulfilments.push({
      id: "1",
      createdAt: "",
      lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }],
    });
    const found = await fetchOrderIfAllowed(domain, order.id);
    if (!found) throw new Error("The shop shows the order");
    const counts = reconciliationCounts.parse({});
    await compareWithShop(domain, found, counts);
    expect(counts.behind).toBe(1);
    await eventually(() => expect(fulfilledOf(order)).toHaveLength(1));
  });

  it("is fulfilled at once where nothing of the order is shipped, or the merchant wants it so", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const sold = findVariant(shop.state, phone.variantId)?.variant;
    if (sold) sold.requiresShipping = false;
    const download = buy([phone, plan]);
    if (sold) sold.requiresShipping = true;
    await eventually(() => expect(fulfilledOf(download)).toHaveLength(1));
    const settings = { ...defaultMerchantSettings, fulfilsPlans: "at_once" } as const;
    await db.merchantSettings.create({ data: { shop: domain, settings } });
    const order = buy([phone, plan]);
    await eventually(() => expect(fulfilledOf(order)).toHaveLength(1));
    await db.merchantSettings.deleteMany({ where: { shop: domain } });
  });
});
