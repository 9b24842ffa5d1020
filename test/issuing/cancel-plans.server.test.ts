import { staff } from "#app/audit/actor.ts";
import { endItems } from "#app/orders/admin/order-actions.server.ts";
import { declareWithdrawal, readWithdrawal } from "#app/withdrawals/withdraw.server.ts";
import { afterEach, describe, expect, it } from "vitest";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { env } from "#app/platform/env.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action } from "#app/routes/webhooks.tsx";
import { eventually } from "#test/eventually.ts";
import { cancelOrder, createOrder, editOrder, payOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop, webhookRequest } from "#test/world.ts";
import { customer } from "#test/orders/references.ts";
import {
  buy,
  findSalesRecord,
  insuredLines,
  listContracts,
  listContractsInForce,
  listEvents,
  listOpenTaskKinds,
  listOpenTasks,
  readItemStates,
  setUpSellingShop,
  settleWebhooks,
} from "#test/orders/selling-shop.ts";

const selling = setUpSellingShop();
const { INSURANCE_CONSISTENCY_SECONDS } = env;
afterEach(() => {
  env.INSURANCE_CONSISTENCY_SECONDS = INSURANCE_CONSISTENCY_SECONDS;
});

async function insured(options: Parameters<typeof insuredLines>[1] = {}): Promise<Order> {
  const order = await selling.buyAndIssue(options);
  // The order's record closes the work on it.
  await eventually(async () => expect((await findSalesRecord(order))?.status).toBe("recorded"));
  return order;
}

function lineIds(order: Order): { phone: string; plan: string } {
  const [phone, plan] = order.lines;
  if (!phone || !plan) throw new Error("The order has no two lines");
  return { phone: phone.id, plan: plan.id };
}

/** No webhook of the order waits, and no worker has its lease. */
async function workIsOver(order: Order): Promise<void> {
  const where = { shop: shop.shopDomain, orderId: order.id };
  await shop.webhooks.settled();
  await eventually(async () => {
    expect(await db.webhook.count({ where: { ...where, state: { not: "done" } } })).toBe(0);
    expect(await db.order.count({ where: { ...where, leaseHolder: { not: null } } })).toBe(0);
  });
}

describe("a cancellation", () => {
  it("that arrives before the payment leaves nothing in force", async () => {
    shop.webhooks.behaviour.disorder = 2;
    const order = selling.buyInsured();
    cancelOrder(shop.state, order.id, { refund: false });
    shop.webhooks.behaviour.disorder = 0;
    shop.webhooks.release();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await eventually(async () => expect((await findSalesRecord(order))?.status).toBe("cancelled"));
    // Two workers may take both at once: then there is a contract, and it has ended.
    expect((await listContracts(order)).filter(({ status }) => status !== "cancelled")).toEqual([]);
  });

  it("while the plans are being created ends them all", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "latency", ms: 300, times: 3 });
    const order = selling.buyInsured({ quantity: 3 });
    await eventually(async () => expect(await listEvents(order, "requested")).not.toEqual([]));
    cancelOrder(shop.state, order.id);
    await eventually(async () =>
      expect(await readItemStates(order)).toEqual(["cancelled", "cancelled", "cancelled"]),
    );
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it("delivered twice is one", async () => {
    const order = await insured();
    shop.webhooks.behaviour.duplicates = 3;
    cancelOrder(shop.state, order.id);
    shop.webhooks.behaviour.duplicates = 0;
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it("of an order that was never paid sends the insurer nothing", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = createOrder(shop.state, {
      lines: [phone, plan],
      email: "late@example.com",
      billingAddress: customer,
    });
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listContracts(order)).toEqual([]);
    expect(await findSalesRecord(order)).toBeUndefined();
  });

  it("while the insurer is down is done when it is back", async () => {
    const order = await insured();
    insurance.faults.add({ operation: "orders.cancel", kind: "status", status: 503, times: 2 });
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it("that is only accepted is believed once the contract is shown as cancelled", async () => {
    env.INSURANCE_CONSISTENCY_SECONDS = 3_600;
    const order = await insured();
    insurance.faults.add({ operation: "orders.cancel", kind: "status", status: 202, body: "empty" });
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await listEvents(order, "cancellation_looked_up")).not.toEqual([]));
    expect(await readItemStates(order)).toEqual(["cancelling"]);
    const [contract] = insurance.plans().filter(({ order_reference_id }) => order_reference_id === order.id);
    Object.assign(contract ?? {}, { status: "cancelled" });
    await eventually(async () => {
      await reconcileOrder(shop.shopDomain, order.id);
      expect(await readItemStates(order)).toEqual(["cancelled"]);
    });
    expect(await listEvents(order, "cancellation_requested")).toHaveLength(1);
  });

  it("that is accepted three times and never carried out becomes a task", async () => {
    const order = await insured();
    const accepted = { kind: "status", status: 200, body: "empty", times: null } as const;
    insurance.faults.add({ operation: "orders.cancel", ...accepted });
    cancelOrder(shop.state, order.id);
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([
        { kind: "manual_cancellation", details: { cause: "not_done" } },
      ]),
    );
    expect(await listEvents(order, "cancellation_requested")).toHaveLength(3);
    insurance.faults.clear();
  });

  it("whose response was lost is sent again", async () => {
    const order = await insured();
    insurance.faults.add({ operation: "orders.cancel", kind: "reset_after" });
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await eventually(async () =>
      expect(await findSalesRecord(order)).toMatchObject({ status: "cancelled", cancellations: 2 }),
    );
  });

  it("does not concern an order whose payment only arrives later: it is insured then", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = createOrder(shop.state, {
      lines: [phone, plan],
      email: "transfer@example.com",
      billingAddress: customer,
    });
    await settleWebhooks(order);
    expect(await listContracts(order)).toEqual([]);
    payOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  });
});

describe("a refund", () => {
  it("of product and plan cancels the insurance", async () => {
    const order = await insured();
    const { phone, plan } = lineIds(order);
    refundOrder(shop.state, order.id, {
      lines: [
        { lineId: phone, quantity: 1 },
        { lineId: plan, quantity: 1 },
      ],
    });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it("of the plan alone cancels the insurance", async () => {
    const order = await insured();
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIds(order).plan, quantity: 1 }] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
  });

  it("of the product alone is a task with premium and contract until the plan is refunded, too, and ends", async () => {
    const order = await insured();
    const { phone, plan } = lineIds(order);
    const item = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    refundOrder(shop.state, order.id, { lines: [{ lineId: phone, quantity: 1 }] });
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([
        {
          kind: "product_returned",
          details: {
            plans: [{ contractId: item.contractId }],
            premiumMinor: item.premiumMinor,
            currency: "EUR",
          },
        },
      ]),
    );
    expect(await listContractsInForce(order)).toEqual([item.contractId]);
    refundOrder(shop.state, order.id, { lines: [{ lineId: plan, quantity: 1 }] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
  });

  it("without money moved counts as well", async () => {
    const order = await insured();
    const { phone, plan } = lineIds(order);
    refundOrder(shop.state, order.id, {
      lines: [
        { lineId: phone, quantity: 1 },
        { lineId: plan, quantity: 1 },
      ],
      amount: 0,
    });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
  });

  it("of money alone leaves the insurance as it is", async () => {
    const order = await insured();
    refundOrder(shop.state, order.id, { amount: 500 });
    await shop.webhooks.settled();
    await eventually(async () =>
      expect(
        await db.webhook.findMany({ where: { topic: "refunds/create", state: { not: "done" } } }),
      ).toEqual([]),
    );
    expect(await readItemStates(order)).toEqual(["active"]);
    expect(await listContractsInForce(order)).toHaveLength(1);
  });

  it("of one of several items becomes a task that names the contract, and ends when the merchant has cancelled it", async () => {
    const order = await insured({ quantity: 2 });
    const { phone, plan } = lineIds(order);
    refundOrder(shop.state, order.id, {
      lines: [
        { lineId: phone, quantity: 1 },
        { lineId: plan, quantity: 1 },
      ],
    });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "attention"]));
    const [first, second] = await db.insuredItem.findMany({
      where: { orderId: order.id },
      orderBy: { itemNumber: "asc" },
    });
    const [task] = await listOpenTasks(order);
    expect(task).toMatchObject({
      kind: "manual_cancellation",
      itemNumber: 2,
      details: { contractId: second?.contractId },
    });
    // Nothing was cancelled behind the merchant's back.
    expect(await listContractsInForce(order)).toHaveLength(2);
    // The rest goes, too: now the insurer can do it.
    refundOrder(shop.state, order.id, {
      lines: [
        { lineId: phone, quantity: 1 },
        { lineId: plan, quantity: 1 },
      ],
    });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    expect(await listContractsInForce(order)).toEqual([]);
    await eventually(async () => expect(await listOpenTasks(order)).toEqual([]));
    expect(first?.contractId).not.toBeNull();
  });

  it("of an order that Shopify no longer shows becomes a task", async () => {
    const order = await insured();
    shop.state.orders.delete(order.id);
    const request = webhookRequest("refunds/create", { id: 1, order_id: Number(order.id) });
    expect((await action({ request, params: {}, context: {} })).status).toBe(200);
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([{ kind: "order_not_shown" }]),
    );
    expect(await readItemStates(order)).toEqual(["active"]);
  });

  it("of an order that Shopify no longer shows is asked about once, however often its webhook is repeated", async () => {
    const order = await insured();
    shop.state.orders.delete(order.id);
    for (let sent = 1; sent <= 3; sent += 1) {
      const request = webhookRequest("refunds/create", { id: 1, order_id: Number(order.id) });
      expect((await action({ request, params: {}, context: {} })).status).toBe(200);
      const done = { shop: shop.shopDomain, orderId: order.id, topic: "refunds/create", state: "done" };
      await eventually(async () => expect(await db.webhook.count({ where: done })).toBe(sent));
    }
    expect(await listEvents(order, "not_shown")).toHaveLength(1);
  });

  it("that arrives before the payment lets only the rest be insured", async () => {
    const { phone, plan } = insuredLines(selling.references, { quantity: 2 });
    shop.webhooks.behaviour.disorder = 3;
    const order = buy([phone, plan]);
    shop.webhooks.behaviour.disorder = 0;
    const lines = lineIds(order);
    refundOrder(shop.state, order.id, {
      lines: [
        { lineId: lines.phone, quantity: 1 },
        { lineId: lines.plan, quantity: 1 },
      ],
    });
    // Shopify is queried for the order because of the refund; only then comes the payment.
    await eventually(async () => expect(await readItemStates(order)).toHaveLength(2));
    shop.webhooks.release();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "cancelled"]));
    expect(await listContractsInForce(order)).toHaveLength(1);
  });
});

describe("an order that Shopify no longer gives to the app", () => {
  /** Older than 60 days. */
  async function oldOrder(quantity: number): Promise<Order> {
    const order = selling.buyInsured({ quantity, createdAt: "2026-01-10T10:00:00Z" });
    await eventually(async () => expect((await findSalesRecord(order))?.status).toBe("recorded"));
    return order;
  }

  it("is refunded by what the refund's own webhook says, however often it is delivered", async () => {
    const order = await oldOrder(3);
    shop.webhooks.behaviour.duplicates = 3;
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIds(order).plan, quantity: 1 }] });
    shop.webhooks.behaviour.duplicates = 0;
    await eventually(async () =>
      expect(await readItemStates(order)).toEqual(["active", "active", "attention"]),
    );
    await workIsOver(order);
    expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]);
    // The product goes back: what is left of the insurance is a task until it is refunded.
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIds(order).phone, quantity: 3 }] });
    await eventually(async () =>
      expect((await listOpenTaskKinds(order)).sort()).toEqual(["manual_cancellation", "product_returned"]),
    );
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIds(order).plan, quantity: 2 }] });
    await eventually(async () =>
      expect(await readItemStates(order)).toEqual(["cancelled", "cancelled", "cancelled"]),
    );
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it("a refund of the plan that its customer withdrew from, or that the merchant ended, ends no other one", async () => {
    const order = await oldOrder(4);
    const { plan } = lineIds(order);
    const view = await readWithdrawal(shop.shopDomain, order.id);
    if (!view) throw new Error("The order is not known");
    const first = view.items.filter(({ key }) => key === `${plan}-1`);
    await declareWithdrawal(view, first, { name: "Ana", email: null, language: "en" });
    await endItems(shop.shopDomain, [{ orderId: order.id, lineId: plan, itemNumber: 2 }], staff("1"));
    const wanted = async () =>
      (await db.insuredItem.findMany({ where: { orderId: order.id }, orderBy: { itemNumber: "asc" } })).map(
        (item) => item.wanted,
      );
    const refund = async (refunds: number) => {
      refundOrder(shop.state, order.id, { lines: [{ lineId: plan, quantity: 1 }] });
      await eventually(async () => expect(await listEvents(order, "refund")).toHaveLength(refunds));
    };
    await refund(1);
    await refund(2);
    expect(await wanted()).toEqual([false, false, true, true]);
    await refund(3);
    expect(await wanted()).toEqual([false, false, true, false]);
    await workIsOver(order);
  });

  it("has a task of money that was paid back, though a later report of it came first", async () => {
    const order = await oldOrder(1);
    const changedAt = new Date(Date.now() + 60_000);
    await db.order.updateMany({ where: { orderId: order.id }, data: { changedAt } });
    refundOrder(shop.state, order.id, { amount: 20_000 });
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["paid_back"]));
  });

  it("loses what an edit removes, and what an edit adds is a task", async () => {
    const order = await oldOrder(1);
    const { phone, plan } = insuredLines(selling.references, { term: 12 });
    editOrder(shop.state, order.id, { add: [phone, plan] });
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([{ kind: "order_not_shown" }]),
    );
    editOrder(shop.state, order.id, { setQuantity: [{ lineId: lineIds(order).plan, quantity: 0 }] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it("because the app is not approved for orders is refunded by its webhook, too", async () => {
    const order = await insured();
    // The webhook was on its way when the approval ended.
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIds(order).plan, quantity: 1 }] });
    shop.webhooks.behaviour.approvedForOrders = false;
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await workIsOver(order);
    shop.webhooks.behaviour.approvedForOrders = true;
  });
});

describe("an edit of an order", () => {
  it("that adds a plan to an order of the other account is a task, and never a contract there", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone], { gateway: "shopify_payments" });
    await eventually(async () => {
      const stored = await db.order.findFirst({ where: { orderId: order.id, leaseHolder: null } });
      expect(stored?.salesRecordStatus).toBe("recorded");
    });
    // Stored before the shop switched: its account is the other one.
    await db.order.updateMany({ where: { orderId: order.id }, data: { environment: "production" } });
    editOrder(shop.state, order.id, { add: [phone, plan] });
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([
        { kind: "check_plan", details: { finding: "other_account" } },
      ]),
    );
    expect(await readItemStates(order)).toEqual(["attention"]);
    expect(await listContracts(order)).toEqual([]);
  });

  it("that removes the plan cancels the insurance", async () => {
    const order = await insured();
    editOrder(shop.state, order.id, { setQuantity: [{ lineId: lineIds(order).plan, quantity: 0 }] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it("that adds an insured product insures it", async () => {
    const order = await insured();
    const { phone, plan } = insuredLines(selling.references, { term: 12 });
    editOrder(shop.state, order.id, { add: [phone, plan] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    expect(await listContractsInForce(order)).toHaveLength(2);
  });

  it("that adds an item insures that one", async () => {
    const order = await insured();
    const { phone, plan } = lineIds(order);
    editOrder(shop.state, order.id, {
      setQuantity: [
        { lineId: phone, quantity: 2 },
        { lineId: plan, quantity: 2 },
      ],
    });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    expect(await listContractsInForce(order)).toHaveLength(2);
  });
});

describe("an edit of an order that the customer has yet to pay for", () => {
  it("is insured once it is paid, and the rest stays as it is", async () => {
    const order = await insured();
    const { phone, plan } = insuredLines(selling.references, { term: 12 });
    editOrder(shop.state, order.id, { add: [phone, plan], owed: true });
    await workIsOver(order);
    expect(await readItemStates(order)).toEqual(["active"]);
    expect(await listContractsInForce(order)).toHaveLength(1);
    payOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    expect(await listContractsInForce(order)).toHaveLength(2);
  });
});

describe("a cancellation that the insurer refuses", () => {
  const countCancellations = () => insurance.traffic.counts.get("orders.cancel") ?? 0;

  it("is sent once, and each contract becomes a task for the merchant", async () => {
    const order = await insured({ quantity: 2 });
    insurance.faults.add({ operation: "orders.cancel", kind: "status", status: 404, times: null });
    const before = countCancellations();
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention", "attention"]));
    expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation", "manual_cancellation"]);
    await workIsOver(order);
    expect(countCancellations() - before).toBe(1);
  });

  it("is sent again, and is no task, where for a moment nothing at all is found", async () => {
    const order = await insured();
    insurance.faults.add({ operation: "orders.cancel", kind: "status", status: 404 });
    for (const operation of ["plans.get", "categories.list"])
      insurance.faults.add({ operation, kind: "status", status: 404, times: null });
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    insurance.faults.clear();
    expect(await listOpenTaskKinds(order)).toEqual([]);
    expect(await listContractsInForce(order)).toEqual([]);
  });

  it.each([
    ["no longer knows the contract", { kind: "status", status: 404 }],
    ["refuses to show it", { kind: "status", status: 400 }],
    ["shows it so that it cannot be read", { kind: "json", answer: { id: "?", price: "?" } }],
  ] as const)("is a task also where the insurer %s", async (_, fault) => {
    const order = await insured();
    insurance.faults.add({ operation: "orders.cancel", kind: "status", status: 404, times: null });
    insurance.faults.add({ operation: "plans.get", ...fault, times: null });
    cancelOrder(shop.state, order.id);
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([{ kind: "manual_cancellation", itemNumber: 1 }]),
    );
    expect(await readItemStates(order)).toEqual(["attention"]);
  });
});

describe("a cancellation while the insurer takes no sales record", () => {
  it("is sent all the same", async () => {
    insurance.faults.add({ operation: "orders.record", kind: "status", status: 500, times: null });
    const order = selling.buyInsured();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listContractsInForce(order)).toEqual([]);
  });
});
