/** The tags that orders have in the shop: from a webhook, or a setting, to what the stand-in's order shows. */
import { beforeAll, expect, test } from "vitest";
import { action as saveSettings } from "#app/routes/app.settings/route.tsx";
import { action as actOnTask } from "#app/routes/app.tasks._index/route.tsx";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import {
  buy,
  grantOptionalScopes,
  insuredLines,
  listEvents,
  listOpenTasks,
  setUpSellingShop,
} from "#test/orders/selling-shop.ts";
import { ask } from "#test/routes/ask.ts";
import { cancelOrder, refundOrder, tagOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";

const selling = setUpSellingShop();

async function save(tagsOrders: boolean): Promise<void> {
  // An order of which a line is fulfilled can no longer be cancelled.
  const settings = { ...defaultMerchantSettings, tagsOrders, fulfilsPlans: "never" } as const;
  expect(await ask(saveSettings, "/app/settings", { json: { intent: "save", settings } })).toEqual(success());
}

const hasTags = (order: Order, tags: readonly string[]) => eventually(() => expect(order.tags).toEqual(tags));

/** Its book notes this many changes of tags. */
const isNoted = (order: Order, changes: number) =>
  eventually(async () => expect(await listEvents(order, "tagged")).toHaveLength(changes));

let untagged: Order;
beforeAll(async () => {
  untagged = await selling.buyAndIssue();
  await save(true);
});

test("without the scope no tag is written, and once it is granted, earlier orders get theirs", async () => {
  const order = await selling.buyAndIssue();
  await reconcileOrder(shop.shopDomain, order.id);
  expect([order.tags, await listEvents(order, "tagged")]).toEqual([[], []]);
  await grantOptionalScopes();
  await hasTags(order, ["insured"]);
  await hasTags(untagged, ["insured"]);
});

test("an order has the tag from its contract to its cancellation, beside the merchant's own", async () => {
  const { phone, plan } = insuredLines(selling.references);
  const order = buy([phone, plan], { tags: ["vip"] });
  await hasTags(order, ["vip", "insured"]);
  tagOrder(shop.state, order.id, ["gift"]);
  cancelOrder(shop.state, order.id);
  await hasTags(order, ["vip", "gift"]);
  await isNoted(order, 2);
});

test("the tag is written once, also after a lost answer", async () => {
  shop.faults.add({ operation: "ParasolAddTags", status: 500, times: 1 });
  const order = selling.buyInsured();
  await hasTags(order, ["insured"]);
  await isNoted(order, 1);
  const { updatedAt } = order;
  await reconcileOrder(shop.shopDomain, order.id);
  expect(order.updatedAt).toBe(updatedAt);
});

test("a contract that a person has to end keeps its tag beside the task's", async () => {
  const order = await selling.buyAndIssue({ quantity: 2 });
  refundOrder(shop.state, order.id, { lines: order.lines.map(({ id }) => ({ lineId: id, quantity: 1 })) });
  await hasTags(order, ["insured", "insurance-attention"]);
});

test("an order with an open task says so, until a person has answered it", async () => {
  const { phone, plan } = insuredLines(selling.references);
  const order = buy([phone, { ...plan, price: 1 }], { tags: ["insurance-wish"] });
  await hasTags(order, ["insurance-wish", "insurance-attention"]);
  const [task] = await listOpenTasks(order);
  const form = { tasks: task?.id ?? "", action: "retry" };
  expect(await ask(actOnTask, "/app/tasks?index", { form })).toEqual(success());
  await hasTags(order, ["insurance-wish", "insured"]);
});

test("an order without insurance gets none, and one whose contract is refused asks for attention", async () => {
  const { phone } = insuredLines(selling.references);
  const plain = buy([phone]);
  await eventually(async () => expect(await listEvents(plain, "sales_record")).not.toEqual([]));
  expect(plain.tags).toEqual([]);
  insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message: "No", times: 1 });
  const order = selling.buyInsured();
  await hasTags(order, ["insurance-attention"]);
});

test("turned off, both tags go, and turned on they are back", async () => {
  const order = await selling.buyAndIssue();
  await hasTags(order, ["insured"]);
  tagOrder(shop.state, order.id, ["vip"]);
  await isNoted(order, 1);
  await save(false);
  await hasTags(order, ["vip"]);
  const later = await selling.buyAndIssue();
  await isNoted(order, 2);
  expect(later.tags).toEqual([]);
  await save(true);
  await hasTags(order, ["vip", "insured"]);
  await hasTags(later, ["insured"]);
});
