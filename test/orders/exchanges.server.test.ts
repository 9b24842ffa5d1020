/** An insured product is exchanged: its cover moves to the replacement, or staff are told why it does not. */
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { appendToOrder, readOrderBook } from "#app/orders/book/book.server.ts";
import { startReconciliation } from "#app/reconciliation/reconciliation.server.ts";
import { loader as analytics } from "#app/routes/app.analytics._index/route.tsx";
import { action as actOnTask } from "#app/routes/app.tasks._index/route.tsx";
import { success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import {
  buy,
  grantOptionalScopes,
  insuredLines,
  lineIdAt,
  listContractsInForce,
  listOpenTaskKinds,
  listOpenTasks,
  listItems,
  setUpSellingShop,
  settleWebhooks,
} from "./selling-shop.ts";
import { ask } from "#test/routes/ask.ts";
import { emitShopEvent } from "#test/sandbox/shop/events.ts";
import { cancelOrder, editOrder, payOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";

const selling = setUpSellingShop();
beforeAll(grantOptionalScopes);

/** A variant of the demo shop: the insured phone's first one is black, its second one blue at the same price. */
function variantOf(title: string, index = 0): string {
  const product = [...shop.state.products.values()].find((each) => each.title === title);
  const variant = product?.variants[index];
  if (!variant) throw new Error(`The demo shop has no ${title}`);
  variant.tracked = false;
  return variant.id;
}
const blue = () => variantOf("Velin One", 1);

function exchange(order: Order, variantId: string): void {
  editOrder(shop.state, order.id, {
    setQuantity: [{ lineId: lineIdAt(order, 0), quantity: 0 }],
    add: [{ variantId, quantity: 1 }],
  });
}

/** The shop's statistics. */
const figures = async () => (await (await ask(analytics, "/app/analytics")).statistics).overview.total;

const returnTask = async (order: Order) => {
  await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["product_returned"]));
  const [task] = await listOpenTasks(order);
  if (!task) throw new Error("No task");
  return task;
};

describe("an insured product is exchanged", () => {
  test("for another variant at the same price: a new contract first, then the old one is a task that names both", async () => {
    const order = await selling.buyAndIssue();
    const before = await figures();
    expect(before).toMatchObject({ eligible: 1, chosen: 1, cancelled: 0 });
    const [old] = await listItems(order);
    shop.webhooks.behaviour.duplicates = 1;
    exchange(order, blue());
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
    await settleWebhooks(order);
    shop.webhooks.behaviour.duplicates = 0;
    const items = await listItems(order);
    expect(items).toMatchObject([
      { state: "attention", wanted: false, contractId: old?.contractId, premiumMinor: 0 },
      {
        state: "active",
        wanted: true,
        insuredLineId: lineIdAt(order, 2),
        premiumMinor: old?.premiumMinor,
        offerReferenceId: old?.offerReferenceId,
      },
    ]);
    const book = await readOrderBook(shop.shopDomain, order.id);
    expect(book?.order.items[1]).toMatchObject({ sold: { replaces: 1 }, insured: { variantId: blue() } });
    const [task] = await listOpenTasks(order);
    expect(task?.details).toMatchObject({
      contractId: old?.contractId,
      replacedBy: { contractId: items[1]?.contractId },
    });
    expect(await listContractsInForce(order)).toHaveLength(2);
    // One item was sold with insurance, and still is.
    expect(await figures()).toEqual(before);
  });

  test("while the insurer fails: the old contract is in force until the new one is", async () => {
    const order = await selling.buyAndIssue();
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, times: 1 });
    exchange(order, blue());
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["plan_refused"]));
    await settleWebhooks(order);
    expect(await listContractsInForce(order)).toHaveLength(1);
    const [task] = await listOpenTasks(order);
    const form = { tasks: task?.id ?? "", action: "retry" };
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toEqual(success());
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
    expect(await listContractsInForce(order)).toHaveLength(2);
  });

  test("after its customer withdrew, and a person checks for claims: no new contract, and a task", async () => {
    const order = await selling.buyAndIssue();
    const item = { lineId: lineIdAt(order, 1), number: 1 };
    const withdrawal = { items: [item], unchecked: [item], refundBy: "2099-12-31", isMailed: true };
    await appendToOrder(shop.shopDomain, order.id, () => [{ type: "withdrew", ...withdrawal }]);
    exchange(order, blue());
    await eventually(async () =>
      expect((await listOpenTaskKinds(order)).toSorted()).toEqual(["product_returned", "withdrawal"]),
    );
    await settleWebhooks(order);
    expect(await listItems(order)).toHaveLength(1);
  });

  test("in two steps: the task of the return closes once the replacement is added", async () => {
    const order = await selling.buyAndIssue();
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 0), quantity: 1 }] });
    expect((await returnTask(order)).details).toMatchObject({ replacement: null });
    editOrder(shop.state, order.id, { add: [{ variantId: blue(), quantity: 1 }] });
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
    expect(await listItems(order)).toMatchObject([{ state: "attention" }, { state: "active" }]);
  });

  test("for one that the customer has yet to pay for: the old contract goes on until that is paid", async () => {
    const order = await selling.buyAndIssue();
    editOrder(shop.state, order.id, {
      setQuantity: [{ lineId: lineIdAt(order, 0), quantity: 0 }],
      add: [{ variantId: blue(), quantity: 1 }],
      owed: true,
    });
    await returnTask(order);
    await settleWebhooks(order);
    expect(await listContractsInForce(order)).toHaveLength(1);
    payOrder(shop.state, order.id);
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
    expect(await listContractsInForce(order)).toHaveLength(2);
  });

  test("for the same product: its contract goes on, and nothing is to be done", async () => {
    const order = await selling.buyAndIssue();
    exchange(order, variantOf("Velin One"));
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual([]);
    expect(await listItems(order)).toMatchObject([{ state: "active", insuredLineId: lineIdAt(order, 2) }]);
    expect(await listContractsInForce(order)).toHaveLength(1);
  });

  test("and the order is cancelled: no contract is left", async () => {
    const order = await selling.buyAndIssue();
    exchange(order, blue());
    await eventually(async () => expect(await listContractsInForce(order)).toHaveLength(2));
    cancelOrder(shop.state, order.id, { refund: true });
    await eventually(async () => expect(await listContractsInForce(order)).toHaveLength(0));
  });
});

describe("cover does not move by itself", () => {
  test("where the replacement's premium differs: staff move it, and the customer pays no more", async () => {
    const order = await selling.buyAndIssue();
    const [old] = await listItems(order);
    exchange(order, variantOf("Velin Pro 12"));
    const task = await returnTask(order);
    expect(task.details).toMatchObject({
      replacement: { why: "other_premium", title: expect.stringContaining("Velin Pro 12") as string },
    });
    expect(await listContractsInForce(order)).toHaveLength(1);
    const form = { tasks: task.id, action: "move_insurance" };
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toEqual(success());
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
    const [, moved] = await listItems(order);
    expect(moved).toMatchObject({ state: "active", premiumMinor: old?.premiumMinor });
    expect(moved?.offerPriceMinor).toBeGreaterThan(old?.offerPriceMinor ?? 0);
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toMatchObject({ reason: "conflict" });
  });

  test("to other guarantees, though they cost the same: staff move it to the same ones", async () => {
    const order = await selling.buyAndIssue();
    const [old] = await listItems(order);
    const at = { shop: shop.shopDomain, referenceId: old?.offerReferenceId ?? "" };
    const sold = await db.reference.findFirstOrThrow({ where: at });
    const ofCategory = { shop: shop.shopDomain, categoryId: sold.categoryId };
    await db.reference.updateMany({ where: ofCategory, data: { formula: "Casse et vol" } });
    const priceMinor = sold.priceMinor;
    const other = {
      ...sold,
      referenceId: "0-CASSE",
      formula: "Casse",
      bandMinMinor: 0,
      bandMaxMinor: 10_000_000,
    };
    await db.reference.create({ data: { ...other, priceMinor } });
    exchange(order, variantOf("Velin Pro 12"));
    const task = await returnTask(order);
    expect(task.details).toMatchObject({ replacement: { why: "other_premium" } });
    const form = { tasks: task.id, action: "move_insurance" };
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toEqual(success());
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
    const [, moved] = await listItems(order);
    expect(moved?.offerReferenceId).not.toBe(other.referenceId);
    expect(moved?.offerPriceMinor).toBeGreaterThan(priceMinor);
    await db.reference.deleteMany({ where: { referenceId: other.referenceId } });
    await db.reference.updateMany({ where: ofCategory, data: { formula: null } });
  });

  test("where the replacement is of another kind", async () => {
    const order = await selling.buyAndIssue();
    const accessory = [...shop.state.products.values()].find((each) => each.productType === "Accessoire");
    exchange(order, variantOf(accessory?.title ?? ""));
    expect((await returnTask(order)).details).toMatchObject({
      replacement: { why: "other_kind", title: expect.stringContaining(accessory?.title ?? "?") as string },
    });
    const [task] = await listOpenTasks(order);
    const form = { tasks: task?.id ?? "", action: "move_insurance" };
    expect(await ask(actOnTask, "/app/tasks?index", { form })).toMatchObject({ reason: "conflict" });
  });

  test("to a product that was bought with it, and without insurance", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, plan, { variantId: blue(), quantity: 1 }]);
    await eventually(async () => expect(await listItems(order)).toMatchObject([{ state: "active" }]));
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 0), quantity: 1 }] });
    expect((await returnTask(order)).details).toMatchObject({ replacement: null });
  });
});

describe("the first report of an order is later than an exchange in it", () => {
  const reports: Record<string, (order: Order) => unknown> = {
    delivered: (order) => emitShopEvent(shop.state, { topic: "orders/paid", order }),
    "read by the backfill": ({ createdAt }) => {
      const from = new Date(Date.parse(createdAt) - 1_000);
      return startReconciliation(shop.shopDomain, "backfill", from, new Date());
    },
  };
  test.each(
    Object.keys(reports).flatMap((origin) => [
      { name: "of its only product", quantity: 1, kind: "premium_kept", origin },
      { name: "of one of two", quantity: 2, kind: "check_plan", origin },
    ]),
  )(
    "$name, $origin: the insurance without a product is a task with its premium",
    async ({ quantity, kind, origin }) => {
      const { phone, plan, reference } = insuredLines(selling.references);
      shop.webhooks.behaviour.approvedForOrders = false;
      const order = buy([phone, plan].map((line) => ({ ...line, quantity })));
      editOrder(shop.state, order.id, {
        setQuantity: [{ lineId: lineIdAt(order, 0), quantity: quantity - 1 }],
        add: [{ variantId: blue(), quantity: 1 }],
      });
      shop.webhooks.behaviour.approvedForOrders = true;
      await reports[origin]?.(order);
      await eventually(async () => {
        expect(await listOpenTasks(order)).toMatchObject([{ kind, atStakeMinor: reference.price }]);
        expect(await listContractsInForce(order)).toHaveLength(quantity - 1);
      });
    },
  );
});
