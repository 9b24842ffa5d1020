import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { workOnOrder } from "#app/plans/work.server.ts";
import { shop } from "#test/world.ts";
import { buy, eventually, insuredLines, openSellingShop, recordOf, unitStates } from "./selling.ts";
import type { SellingShop } from "./selling.ts";

let selling: SellingShop;
beforeAll(async () => {
  selling = await openSellingShop();
});
afterAll(() => selling.close());

test("an order whose worker died with its claim is worked on once that has ended, though its event came back before", async () => {
  const { phone, plan } = insuredLines(selling.references);
  const order = buy([phone, plan]);
  await eventually(async () => expect((await recordOf(order))?.recordings).toBe(1));
  const where = { shop: shop.shopDomain, orderId: order.id };
  await eventually(async () => expect(await db.order.count({ where: { ...where, leaseBy: null } })).toBe(1));

  const leaseUntil = new Date(Date.now() + 2_000);
  await db.order.updateMany({ where, data: { record: "none", leaseBy: "dead", leaseUntil } });
  await workOnOrder(shop.shopDomain, order.id);
  expect(await db.order.count({ where: { ...where, leaseBy: "dead", record: "none" } })).toBe(1);
  await eventually(async () => expect((await recordOf(order))?.recordings).toBe(2));
  await eventually(async () =>
    expect(await db.order.count({ where: { ...where, leaseBy: null, record: "recorded" } })).toBe(1),
  );
  expect(await unitStates(order)).toEqual(["active"]);
});
