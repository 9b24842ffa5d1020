/** Every paid item that is still in its order is a contract, on its way to one, or an open task. */
import { describe, expect, test } from "vitest";
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { db } from "#app/platform/db.server.ts";
import { startReconciliation } from "#app/reconciliation/reconciliation.server.ts";
import { action as actOnOrder, loader as showOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { action as actOnTask } from "#app/routes/app.tasks._index/route.tsx";
import { action as withdraw } from "#app/routes/withdrawals.$shop.$link.tsx";
import { success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { settleJobs } from "#test/job-worker.ts";
import {
  buy,
  insuredLines,
  listOpenTaskKinds,
  listOpenTasks,
  readItemStates,
  setUpSellingShop,
} from "./selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import { refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const HOUR = 3_600_000;
const domain = shop.shopDomain;

/** Two products, each with its plan, sold where no customer is entered: at the till, say. */
async function buyWithoutCustomer(): Promise<Order> {
  const [first, second] = [insuredLines(selling.references), insuredLines(selling.references)];
  const order = buy([first.phone, first.plan, second.phone, second.plan], {
    email: null,
    customer: null,
    billingAddress: null,
    shippingAddress: null,
  });
  await eventually(async () => expect(await readItemStates(order)).toEqual(["attention", "attention"]));
  return order;
}

async function firstIsEnded(order: Order): Promise<void> {
  await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "attention"]));
  // What would close the task comes after the item.
  await settleJobs();
  expect(await listOpenTaskKinds(order)).toContain("customer_data");
}

const itemOf = (order: Order, index: number) =>
  db.insuredItem.findFirstOrThrow({
    where: { shop: domain, orderId: order.id },
    orderBy: { lineId: "asc" },
    skip: index,
  });

const startRun = () => startReconciliation(domain, "hourly", new Date(Date.now() - HOUR), new Date());

async function reconcile(): Promise<void> {
  const id = await startRun();
  await eventually(async () => {
    const run = await db.reconciliationRun.findFirstOrThrow({ where: { id } });
    expect(run.state).toBe("done");
  });
}

describe("the task for a customer's data stays while an item of the order waits for them", () => {
  test("after the refund of another item with its product; after that of the last it closes", async () => {
    const order = await buyWithoutCustomer();
    const linesOf = (from: number) =>
      order.lines.slice(from, from + 2).map(({ id }) => ({ lineId: id, quantity: 1 }));
    refundOrder(shop.state, order.id, { lines: linesOf(0) });
    await firstIsEnded(order);
    refundOrder(shop.state, order.id, { lines: linesOf(2) });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual([]));
  });

  test("after staff chose not to insure another item", async () => {
    const order = await buyWithoutCustomer();
    const { lineId } = await itemOf(order, 0);
    const form = { intent: "item", action: "end", lineId, itemNumber: "1" };
    const params = { orderId: order.id };
    expect(await ask(actOnOrder, `/app/orders/${order.id}`, { params, form })).toEqual(success("end"));
    await firstIsEnded(order);
  });

  test("after the customer withdrew from another contract", async () => {
    const order = await buyWithoutCustomer();
    const { lineId } = await itemOf(order, 0);
    const address = withdrawalLink(domain, order.id);
    const [, , name = "", link = ""] = new URL(address).pathname.split("/");
    const body = new URLSearchParams({ step: "confirm", item: `${lineId}-1` });
    const request = new Request(address, { method: "POST", body });
    const answer = await responseOf(withdraw({ request, params: { shop: name, link }, context: {} }));
    expect(answer.status).toBe(200);
    await firstIsEnded(order);
  });

  test("and closes as dismissed where staff end all that wait", async () => {
    const order = await buyWithoutCustomer();
    const [task] = await listOpenTasks(order);
    const form = { tasks: task?.id ?? "", action: "end" };
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toEqual(success());
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    // What the customer paid for both is not refunded.
    expect(await listOpenTaskKinds(order)).toEqual(["premium_kept", "premium_kept"]);
    expect(await db.task.findFirst({ where: { id: task?.id ?? "" } })).toMatchObject({
      outcome: "dismissed",
    });
  });
});

describe("reconciliation opens a task that is missing, and the item's history says so", () => {
  const historyOf = async (order: Order) => {
    const params = { orderId: order.id };
    const view = await ask(showOrder, `/app/orders/${order.id}`, { params });
    return view.order.history.map(({ cause }) => cause);
  };

  test("of an order that waits for its customer's data, once for all its items", async () => {
    const order = await buyWithoutCustomer();
    const [task] = await listOpenTasks(order);
    await db.task.deleteMany({ where: { orderId: order.id } });
    await reconcile();
    const restored = await listOpenTasks(order);
    expect(restored).toMatchObject([{ kind: "customer_data", details: task?.details }]);
    expect((await historyOf(order)).filter((cause) => cause === "task_restored")).toHaveLength(2);
    await reconcile();
    expect((await historyOf(order)).filter((cause) => cause === "task_restored")).toHaveLength(2);
  });

  test("of a plan that does not fit, and of one that the insurer refused", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const forged = buy([phone, { ...plan, price: 1 }]);
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message: "No", times: 1 });
    const refused = buy([phone, plan]);
    await eventually(async () => expect(await readItemStates(forged)).toEqual(["attention"]));
    await eventually(async () => expect(await readItemStates(refused)).toEqual(["refused"]));
    await db.task.updateMany({
      where: { orderId: { in: [forged.id, refused.id] } },
      data: { closedAt: new Date(), outcome: "obsolete" },
    });
    await reconcile();
    expect(await listOpenTasks(forged)).toMatchObject([
      { kind: "check_plan", details: { finding: "wrong_price", premiumMinor: 1 } },
    ]);
    expect(await listOpenTasks(refused)).toMatchObject([{ kind: "plan_refused" }]);
  });

  test("also where Shopify gives the app no orders", async () => {
    const order = await buyWithoutCustomer();
    await db.task.deleteMany({ where: { orderId: order.id } });
    shop.webhooks.behaviour.approvedForOrders = false;
    const id = await startRun();
    // It leaves no trace, so that the next run begins where the last one ended.
    await eventually(async () => expect(await db.reconciliationRun.count({ where: { id } })).toBe(0));
    shop.webhooks.behaviour.approvedForOrders = true;
    expect(await listOpenTaskKinds(order)).toEqual(["customer_data"]);
  });
});
