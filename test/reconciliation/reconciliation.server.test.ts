import { staff } from "#app/audit/actor.ts";
import { afterEach, describe, expect, it } from "vitest";
import { db } from "#app/platform/db.server.ts";
import {
  noteRestore,
  startHourlyReconciliations,
  startReconciliation,
  stopReconciliation,
} from "#app/reconciliation/reconciliation.server.ts";
import { compareOldestContracts } from "#app/reconciliation/compare.server.ts";
import { runReconciliation } from "#app/reconciliation/run-reconciliation.server.ts";
import {
  reconciliationCounts,
  type ReconciliationCounts,
  type ReconciliationKind,
} from "#app/reconciliation/reconciliation.ts";
import { storeAndReconcile } from "#app/issuing/store-and-reconcile.server.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { appendToOrder, readOrderBook, rebuildOrder } from "#app/orders/book/book.server.ts";
import { itemsOf } from "#app/orders/book/evolve.ts";
import { readOrderView } from "#app/orders/admin/order-page.server.ts";
import { action as actOnTask } from "#app/routes/app.tasks._index/route.tsx";
import { success } from "#app/ui/action-result.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import { eventually } from "#test/eventually.ts";
import { settleJobs } from "#test/job-worker.ts";
import { ask } from "#test/routes/ask.ts";
import { cancelOrder, editOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";
import { customer } from "#test/orders/references.ts";
import {
  setUpSellingShop,
  buy,
  listContracts,
  insuredLines,
  letDaysPass,
  listEvents,
  listOpenTaskKinds,
  listOpenTasks,
  findSalesRecord,
  lineIdAt,
  readItemStates,
  settleWebhooks,
} from "#test/orders/selling-shop.ts";

const selling = setUpSellingShop();

const domain = shop.shopDomain;
const HOUR = 3_600_000;

/** Reconciles the orders of the last hours and waits for the end. */
async function reconcile(
  kind: ReconciliationKind = "hourly",
  from = new Date(Date.now() - 2 * HOUR),
): Promise<ReconciliationCounts> {
  // The next hourly run begins 15 minutes before the end of this one.
  const id = await startReconciliation(domain, kind, from, new Date(Date.now() + 60_000));
  return eventually(async () => {
    const row = await db.reconciliationRun.findFirstOrThrow({ where: { id } });
    expect(row.state).toBe("done");
    return reconciliationCounts.parse(row.counts);
  });
}

async function quietly<T>(happening: () => T): Promise<T> {
  shop.webhooks.behaviour.dropShare = 1;
  const result = happening();
  shop.webhooks.behaviour.dropShare = 0;
  return Promise.resolve(result);
}

/** No worker has the order any more: what it does last would meet what the test does. */
async function isSettled(order: Order, salesRecordStatus: string): Promise<void> {
  const where = { shop_orderId: { shop: domain, orderId: order.id } };
  await eventually(async () =>
    expect(await db.order.findUnique({ where })).toMatchObject({ salesRecordStatus, leaseHolder: null }),
  );
}

async function insured(quantity = 1): Promise<Order> {
  const order = selling.buyInsured({ quantity });
  await isSettled(order, "recorded");
  return order;
}

/** As in a database that was restored to a moment before the order. */
async function loseOrder(order: Order): Promise<void> {
  const where = { shop: domain, orderId: order.id };
  await db.$transaction([
    // A book takes no changes from anybody else.
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.orderEvent.deleteMany({ where }),
    db.insuredItem.deleteMany({ where }),
    db.orderLine.deleteMany({ where }),
    db.order.deleteMany({ where }),
  ]);
}

/** The number of the last event in an order's book. @param type of this type */
async function lastEvent(order: Order, type?: "sold"): Promise<bigint> {
  const where = { shop: domain, orderId: order.id, ...(type ? { type } : {}) };
  return (await db.orderEvent.findFirstOrThrow({ where, orderBy: { id: "desc" } })).id;
}

/** As in a database that was restored to the moment after this event of the order. */
async function restoreTo(order: Order, event: bigint): Promise<void> {
  await settleJobs();
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.orderEvent.deleteMany({ where: { shop: domain, orderId: order.id, id: { gt: event } } }),
  ]);
  await rebuildOrder(domain, order.id);
}

/** The types of the events of an order's first item, up to its contract: what the customer gets follows later. */
async function listTypes(order: Order): Promise<string[]> {
  const book = await readOrderBook(domain, order.id);
  const types = (book?.events ?? [])
    .filter((event) => itemsOf(event).some(({ number }) => number === 1))
    .map(({ type }) => type);
  return types.slice(0, types.indexOf("contract") + 1);
}

describe("reconciliation with the shop", () => {
  it("finds paid orders whose webhooks were lost", async () => {
    const order = await quietly(() => selling.buyInsured());
    expect(await readItemStates(order)).toEqual([]);
    expect((await reconcile()).missed).toBe(1);
    expect(await readItemStates(order)).toEqual(["active"]);
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("does not take the last change of an old order for its payment", async () => {
    const order = await quietly(() => selling.buyInsured());
    const monthAgo = new Date(Date.now() - 30 * 86_400_000);
    order.processedAt = monthAgo.toISOString();
    await reconcile();
    const stored = await db.order.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
    expect(stored.paidAt).toEqual(monthAgo);
  });

  it("finds cancellations and refunds whose webhooks were lost", async () => {
    const [cancelled, refunded] = [await insured(), await insured(2)];
    await quietly(() => {
      cancelOrder(shop.state, cancelled.id);
      refundOrder(shop.state, refunded.id, { lines: [{ lineId: refunded.lines[1]?.id ?? "", quantity: 2 }] });
    });
    expect((await reconcile()).behind).toBeGreaterThanOrEqual(2);
    expect(await readItemStates(cancelled)).toEqual(["cancelled"]);
    expect(await readItemStates(refunded)).toEqual(["cancelled", "cancelled"]);
    for (const order of [cancelled, refunded]) {
      expect((await listContracts(order)).every(({ status }) => status === "cancelled")).toBe(true);
    }
  });

  it("asks once about an order that was paid back as money, whose webhooks were lost", async () => {
    const order = await insured();
    const amount = order.payments.reduce((sum, payment) => sum + payment.amount, 0);
    await quietly(() => refundOrder(shop.state, order.id, { amount }));
    expect((await reconcile()).behind).toBe(1);
    expect(await listOpenTaskKinds(order)).toEqual(["paid_back"]);
    expect((await reconcile()).behind).toBe(0);
  });

  it("changes nothing where nothing is missing", async () => {
    await insured();
    await reconcile();
    const before = (await db.orderEvent.count()) + (await db.task.count());
    expect(await reconcile()).toMatchObject({ missed: 0, behind: 0, resumed: 0, different: 0, tasks: 0 });
    expect((await db.orderEvent.count()) + (await db.task.count())).toBe(before);
  });

  it("runs beside the webhooks without a second plan", async () => {
    const orders = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const order = selling.buyInsured({ quantity: 2 });
        await startReconciliation(domain, "hourly", new Date(Date.now() - HOUR), new Date(Date.now() + HOUR));
        return order;
      }),
    );
    for (const order of orders) {
      await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    }
    await reconcile();
    for (const order of orders) expect(await listContracts(order)).toHaveLength(2);
  });

  it("starts each hour where the last run ended", async () => {
    await startHourlyReconciliations();
    const first = await eventually(async () => {
      const row = await db.reconciliationRun.findFirstOrThrow({
        where: { kind: "hourly" },
        orderBy: { createdAt: "desc" },
      });
      expect(row.state).toBe("done");
      return row;
    });
    await startHourlyReconciliations();
    const second = await db.reconciliationRun.findFirstOrThrow({
      where: { kind: "hourly" },
      orderBy: { createdAt: "desc" },
    });
    expect(second.id).not.toBe(first.id);
    expect(second.from.getTime()).toBeLessThanOrEqual(first.until.getTime());
    await eventually(async () =>
      expect(await db.reconciliationRun.count({ where: { kind: "hourly", state: { not: "done" } } })).toBe(0),
    );
  });

  it("resumes a run whose job is gone in the next hour", async () => {
    const order = await quietly(() => selling.buyInsured());
    await db.reconciliationRun.create({
      data: {
        shop: domain,
        kind: "hourly",
        state: "running",
        error: "Shopify did not answer for days",
        from: new Date(Date.now() - HOUR),
        until: new Date(Date.now() + HOUR),
      },
    });
    await startHourlyReconciliations();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  });

  it("takes up a cancellation whose job is gone, however long ago it was", async () => {
    const order = await insured();
    const ages = new Date(Date.now() - 24 * HOUR);
    await appendToOrder(domain, order.id, () => [{ type: "cancelled", asOf: ages }], { sendsJob: false });
    await letDaysPass(order, 1);
    await reconcile("hourly", new Date(Date.now() + HOUR));
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
  });

  it("insures an order that was paid back as money before it was known, and has staff decide", async () => {
    const order = await quietly(() => {
      const sold = selling.buyInsured();
      const amount = sold.payments.reduce((sum, payment) => sum + payment.amount, 0);
      refundOrder(shop.state, sold.id, { amount });
      return sold;
    });
    expect((await reconcile()).missed).toBe(1);
    expect(await listOpenTaskKinds(order)).toEqual(["paid_back"]);
  });

  it("waits for a platform that does not respond, and resumes", async () => {
    shop.faults.add({ operation: "admin", status: 500, times: 2 });
    const order = await quietly(() => selling.buyInsured());
    expect((await reconcile()).missed).toBe(1);
    expect(await readItemStates(order)).toEqual(["active"]);
  });
});

describe("reconciliation with the insurer", () => {
  async function cancelledThere(): Promise<Order> {
    const order = await insured();
    const answer = await fetch(
      `${insurance.base_url}/api/v2/store/${insurance.store_id}/orders/${order.id}/cancel`,
      { method: "PATCH", headers: { authorization: `Bearer ${insurance.token_test}` } },
    );
    expect(answer.ok).toBe(true);
    await reconcile();
    return order;
  }

  it("opens a task for a contract that was cancelled there, until its premium is refunded", async () => {
    const order = await cancelledThere();
    expect(await readItemStates(order)).toEqual(["cancelled"]);
    expect(await listOpenTaskKinds(order)).toEqual(["cancelled_elsewhere"]);
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }] });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  it("does not ask whether insurance that was cancelled there goes on, when money is paid back", async () => {
    const order = await cancelledThere();
    // Less than its premium.
    refundOrder(shop.state, order.id, { amount: 100 });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual(["cancelled_elsewhere"]);
    // It names no item: insurance that ended is paid back first.
    refundOrder(shop.state, order.id, { amount: 20_000 });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  it("counts the premium of a contract that was cancelled there as kept, where staff dismiss its task", async () => {
    const order = await cancelledThere();
    const [task] = await listOpenTasks(order);
    const form = { tasks: task?.id ?? "", action: "dismiss" };
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toEqual(success());
    expect((await readOrderView(domain, order.id, "en"))?.statements).toMatchObject([
      { shares: { kept: task?.atStakeMinor, refunded: 0 } },
    ]);
  });

  it("compares contracts that were compared longest ago, whatever their orders' last change, and not twice a day", async () => {
    const [old, recent] = [await insured(), await insured()];
    for (const contract of insurance.plans())
      if ([old.id, recent.id].includes(contract.order_reference_id)) contract.status = "cancelled";
    await db.insuredItem.updateMany({
      where: { orderId: old.id },
      data: { comparedAt: new Date(Date.now() - 40 * 24 * HOUR) },
    });
    // No order was changed in this range.
    const counts = await reconcile("hourly", new Date(Date.now() + HOUR / 2));
    // What was requested twice is compared every hour for a day, too.
    expect(counts).toMatchObject({ orders: 0, different: 1 });
    expect(await listOpenTaskKinds(old)).toEqual(["cancelled_elsewhere"]);
    expect(await listOpenTaskKinds(recent)).toEqual([]);
    expect(await reconcile("hourly", new Date(Date.now() + HOUR / 2))).toMatchObject({ different: 0 });
  });

  it("opens a task for a contract in force that the insurer calls neither active nor cancelled", async () => {
    const order = await insured();
    const contract = insurance.plans().find(({ order_reference_id }) => order_reference_id === order.id);
    if (!contract) throw new Error("The stand-in lost the contract");
    Object.assign(contract, { status: "suspended" });
    await reconcile();
    expect(await readItemStates(order)).toEqual(["active"]);
    expect(await db.task.findMany({ where: { orderId: order.id } })).toMatchObject([
      { kind: "contract_doubtful", details: { contractId: contract.id, status: "suspended" } },
    ]);
  });

  it("opens a task for a contract that no item has", async () => {
    const order = await insured();
    const { reference } = insuredLines(selling.references);
    const answer = await fetch(`${insurance.base_url}/api/v2/store/${insurance.store_id}/plans`, {
      method: "POST",
      headers: { authorization: `Bearer ${insurance.token_test}`, "content-type": "application/json" },
      body: JSON.stringify({
        offer_reference_id: reference.reference_id,
        order_reference_id: order.id,
        variant: {
          reference_id: "1",
          price: (order.lines[0]?.price ?? 0) / 100,
          currency_code: "EUR",
          title: "Téléphone",
        },
        customer: { email: order.email, first_name: "Ana", last_name: "Blanc" },
      }),
    });
    expect(answer.status).toBe(201);
    await reconcile();
    expect(await listOpenTaskKinds(order)).toEqual(["surplus_contract"]);
  });

  it("opens a task for a first contract that is listed after the second one was created", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 503, after_work: true });
    insurance.faults.add({ operation: "plans.list", kind: "json", answer: [], times: null });
    const order = await selling.buyAndIssue();
    expect(await listOpenTasks(order)).toEqual([]);
    const [first] = insurance.plans().filter(({ order_reference_id }) => order_reference_id === order.id);
    insurance.faults.clear();
    await compareOldestContracts(domain, reconciliationCounts.parse({}));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "surplus_contract", details: { contractId: first?.id } },
    ]);
  });

  it("finds a contract that is not in the list of its customer, who has another address at the insurer", async () => {
    const order = await insured();
    insurance.faults.add({ operation: "plans.list", kind: "json", answer: [], times: null });
    await reconcile();
    expect(await listOpenTaskKinds(order)).toEqual([]);
    expect(await readItemStates(order)).toEqual(["active"]);
    insurance.faults.clear();
  });

  it("opens a task for a contract that the insurer does not have, and closes it once it does", async () => {
    const order = await insured();
    insurance.faults.add(
      { operation: "plans.list", kind: "json", answer: [], times: null },
      { operation: "plans.get", status: 404, times: null },
    );
    await reconcile();
    expect(await listOpenTaskKinds(order)).toEqual(["contract_doubtful"]);
    insurance.faults.clear();
    await reconcile();
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  it("ends a contract that is in force although its order was cancelled", async () => {
    const order = await insured();
    cancelOrder(shop.state, order.id);
    await isSettled(order, "cancelled");
    // As if the insurer had lost the cancellation, with the database restored from a backup.
    const [contract] = await listContracts(order);
    const standInPlan = insurance.plans().find(({ id }) => id === contract?.id);
    if (!standInPlan) throw new Error("The stand-in lost the contract");
    Object.assign(standInPlan, { status: "active", cancelled_at: null });
    // An order that its own job has in hand is left to it.
    await settleJobs();
    await reconcile();
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
  });

  it("opens a task for one whose cancellation the insurer refuses the second time", async () => {
    const order = await insured();
    cancelOrder(shop.state, order.id);
    await isSettled(order, "cancelled");
    await settleJobs();
    const contract = insurance.plans().find(({ order_reference_id }) => order_reference_id === order.id);
    if (!contract) throw new Error("The stand-in lost the contract");
    Object.assign(contract, { status: "active", cancelled_at: null });
    insurance.faults.add({ operation: "orders.cancel", status: 422, times: null });
    await reconcile();
    insurance.faults.clear();
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "manual_cancellation", details: { contractId: contract.id } },
    ]);
  });

  it("ends a contract that is in force although its insurance was refunded", async () => {
    const order = await insured();
    refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[1]?.id ?? "", quantity: 1 }] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await settleJobs();
    const contract = insurance.plans().find(({ order_reference_id }) => order_reference_id === order.id);
    if (!contract) throw new Error("The stand-in lost the contract");
    Object.assign(contract, { status: "active", cancelled_at: null });
    await reconcile();
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  it("does not report a contract whose plan was bought while the insurer was read", async () => {
    const order = await insured();
    const answer = insurance.faults.hold("plans.list");
    const run = reconcile();
    // The fault is taken away as the question arrives: the items have been read by then.
    await eventually(() => expect(insurance.faults.list).toEqual([]));
    const { phone, plan } = insuredLines(selling.references, { term: 12 });
    editOrder(shop.state, order.id, { add: [phone, plan] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    answer();
    await run;
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  it("queries four customers at a time", async () => {
    await Promise.all(Array.from({ length: 4 }, () => insured()));
    const answer = insurance.faults.hold("plans.list", { times: 4 });
    const run = reconcile();
    // A fault is gone as soon as its last request has arrived: none of them is answered then.
    await eventually(() => expect(insurance.faults.list).toEqual([]));
    const requested = insurance.traffic.log.filter(({ fault }) => fault === "latency").slice(-4);
    expect(requested.map(({ operation, status }) => [operation, status])).toEqual(
      Array.from({ length: 4 }, () => ["plans.list", null]),
    );
    answer();
    await run;
  });

  it.each<[how: string, fault: Parameters<typeof insurance.faults.add>[0]]>([
    ["cannot be read", { kind: "json", answer: [{ id: "CT-1" }] }],
    ["are refused", { kind: "status", status: 422 }],
  ])("goes on where the contracts of one customer %s", async (_how, fault) => {
    await insured();
    const order = await quietly(() => selling.buyInsured());
    insurance.faults.add({ operation: "plans.list", ...fault, times: null });
    await reconcile();
    // It is unknown whether it has a contract already.
    expect(await readItemStates(order)).toEqual(["unknown"]);
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("finds the contract of an order that a restored database does not know, and creates no second one", async () => {
    const order = await insured(2);
    const before = (await listContracts(order)).map(({ id }) => id).sort();
    await loseOrder(order);
    expect((await reconcile()).missed).toBe(1);
    expect(await readItemStates(order)).toEqual(["active", "active"]);
    expect((await listContracts(order)).map(({ id }) => id).sort()).toEqual(before);
    expect(await listEvents(order, "doubted")).toMatchObject([{ why: "read_in_shop" }]);
    expect(await listTypes(order)).not.toContain("requested");
  });

  it("finds the contract of a plan that an edit added after the restored moment", async () => {
    const order = await insured();
    const beforeEdit = await lastEvent(order);
    const { phone, plan } = insuredLines(selling.references, { term: 12 });
    editOrder(shop.state, order.id, { add: [phone, plan] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    await restoreTo(order, beforeEdit);
    expect(await readItemStates(order)).toEqual(["active"]);
    await reconcile();
    expect(await readItemStates(order)).toEqual(["active", "active"]);
    expect(await listContracts(order)).toHaveLength(2);
  });

  it("assigns a contract that the book lost", async () => {
    const order = await insured();
    await restoreTo(order, await lastEvent(order, "sold"));
    await reconcile();
    expect(await readItemStates(order)).toEqual(["active"]);
    expect(await listContracts(order)).toHaveLength(1);
  });
});

describe("after a restored backup", () => {
  it("items that wait again are looked up before a plan is created, and created where there is none", async () => {
    const order = await insured(2);
    const [first] = await listContracts(order);
    await restoreTo(order, await lastEvent(order, "sold"));
    // As if this one had never been created.
    const standInPlan = insurance.plans().find(({ id }) => id === first?.id);
    if (!standInPlan) throw new Error("The stand-in lost the contract");
    Object.assign(standInPlan, { order_reference_id: "0" });
    await noteRestore();
    expect(await listContracts(order)).toHaveLength(1);
    await reconcileOrder(domain, order.id);
    expect(await readItemStates(order)).toEqual(["active", "active"]);
    expect(await listContracts(order)).toHaveLength(2);
  });

  it("so are those of an order whose webhook is processed again", async () => {
    const order = await insured(2);
    const before = (await listContracts(order)).map(({ id }) => id).sort();
    await loseOrder(order);
    await noteRestore();
    const read = await fetchOrder(domain, order.id);
    if (!read) throw new Error("The shop lost the order");
    await storeAndReconcile(domain, { ...read, paid: true }, "delivered");
    expect(await readItemStates(order)).toEqual(["active", "active"]);
    expect((await listContracts(order)).map(({ id }) => id).sort()).toEqual(before);
  });

  it("orders bought afterwards are created without a question", async () => {
    await noteRestore();
    const order = await selling.buyAndIssue({ createdAt: new Date(Date.now() + 10_000).toISOString() });
    expect(await listTypes(order)).toEqual(["sold", "requested", "answered", "contract"]);
  });

  it("an item is looked up once, too, where the restored server's clock was ahead", async () => {
    const { at } = await db.restore.create({ data: { at: new Date(Date.now() + HOUR) } });
    const order = await insured();
    expect(await listTypes(order)).toEqual([
      "sold",
      "doubted",
      "looked_up",
      "requested",
      "answered",
      "contract",
    ]);
    expect(await listEvents(order, "doubted")).toMatchObject([{ why: "restored" }]);
    await db.restore.delete({ where: { at } });
  });
});

describe("the backfill", () => {
  it("records past orders at the insurer, once each, from the oldest to the newest", async () => {
    const { phone } = insuredLines(selling.references);
    const orders = await quietly(() =>
      Array.from({ length: 30 }, (_, index) =>
        buy([{ ...phone, properties: [] }], {
          billingAddress: customer,
          createdAt: new Date(Date.now() - (40 - index) * 24 * HOUR).toISOString(),
        }),
      ),
    );
    const from = new Date(Date.now() - 730 * 24 * HOUR);
    expect((await reconcile("backfill", from)).missed).toBe(30);
    for (const order of orders)
      expect(await findSalesRecord(order)).toMatchObject({
        status: "recorded",
        recordings: 1,
        // The shop had no offers yet when these were bought.
        line_items: [{ insurance_offered: false, insurance_selected: false }],
      });
    expect((await reconcile("backfill", from)).missed).toBe(0);
    for (const order of orders) expect((await findSalesRecord(order))?.recordings).toBe(1);
  });

  it("can be stopped, and another run does what is left", async () => {
    const { phone } = insuredLines(selling.references);
    await quietly(() => Array.from({ length: 60 }, () => buy([{ ...phone, properties: [] }])));
    const answer = shop.faults.hold("ParasolOrders", { skip: 1 });
    const from = new Date(Date.now() - 730 * 24 * HOUR);
    const id = await startReconciliation(domain, "backfill", from, new Date(Date.now() + HOUR));
    await eventually(async () =>
      expect(
        reconciliationCounts.parse((await db.reconciliationRun.findFirstOrThrow({ where: { id } })).counts)
          .orders,
      ).toBeGreaterThan(0),
    );
    expect(await stopReconciliation(domain, id, staff("1"))).toBe(true);
    answer();
    const done = await reconcile("backfill", from);
    expect(done.missed).toBeGreaterThan(0);
    expect(await db.reconciliationRun.findUnique({ where: { id } })).toMatchObject({ state: "stopped" });
    await eventually(async () =>
      expect(
        await db.order.count({ where: { shop: domain, paidAt: { not: null }, salesRecordStatus: "none" } }),
      ).toBe(0),
    );
  });
});

describe("while the app is not approved for protected customer data", () => {
  const access = async () => (await db.merchant.findFirstOrThrow({ where: { shop: domain } })).orderAccess;
  const { behaviour } = shop.webhooks;
  const runsEnd = () =>
    eventually(async () =>
      expect(await db.reconciliationRun.count({ where: { state: { in: ["queued", "running"] } } })).toBe(0),
    );
  // While one is under way, no other is started: it may have read the access before the next test changes it.
  afterEach(runsEnd);

  it("an hourly run ends without a trace, and what was paid meanwhile is insured once the app is approved", async () => {
    await startHourlyReconciliations();
    await eventually(async () => expect(await access()).toBe("full"));
    await runsEnd();
    const before = await db.reconciliationRun.count();
    behaviour.approvedForOrders = false;
    const order = selling.buyInsured();
    await startHourlyReconciliations();
    await eventually(async () => expect(await access()).toBe("none"));
    await eventually(async () => expect(await db.reconciliationRun.count()).toBe(before));
    expect(await readItemStates(order)).toEqual([]);
    behaviour.approvedForOrders = true;
    await startHourlyReconciliations();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await access()).toBe("full");
  });

  it("for names and addresses an order waits for its customer, and is insured once they may be read", async () => {
    behaviour.protectedCustomerData = false;
    const order = selling.buyInsured();
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["customer_data"]));
    await startHourlyReconciliations();
    await eventually(async () => expect(await access()).toBe("anonymous"));
    await runsEnd();
    behaviour.protectedCustomerData = true;
    await startHourlyReconciliations();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  it("is approved meanwhile: a run that fails before all these orders are read is resumed with the rest", async () => {
    behaviour.protectedCustomerData = false;
    const order = selling.buyInsured();
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["customer_data"]));
    await db.merchant.update({ where: { shop: domain }, data: { orderAccess: "anonymous" } });
    behaviour.protectedCustomerData = true;
    // Not the hourly job's: this test is its queue.
    const window = { from: new Date(Date.now() - HOUR), until: new Date(Date.now() - HOUR / 2) };
    const { id } = await db.reconciliationRun.create({
      data: { shop: domain, kind: "hourly", state: "queued", ...window },
    });
    const { signal } = new AbortController();
    const attempt = () => runReconciliation(domain, id, { signal, isTimeSliceUsed: () => false });
    shop.faults.add({ operation: "ParasolOrder", status: 500, times: 2 });
    await expect(attempt()).rejects.toThrow();
    expect(await readItemStates(order)).toEqual(["attention"]);
    await attempt();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await access()).toBe("full");
  });
});
