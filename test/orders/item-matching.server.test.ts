/** Items of a pair's plans belong to the items of its products in order, whatever lines they are on. */
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { action as actOnTask } from "#app/routes/app.tasks._index/route.tsx";
import { success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { customer } from "./references.ts";
import {
  buy,
  grantOptionalScopes,
  insuredLines,
  lineIdAt,
  listOpenTaskKinds,
  listOpenTasks,
  readItemStates,
  setUpSellingShop,
  settleWebhooks,
} from "./selling-shop.ts";
import { ask } from "#test/routes/ask.ts";
import { fulfilLines } from "#test/sandbox/shop/fulfilments.ts";
import { createOrder, editOrder, payOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import { findVariant, putProduct, removeProduct } from "#test/sandbox/shop/products.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();
beforeAll(grantOptionalScopes);

const PAIR = "_parasol_pair";

/** The plan of another term for the product of the lines. */
function otherPlan({ phone }: ReturnType<typeof insuredLines>, term = 12) {
  const { plan } = insuredLines(selling.references, { term });
  const pair = phone.properties?.find(({ name }) => name === PAIR)?.value ?? "";
  const properties = (plan.properties ?? []).map((each) =>
    each.name === PAIR ? { name: PAIR, value: pair } : each,
  );
  return { ...plan, properties };
}

async function bought(lines: Parameters<typeof buy>[0], plans: number): Promise<Order> {
  const order = buy(lines);
  await eventually(async () => expect(await readItemStates(order)).toEqual(Array(plans).fill("active")));
  return order;
}

describe("two different plans on one product line of two items", () => {
  test("stay in force when one item goes back: a task names both, and staff choose whose premium is refunded", async () => {
    const lines = insuredLines(selling.references, { quantity: 2, plans: 1 });
    const order = await bought([lines.phone, lines.plan, otherPlan(lines)], 2);
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 0), quantity: 1 }] });
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["product_returned"]));
    expect(await readItemStates(order)).toEqual(["active", "active"]);
    const items = await db.insuredItem.findMany({ where: { orderId: order.id }, orderBy: { lineId: "asc" } });
    const [task] = await listOpenTasks(order);
    expect(task?.details).toMatchObject({
      surplus: 1,
      plans: items.map(({ planTitle, contractId }) => ({ planTitle, contractId })),
      premiumMinor: Math.max(...items.map(({ premiumMinor }) => premiumMinor)),
    });
    const form = { tasks: task?.id ?? "", action: "refund" };
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toMatchObject({ reason: "conflict" });
    expect(
      await ask(actOnTask, "/app/tasks?index", { form: { ...form, plan: `${lineIdAt(order, 2)}-1` } }),
    ).toEqual(success());
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
    expect(await readItemStates(order)).toEqual(["active", "attention"]);
    expect(order.refunds).toMatchObject([{}, { lines: [{ lineId: lineIdAt(order, 2), quantity: 1 }] }]);
  });

  test("have one premium refunded where two people choose different ones at once", async () => {
    const lines = insuredLines(selling.references, { quantity: 2, plans: 1 });
    const order = await bought([lines.phone, lines.plan, otherPlan(lines)], 2);
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 0), quantity: 1 }] });
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["product_returned"]));
    const [task] = await listOpenTasks(order);
    const refundPlan = (line: number) =>
      ask(actOnTask, "/app/tasks?index", {
        form: { tasks: task?.id ?? "", action: "refund", plan: `${lineIdAt(order, line)}-1` },
      });
    const release = shop.faults.hold("ParasolRefund");
    const first = refundPlan(1);
    const requested = { orderId: order.id, type: "refund_requested" };
    await eventually(async () => expect(await db.orderEvent.count({ where: requested })).toBe(1));
    expect(await refundPlan(2)).toMatchObject({ reason: "conflict" });
    release();
    expect(await first).toEqual(success());
    expect(order.refunds.slice(1)).toMatchObject([{ lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }] }]);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention", "active"]));
  });

  test("where two of three items go back, the refund of one premium leaves the question about the other", async () => {
    const lines = insuredLines(selling.references, { quantity: 3, plans: 1 });
    const order = await bought([lines.phone, lines.plan, otherPlan(lines), otherPlan(lines, 36)], 3);
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 0), quantity: 2 }] });
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([{ details: { surplus: 2 } }]),
    );
    const [task] = await listOpenTasks(order);
    const form = { tasks: task?.id ?? "", action: "refund", plan: `${lineIdAt(order, 2)}-1` };
    // The webhooks of the refund would open the question again.
    shop.webhooks.behaviour.dropShare = 1;
    const result = await ask(actOnTask, "/app/tasks?index", { form });
    shop.webhooks.behaviour.dropShare = 0;
    expect(result).toEqual(success());
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([
        { kind: "product_returned", details: { surplus: 1 } },
        { kind: "manual_cancellation" },
      ]),
    );
  });

  test("where an item left before the payment, one is issued and the other is a task", async () => {
    const lines = insuredLines(selling.references, { quantity: 2, plans: 1 });
    const order = createOrder(shop.state, {
      lines: [lines.phone, lines.plan, otherPlan(lines)],
      email: "edited@example.com",
      billingAddress: customer,
    });
    editOrder(shop.state, order.id, { setQuantity: [{ lineId: lineIdAt(order, 0), quantity: 1 }] });
    payOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "attention"]));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "check_plan", details: { finding: "more_plans_than_products" } },
    ]);
  });
});

test("a line that is marked as insurance and is none of the shop's plans is one task, which is answered once", async () => {
  const { phone } = insuredLines(selling.references);
  const marked = {
    ...phone,
    quantity: 50,
    price: 1,
    properties: [{ name: "_parasol_reference", value: "FORGED" }],
  };
  const order = buy([phone, marked]);
  await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["line_left_out"]));
  const [task] = await listOpenTasks(order);
  expect(task).toMatchObject({
    atStakeMinor: 50,
    currency: "EUR",
    details: { why: "unknown_plan", quantity: 50 },
  });
  expect(await readItemStates(order)).toEqual([]);
  await ask(actOnTask, "/app/tasks?index", { form: { tasks: task?.id ?? "", action: "dismiss" } });
  editOrder(shop.state, order.id, { setQuantity: [{ lineId: lineIdAt(order, 0), quantity: 2 }] });
  await settleWebhooks(order);
  expect(await listOpenTaskKinds(order)).toEqual([]);
});

test("such a line is no task any more once it is refunded", async () => {
  const { phone } = insuredLines(selling.references);
  const marked = { ...phone, price: 1, properties: [{ name: "_parasol_reference", value: "FORGED" }] };
  const order = buy([phone, marked]);
  await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["line_left_out"]));
  refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }] });
  await settleWebhooks(order);
  expect(await listOpenTaskKinds(order)).toEqual([]);
});

test("a plan whose product the shop deletes stays the plan of its contract, and ends with its refund", async () => {
  const { phone, plan } = insuredLines(selling.references);
  const order = await bought([phone, plan], 1);
  const sold = findVariant(shop.state, plan.variantId);
  if (!sold) throw new Error("The plan is not sold");
  removeProduct(shop.state, sold.product);
  fulfilLines(shop.state, order.id, [{ lineId: lineIdAt(order, 0), quantity: 1 }]);
  await settleWebhooks(order);
  expect(await listOpenTaskKinds(order)).toEqual([]);
  refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }] });
  await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
  expect(await listOpenTaskKinds(order)).toEqual([]);
  putProduct(shop.state, sold.product);
});

test("a product that Shopify split into two lines has a plan for each item, and each goes with its own", async () => {
  const { phone, plan } = insuredLines(selling.references, { plans: 2 });
  const order = await bought([phone, phone, plan], 2);
  expect(await listOpenTasks(order)).toEqual([]);
  refundOrder(shop.state, order.id, {
    lines: [
      { lineId: lineIdAt(order, 0), quantity: 1 },
      { lineId: lineIdAt(order, 2), quantity: 1 },
    ],
  });
  await eventually(async () => expect(await readItemStates(order)).toEqual(["attention", "active"]));
  expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]);
});
