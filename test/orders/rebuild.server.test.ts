/** The lists of orders, items and tasks are derived: rebuilt from the books they are the same. */
import { expect, test } from "vitest";
import { staff } from "#app/audit/actor.ts";
import { scheduleIssuing } from "#app/orders/schedule.server.ts";
import { saveQuoteSettings } from "#app/quotes/of-orders/save-quote-settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { rebuildOrders } from "#app/processes/rebuild-orders.server.ts";
import { declareWithdrawal, readWithdrawal } from "#app/withdrawals/withdraw.server.ts";
import { eventually } from "#test/eventually.ts";
import { cancelOrder, editOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";
import {
  buy,
  grantOptionalScopes,
  insuredLines,
  letPaymentAge,
  lineIdAt,
  listEvents,
  listOpenTaskKinds,
  readItemStates,
  setUpSellingShop,
  settleWebhooks,
} from "./selling-shop.ts";

const selling = setUpSellingShop();

/** What the store wrote; a comparison with the insurer writes its own time. */
async function readRows() {
  const where = { shop: shop.shopDomain };
  const [orders, lines, items, quotes, tasks, movements] = await Promise.all([
    db.order.findMany({ where, orderBy: { orderId: "asc" } }),
    db.orderLine.findMany({ where, orderBy: [{ orderId: "asc" }, { lineId: "asc" }] }),
    db.insuredItem.findMany({
      where,
      omit: { comparedAt: true },
      orderBy: [{ orderId: "asc" }, { lineId: "asc" }, { itemNumber: "asc" }],
    }),
    db.orderQuote.findMany({
      where,
      orderBy: [{ orderId: "asc" }, { lineId: "asc" }, { itemNumber: "asc" }],
    }),
    db.task.findMany({ where, orderBy: { key: "asc" } }),
    db.premiumMovement.findMany({
      where,
      omit: { id: true },
      orderBy: [{ orderId: "asc" }, { knownAt: "asc" }, { itemNumber: "asc" }, { kind: "asc" }],
    }),
  ]);
  return { orders, lines, items, quotes, tasks, movements };
}

/** An order without insurance whose quotes are due. */
async function buyQuoted(): Promise<Order> {
  const since = new Date(Date.now() - 10 * 86_400_000);
  await saveQuoteSettings(shop.shopDomain, { isOn: true, delayHours: 24 }, staff("1"), null, since);
  await grantOptionalScopes();
  const { phone } = insuredLines(selling.references, { quantity: 3 });
  const order = buy([{ ...phone, properties: [] }], { acceptsMarketing: true });
  await settleWebhooks(order);
  await letPaymentAge(order, 25);
  await scheduleIssuing(db, shop.shopDomain, order.id);
  return order;
}

const readQuoteStates = async ({ id: orderId }: Order): Promise<string[]> =>
  (await db.orderQuote.findMany({ where: { orderId }, orderBy: { itemNumber: "asc" } })).map(
    ({ state }) => state,
  );

async function withdrawn(order: Order): Promise<void> {
  const view = await readWithdrawal(shop.shopDomain, order.id);
  if (!view) throw new Error("The order is not known");
  await declareWithdrawal(view, view.items, { name: "Ana", email: null, language: "en" });
}

test("rows rebuilt from the books of orders are the same, with the times and outcomes of tasks", async () => {
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
  insurance.faults.add({ operation: "leads.create", kind: "status", status: 422, times: 1 });
  const quoted = await buyQuoted();
  await eventually(async () => expect(await readQuoteStates(quoted)).toEqual(["refused", "open", "open"]));
  refundOrder(shop.state, quoted.id, { lines: [{ lineId: lineIdAt(quoted, 0), quantity: 2 }] });
  await eventually(async () => expect(await readQuoteStates(quoted)).toEqual(["refused", "open", "revoked"]));
  await eventually(async () => expect(await listEvents(quoted, "quotes_shown")).toHaveLength(2));
  for (const order of orders) await settleWebhooks(order);
  await eventually(async () => expect(await readItemStates(cancelled)).toEqual(["cancelled", "cancelled"]));
  await eventually(async () => expect(await listOpenTaskKinds(paidBack)).toEqual(["paid_back"]));
  await eventually(async () => expect(await listOpenTaskKinds(edited)).toContain("premium_kept"));
  await eventually(async () =>
    expect(await db.order.count({ where: { shop: shop.shopDomain, leaseHolder: { not: null } } })).toBe(0),
  );
  const before = await readRows();
  expect(before.tasks.length).toBeGreaterThan(4);
  expect(before.movements.length).toBeGreaterThan(20);
  await rebuildOrders(shop.shopDomain, () => true);
  expect(await readRows()).toEqual(before);
});
