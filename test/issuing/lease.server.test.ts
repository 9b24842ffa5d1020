import { expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { acquireOrder } from "#app/issuing/working-order.server.ts";
import { eventually } from "#test/eventually.ts";
import { shop } from "#test/world.ts";
import {
  setUpSellingShop,
  grantOptionalScopes,
  findSalesRecord,
  readItemStates,
} from "#test/orders/selling-shop.ts";

const HOUR_MS = 3_600_000;
const selling = setUpSellingShop();

test("an order whose worker died is taken up once the lease has ended, though its webhook was retried before", async () => {
  const order = selling.buyInsured();
  await eventually(async () => expect((await findSalesRecord(order))?.recordings).toBe(1));
  const where = { shop: shop.shopDomain, orderId: order.id };
  await eventually(async () =>
    expect(await db.order.count({ where: { ...where, leaseHolder: null } })).toBe(1),
  );

  const leaseExpiresAt = new Date(Date.now() + HOUR_MS);
  await db.order.updateMany({ where, data: { leaseHolder: "dead", leaseExpiresAt } });
  await appendToOrder(
    shop.shopDomain,
    order.id,
    () => [{ type: "sales_record", outcome: "due", message: null }],
    { sendsJob: false },
  );
  await reconcileOrder(shop.shopDomain, order.id);
  expect(await db.order.count({ where: { ...where, leaseHolder: "dead", salesRecordStatus: "none" } })).toBe(
    1,
  );
  // The hour passes: for the lease, and for the job that waits for its end.
  await db.order.updateMany({ where, data: { leaseExpiresAt: new Date() } });
  const waited = await db.$executeRaw`
    UPDATE pgboss.job SET start_after = now()
    WHERE name = 'order' AND data->>'orderId' = ${order.id} AND start_after >= ${leaseExpiresAt}`;
  expect(waited).toBe(1);
  await eventually(async () => expect((await findSalesRecord(order))?.recordings).toBe(2));
  await eventually(async () =>
    expect(
      await db.order.count({ where: { ...where, leaseHolder: null, salesRecordStatus: "recorded" } }),
    ).toBe(1),
  );
  expect(await readItemStates(order)).toEqual(["active"]);
});

test("an order that became due while a worker leased it is read again, and stays due until then", async () => {
  const order = selling.buyInsured();
  const where = { shop: shop.shopDomain, orderId: order.id };
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  const leased = await eventually(async () => {
    const taken = await acquireOrder(shop.shopDomain, order.id);
    return taken !== null && "lease" in taken ? taken : null;
  });
  await grantOptionalScopes();
  await eventually(async () => expect(await db.order.count({ where: { ...where, dueAt: null } })).toBe(0));
  const released = await leased.lease.release({ dueAt: null, waits: false });
  expect(released.isCurrent).toBe(false);
  expect(await db.order.count({ where: { ...where, dueAt: null } })).toBe(0);
});
