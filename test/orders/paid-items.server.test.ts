/** Every paid item that is still in its order is a contract, on its way to one, or an open task. */
import { describe, expect, test } from "vitest";
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { db } from "#app/platform/db.server.ts";
import { rebuildOrder } from "#app/orders/book/book.server.ts";
import { action as actOnOrder } from "#app/routes/app.orders.$orderId/route.tsx";
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

test("a task that is missing is there again once the rows of its order are derived again", async () => {
  const order = await buyWithoutCustomer();
  const [task] = await listOpenTasks(order);
  const { phone, plan } = insuredLines(selling.references);
  const forged = buy([phone, { ...plan, price: 1 }]);
  insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message: "No", times: 1 });
  const refused = buy([phone, plan]);
  await eventually(async () => expect(await readItemStates(forged)).toEqual(["attention"]));
  await eventually(async () => expect(await readItemStates(refused)).toEqual(["refused"]));
  await db.task.deleteMany({ where: { orderId: order.id } });
  await db.task.updateMany({
    where: { orderId: { in: [forged.id, refused.id] } },
    data: { closedAt: new Date(), outcome: "obsolete" },
  });
  for (const { id } of [order, forged, refused]) await rebuildOrder(domain, id);
  expect(await listOpenTasks(order)).toMatchObject([
    { id: task?.id, kind: "customer_data", details: task?.details },
  ]);
  expect(await listOpenTasks(forged)).toMatchObject([
    { kind: "check_plan", details: { finding: "wrong_price", premiumMinor: 1 } },
  ]);
  expect(await listOpenTasks(refused)).toMatchObject([{ kind: "plan_refused" }]);
});
