import { expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { transitionItem, itemRow } from "#app/orders/ledger/items.server.ts";
import { eventually } from "#test/eventually.ts";
import { setUpSellingShop, listContracts, readItemStates } from "#test/orders/selling-shop.ts";
import { insurance } from "#test/world.ts";

const selling = setUpSellingShop();

test("a worker that was stopped and resumed cannot move an item that another worker has sent since", async () => {
  // The first attempt never reaches the insurer, and its worker is gone.
  insurance.faults.add({ operation: "plans.create", kind: "reset_before" });
  const answer = insurance.faults.hold("plans.create");
  const order = selling.buyInsured();
  // Another worker has looked the plan up, and sends it again.
  const sent = await eventually(async () => {
    const item = itemRow.parse(await db.insuredItem.findFirst({ where: { orderId: order.id } }));
    expect(item).toMatchObject({ state: "creating", attempt: 2 });
    return item;
  });
  const stopped = { ...sent, attempt: 1 };
  expect(await transitionItem(stopped, "deferred", { note: "the lease had ended" })).toBeNull();
  answer();
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  expect(await listContracts(order)).toHaveLength(1);
});
