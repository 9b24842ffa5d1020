import { expect, it } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { pauseAccount } from "#app/plans/issuing/pauses.server.ts";
import { probeAccount } from "#app/plans/issuing/probe-account.server.ts";
import { eventually } from "#test/eventually.ts";
import {
  buy,
  clearFaults,
  injectFault,
  insuredLines,
  listContracts,
  readUnitStates,
  setUpSellingShop,
} from "#test/plans/selling-shop.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

it("stays paused while contracts are refused, though the service answers other requests; then all orders go on", async () => {
  await injectFault({ operation: "plans.create", kind: "status", status: 503, times: null });
  const { phone, plan } = insuredLines(selling.references);
  const orders = [buy([phone, plan]), buy([phone, plan])];
  const [first] = orders;
  await eventually(async () => expect(await db.order.count({ where: { shop: domain } })).toBe(2));
  await pauseAccount(domain, first?.id ?? "");
  await eventually(async () => expect(await db.waitingOrder.count({ where: { shop: domain } })).toBe(2));
  await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toThrow();
  expect(await db.accountPause.count({ where: { shop: domain } })).toBe(1);
  expect(await db.waitingOrder.count({ where: { shop: domain } })).toBe(2);
  await clearFaults();
  for (const order of orders) {
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  }
  expect(await db.accountPause.count({ where: { shop: domain } })).toBe(0);
});

it("an order's own trouble does not hold the others of its account", async () => {
  const { phone, plan } = insuredLines(selling.references);
  const [poisoned, sound] = [buy([phone, plan]), buy([phone, plan])];
  const where = { shop: domain, orderId: { in: [poisoned.id, sound.id] }, salesRecordStatus: "recorded" };
  await eventually(async () =>
    expect(await db.order.count({ where: { ...where, leaseHolder: null } })).toBe(2),
  );
  await db.accountPause.create({ data: { shop: domain, environment: "test" } });
  // What cannot be opened fails before anything is sent.
  await db.order.updateMany({
    where: { shop: domain, orderId: poisoned.id },
    data: { sealedCustomer: "damaged" },
  });
  for (const [since, { id }] of [poisoned, sound].entries()) {
    await db.waitingOrder.create({
      data: { shop: domain, orderId: id, environment: "test", since: new Date(since) },
    });
  }
  await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toThrow();
  await probeAccount({ shop: domain, environment: "test" });
  expect(await db.accountPause.count({ where: { shop: domain } })).toBe(0);
});
