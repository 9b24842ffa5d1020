/** The lists of orders, items and tasks are derived: written anew from the books they are the same. */
import { expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { rebuildOrders } from "#app/processes/rebuild-orders.server.ts";
import { declareWithdrawal, readWithdrawal } from "#app/withdrawals/withdraw.server.ts";
import { eventually } from "#test/eventually.ts";
import { cancelOrder, editOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";
import {
  lineIdAt,
  listOpenTaskKinds,
  readItemStates,
  setUpSellingShop,
  settleWebhooks,
} from "./selling-shop.ts";

const selling = setUpSellingShop();

/** What the store wrote; a comparison with the insurer writes its own time. */
async function readRows() {
  const where = { shop: shop.shopDomain };
  const [orders, lines, items, tasks] = await Promise.all([
    db.order.findMany({ where, orderBy: { orderId: "asc" } }),
    db.orderLine.findMany({ where, orderBy: [{ orderId: "asc" }, { lineId: "asc" }] }),
    db.insuredItem.findMany({
      where,
      omit: { comparedAt: true },
      orderBy: [{ orderId: "asc" }, { lineId: "asc" }, { itemNumber: "asc" }],
    }),
    db.task.findMany({ where, orderBy: { key: "asc" } }),
  ]);
  return { orders, lines, items, tasks };
}

async function withdrawn(order: Order): Promise<void> {
  const view = await readWithdrawal(shop.shopDomain, order.id);
  if (!view) throw new Error("The order is not known");
  await declareWithdrawal(view, view.items, { name: "Ana", email: null, language: "en" });
}

test("rows written anew from the books of orders are the same, with the times and outcomes of tasks", async () => {
  const orders: Order[] = [];
  for (let bought = 0; bought < 6; bought += 1)
    orders.push(await selling.buyAndIssue({ quantity: 2, plans: 2 }));
  const [plain, returned, edited, cancelled, withdrew, paidBack] = orders;
  if (!plain || !returned || !edited || !cancelled || !withdrew || !paidBack)
    throw new Error("Six were bought");
  refundOrder(shop.state, returned.id, { lines: [{ lineId: lineIdAt(returned, 0), quantity: 1 }] });
  await eventually(async () => expect(await listOpenTaskKinds(returned)).toEqual(["product_returned"]));
  refundOrder(shop.state, returned.id, { lines: [{ lineId: lineIdAt(returned, 1), quantity: 1 }] });
  editOrder(shop.state, edited.id, { setQuantity: [{ lineId: lineIdAt(edited, 1), quantity: 1 }] });
  cancelOrder(shop.state, cancelled.id);
  await withdrawn(withdrew);
  refundOrder(shop.state, paidBack.id, { amount: 6_000 });
  insurance.faults.add({ operation: "plans.create", kind: "reset_after", times: 1 });
  await selling.buyAndIssue();
  for (const order of orders) await settleWebhooks(order);
  await eventually(async () => expect(await readItemStates(cancelled)).toEqual(["cancelled", "cancelled"]));
  await eventually(async () => expect(await listOpenTaskKinds(paidBack)).toEqual(["paid_back"]));
  await eventually(async () => expect(await listOpenTaskKinds(edited)).toContain("premium_kept"));
  await eventually(async () =>
    expect(await db.order.count({ where: { shop: shop.shopDomain, leaseHolder: { not: null } } })).toBe(0),
  );
  const before = await readRows();
  expect(before.tasks.length).toBeGreaterThan(4);
  await rebuildOrders(shop.shopDomain, () => true);
  expect(await readRows()).toEqual(before);
});
