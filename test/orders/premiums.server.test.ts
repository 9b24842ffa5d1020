/** Every premium is a contract, a refund, or a task that names its amount: what staff do about such a task. */
import { beforeEach, describe, expect, test } from "vitest";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { appendToBook, appendToOrder, readOrderBook } from "#app/orders/book/book.server.ts";
import { action as actOnOrder, loader as openOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { action as actOnTask } from "#app/routes/app.tasks._index/route.tsx";
import { success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import {
  countWaiting,
  grantOptionalScopes,
  insuredLines,
  lineIdAt,
  listContracts,
  listOpenTaskKinds,
  listOpenTasks,
  listItems,
  readItemStates,
  setUpSellingShop,
  settleWebhooks,
} from "./selling-shop.ts";
import { ask } from "#test/routes/ask.ts";
import { cancelOrder, editOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();

const inForce = async (order: Order) =>
  (await listContracts(order)).filter(({ status }) => status === "active").length;

async function openTask(order: Order, kind: string) {
  await eventually(async () => expect(await listOpenTaskKinds(order)).toContain(kind));
  const task = (await listOpenTasks(order)).find((each) => each.kind === kind);
  if (!task) throw new Error(`No open task ${kind}`);
  return task;
}

const act = (task: { id: string }, action: string) =>
  ask(actOnTask, "/app/tasks?index", { form: { tasks: task.id, action } });

/** Staff end the insurance of one item on the order's page. */
async function endItem(order: Order, itemNumber: number): Promise<void> {
  const form = { intent: "item", action: "end", lineId: lineIdAt(order, 1), itemNumber: String(itemNumber) };
  const params = { orderId: order.id };
  const result = await ask(actOnOrder, `/app/orders/${order.id}`, { params, form });
  expect(result).toEqual(success("end"));
}

const returnProduct = (order: Order) =>
  refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 0), quantity: 1 }] });

// First: the permission is granted afterwards.
test("without the permission to change orders nothing is refunded, nothing ends, and the task says what to do", async () => {
  const order = await selling.buyAndIssue();
  returnProduct(order);
  const task = await openTask(order, "product_returned");
  expect(await act(task, "refund")).toMatchObject({ reason: "no_permission" });
  const { order: view } = await ask(openOrder, `/app/orders/${order.id}`, { params: { orderId: order.id } });
  expect(view.items.map(({ refundMinor }) => refundMinor)).toEqual([null]);
  expect(order.refunds).toHaveLength(1);
  expect(await listOpenTaskKinds(order)).toEqual(["product_returned"]);
  expect(await readItemStates(order)).toEqual(["active"]);
});

describe("a product that went back without its insurance", () => {
  beforeEach(grantOptionalScopes);

  test("the premium is refunded once, however often it is requested, and then the contract ends", async () => {
    const order = await selling.buyAndIssue();
    const item = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    returnProduct(order);
    const task = await openTask(order, "product_returned");
    expect(task).toMatchObject({ atStakeMinor: item.premiumMinor, currency: "EUR" });
    expect(await inForce(order)).toBe(1);
    const results = await Promise.all([act(task, "refund"), act(task, "refund"), act(task, "refund")]);
    expect(results).toContainEqual(success());
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await act(task, "refund")).toMatchObject({ reason: "conflict" });
    expect(order.refunds.slice(1)).toMatchObject([
      {
        lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }],
        transactions: [{ amount: item.premiumMinor }],
      },
    ]);
    await settleWebhooks(order);
    expect(await inForce(order)).toBe(0);
    expect(await listOpenTaskKinds(order)).toEqual([]);
    const entry = { action: "premium_refunded", subject: order.id };
    expect(await db.auditEntry.count({ where: entry })).toBeGreaterThan(0);
  });

  test("a refund that the payment's provider refused can be requested again", async () => {
    const order = await selling.buyAndIssue();
    returnProduct(order);
    const task = await openTask(order, "product_returned");
    order.refundRefusal = "The gateway did not answer";
    expect(await act(task, "refund")).toMatchObject({ state: "refused" });
    delete order.refundRefusal;
    // Shopify would return the first result of the same idempotency key again.
    expect(await act(await openTask(order, "product_returned"), "refund")).toEqual(success());
    expect(order.refunds).toHaveLength(2);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
  });

  test("the insurance goes on where the merchant keeps it, and later reports do not ask again", async () => {
    const order = await selling.buyAndIssue();
    returnProduct(order);
    expect(await act(await openTask(order, "product_returned"), "keep_insurance")).toEqual(success());
    expect(await listOpenTaskKinds(order)).toEqual([]);
    refundOrder(shop.state, order.id, { amount: 1 });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual([]);
    expect(await inForce(order)).toBe(1);
  });

  test("the task closes where the product is put back", async () => {
    const order = await selling.buyAndIssue();
    editOrder(shop.state, order.id, { setQuantity: [{ lineId: lineIdAt(order, 0), quantity: 0 }] });
    await openTask(order, "product_returned");
    editOrder(shop.state, order.id, { setQuantity: [{ lineId: lineIdAt(order, 0), quantity: 1 }] });
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual([]));
    expect(await readItemStates(order)).toEqual(["active"]);
  });
});

test("a premium is not refunded once the shop's order has its product again, though that webhook was lost", async () => {
  await grantOptionalScopes();
  const order = await selling.buyAndIssue();
  const setQuantity = (quantity: number) =>
    editOrder(shop.state, order.id, { setQuantity: [{ lineId: lineIdAt(order, 0), quantity }] });
  setQuantity(0);
  const task = await openTask(order, "product_returned");
  shop.webhooks.behaviour.dropShare = 1;
  setQuantity(1);
  shop.webhooks.behaviour.dropShare = 0;
  expect(await act(task, "refund")).toMatchObject({ reason: "conflict" });
  expect(order.refunds).toEqual([]);
  expect(await listOpenTaskKinds(order)).toEqual([]);
  expect(await inForce(order)).toBe(1);
});

test("no more premiums are refunded than the person saw: where another was lost, the task changes first", async () => {
  await grantOptionalScopes();
  const order = await selling.buyAndIssue({ quantity: 2 });
  returnProduct(order);
  const task = await openTask(order, "product_returned");
  shop.webhooks.behaviour.dropShare = 1;
  returnProduct(order);
  shop.webhooks.behaviour.dropShare = 0;
  expect(await act(task, "refund")).toMatchObject({ reason: "conflict" });
  expect(order.refunds).toHaveLength(2);
  const changed = await openTask(order, "product_returned");
  expect(changed.details).toMatchObject({ surplus: 2 });
  expect(await act(changed, "refund")).toEqual(success());
  await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
});

test("insurance that staff end is a task until its premium is refunded, which takes the same item", async () => {
  await grantOptionalScopes();
  const order = await selling.buyAndIssue({ quantity: 2 });
  await endItem(order, 1);
  const task = await openTask(order, "premium_kept");
  expect(await act(task, "refund")).toEqual(success());
  await settleWebhooks(order);
  const book = await readOrderBook(shop.shopDomain, order.id);
  expect(book?.order.items.map(({ number, left }) => [number, left])).toEqual([
    [1, "refund"],
    [2, null],
  ]);
  expect((await listItems(order)).map(({ wanted }) => wanted)).toEqual([false, true]);
  await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
});

describe("insurance that staff end with its refund", () => {
  const end = (order: Order, form: Record<string, string>) =>
    ask(actOnOrder, `/app/orders/${order.id}`, {
      params: { orderId: order.id },
      form: { ...form, refund: "yes" },
    });
  const itemForm = (order: Order, itemNumber: number) => ({
    intent: "item",
    action: "end",
    lineId: lineIdAt(order, 1),
    itemNumber: String(itemNumber),
  });
  const refundsOf = async (order: Order) =>
    (await ask(openOrder, `/app/orders/${order.id}`, { params: { orderId: order.id } })).order.items.map(
      ({ refundMinor }) => refundMinor,
    );
  beforeEach(grantOptionalScopes);

  test("takes its own premium alone, once", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const [first, second] = await listItems(order);
    expect(await refundsOf(order)).toEqual([first?.premiumMinor, second?.premiumMinor]);
    const results = await Promise.all([end(order, itemForm(order, 1)), end(order, itemForm(order, 1))]);
    expect(results).toContainEqual(success("end_refunded"));
    await settleWebhooks(order);
    expect(order.refunds).toMatchObject([{ lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }] }]);
    expect(await refundsOf(order)).toEqual([null, second?.premiumMinor]);
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["manual_cancellation"]));
  });

  test("takes all premiums where all contracts are cancelled", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    expect(await end(order, { intent: "end_all" })).toEqual(success("end_refunded"));
    await settleWebhooks(order);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    expect(order.refunds).toMatchObject([{ lines: [{ quantity: 2 }] }]);
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  test("leaves the premium of a withdrawal to its own task, and says that nothing was refunded", async () => {
    const order = await selling.buyAndIssue();
    const item = { lineId: lineIdAt(order, 1), number: 1 };
    const withdrawal = { items: [item], unchecked: [item], refundBy: "2099-12-31", isMailed: true };
    await appendToOrder(shop.shopDomain, order.id, () => [{ type: "withdrew", ...withdrawal }]);
    expect(await refundsOf(order)).toEqual([null]);
    expect(await end(order, itemForm(order, 1))).toMatchObject({ state: "refused", reason: "not_refunded" });
    expect(order.refunds).toEqual([]);
    expect((await openTask(order, "withdrawal")).kind).toBe("withdrawal");
  });

  test("ends also where Shopify refuses the refund, which stays a task", async () => {
    const order = await selling.buyAndIssue();
    order.refundRefusal = "The gateway did not answer";
    expect(await end(order, itemForm(order, 1))).toMatchObject({ state: "refused", reason: "not_refunded" });
    delete order.refundRefusal;
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    const task = await openTask(order, "premium_kept");
    const [item] = await listItems(order);
    expect(task.details).toMatchObject({
      premiumMinor: item?.premiumMinor,
      plans: [expect.stringContaining(item?.contractId ?? "?") as string],
    });
    expect(order.refunds).toEqual([]);
  });
});

test("an answer about a premium waits for what is being stored of its order, which asks for it no second time", async () => {
  const order = await selling.buyAndIssue();
  await endItem(order, 1);
  const task = await openTask(order, "premium_kept");
  const store = async (tx: Transaction) => {
    let answer: ReturnType<typeof act> | undefined;
    await appendToBook(tx, shop.shopDomain, order.id, async () => {
      answer = act(task, "done");
      await eventually(async () => expect(await countWaiting()).toBeGreaterThan(0));
      return [{ type: "edited", editId: "1", removed: [], asOf: new Date() }];
    });
    return { answer };
  };
  const { answer } = await db.$transaction(store, { timeout: 180_000 });
  expect(await answer).toEqual(success());
  expect(await listOpenTaskKinds(order)).not.toContain("premium_kept");
});

describe("money that was paid back without items", () => {
  test("is a task with its amount, and ending the insurance asks for no further refund", async () => {
    const order = await selling.buyAndIssue();
    refundOrder(shop.state, order.id, { amount: 20_000 });
    const task = await openTask(order, "paid_back");
    expect(task.details).toMatchObject({ isWhole: false, paidBackMinor: 20_000, paidBackCurrency: "EUR" });
    expect(await inForce(order)).toBe(1);
    expect(await act(task, "end_insurance")).toEqual(success());
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  test("that is less than all premiums leaves the rest open once the insurance ends", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const { premiumMinor } = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    refundOrder(shop.state, order.id, { amount: premiumMinor });
    const task = await openTask(order, "paid_back");
    expect(task.details).toMatchObject({ paidBackMinor: premiumMinor, premiumMinor: 2 * premiumMinor });
    expect(await act(task, "end_insurance")).toEqual(success());
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    expect(await listOpenTasks(order)).toMatchObject([{ kind: "premium_kept", details: { premiumMinor } }]);
  });

  test("in two parts is one task of their sum, whose end of the insurance asks for no premiums", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const { premiumMinor } = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    refundOrder(shop.state, order.id, { amount: premiumMinor });
    await openTask(order, "paid_back");
    refundOrder(shop.state, order.id, { amount: premiumMinor });
    await eventually(async () =>
      expect((await openTask(order, "paid_back")).details).toMatchObject({ paidBackMinor: 2 * premiumMinor }),
    );
    expect(await act(await openTask(order, "paid_back"), "end_insurance")).toEqual(success());
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    expect(await listOpenTasks(order)).toEqual([]);
  });

  test("is answered once, however often that is sent", async () => {
    const order = await selling.buyAndIssue();
    refundOrder(shop.state, order.id, { amount: 20_000 });
    const task = await openTask(order, "paid_back");
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(task, "end_insurance")));
    expect(answers).toContainEqual(success());
    expect(await act(task, "end_insurance")).toMatchObject({ reason: "conflict" });
    const entry = { action: "insurance_ended", subject: order.id };
    expect(await db.auditEntry.count({ where: entry })).toBe(1);
  });

  test("is no question any more once the insurance is refunded with its item", async () => {
    const order = await selling.buyAndIssue();
    refundOrder(shop.state, order.id, { amount: 20_000 });
    await openTask(order, "paid_back");
    refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual([]));
  });

  test("pays the premium of insurance that staff end meanwhile, so that nothing is asked any more", async () => {
    const order = await selling.buyAndIssue();
    refundOrder(shop.state, order.id, { amount: 20_000 });
    const task = await openTask(order, "paid_back");
    await endItem(order, 1);
    expect(await listOpenTaskKinds(order)).toEqual([]);
    expect(await act(task, "end_insurance")).toMatchObject({ reason: "conflict" });
  });

  test("is none where it is less than any premium", async () => {
    const order = await selling.buyAndIssue();
    refundOrder(shop.state, order.id, { amount: 100 });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  test("is none where it is the premium of insurance that ended, and the other contract goes on", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const { premiumMinor } = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    await endItem(order, 1);
    await openTask(order, "premium_kept");
    refundOrder(shop.state, order.id, { amount: premiumMinor });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).not.toContain("paid_back");
    expect((await listItems(order)).map(({ wanted }) => wanted)).toEqual([false, true]);
  });

  test("that is for some of the premiums leaves the others open once the insurance ends", async () => {
    const order = await selling.buyAndIssue({ quantity: 3 });
    const { premiumMinor } = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    await endItem(order, 1);
    refundOrder(shop.state, order.id, { amount: 2 * premiumMinor });
    expect(await act(await openTask(order, "paid_back"), "end_insurance")).toEqual(success());
    expect(await openTask(order, "premium_kept")).toMatchObject({ atStakeMinor: premiumMinor });
  });

  test("is none once the order is cancelled: another task asks for the premium already", async () => {
    const order = await selling.buyAndIssue();
    cancelOrder(shop.state, order.id, { refund: false });
    await openTask(order, "premium_kept");
    refundOrder(shop.state, order.id, { amount: 20_000 });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual(["premium_kept"]);
  });

  test("is none where it is the shipping, whatever that costs", async () => {
    const order = await selling.buyAndIssue({ shippingPrice: 20_000 });
    refundOrder(shop.state, order.id, { shipping: true });
    await settleWebhooks(order);
    expect(order.refunds).toMatchObject([{ transactions: [{ amount: 20_000 }] }]);
    expect(await listOpenTaskKinds(order)).toEqual([]);
  });

  test("in part and then as a whole ends the insurance without a question about its premium", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const paid = order.payments.reduce((sum, { amount }) => sum + amount, 0);
    const { premiumMinor } = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    refundOrder(shop.state, order.id, { amount: premiumMinor });
    await openTask(order, "paid_back");
    refundOrder(shop.state, order.id, { amount: paid - premiumMinor });
    await eventually(async () =>
      expect(await openTask(order, "paid_back")).toMatchObject({ details: { isWhole: true } }),
    );
    expect(await act(await openTask(order, "paid_back"), "end_insurance")).toEqual(success());
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled", "cancelled"]));
    expect(await listOpenTasks(order)).toEqual([]);
  });

  test("of the whole order is a task, which is answered once", async () => {
    const order = await selling.buyAndIssue();
    const paid = order.payments.reduce((sum, { amount }) => sum + amount, 0);
    refundOrder(shop.state, order.id, { amount: paid });
    // The order's report opens the task, and the refund's own part of the same webhook does so again.
    await settleWebhooks(order);
    const task = await openTask(order, "paid_back");
    expect(await act(task, "keep_insurance")).toEqual(success());
    editOrder(shop.state, order.id, { add: [insuredLines(selling.references).phone] });
    await settleWebhooks(order);
    expect(await listOpenTaskKinds(order)).toEqual([]);
    expect(await inForce(order)).toBe(1);
  });
});
