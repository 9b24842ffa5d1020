import { expect, it } from "vitest";
import { jobQueue, sendJob } from "#app/jobs/queue.server.ts";
import { accountProbeKey } from "#app/merchants/connection-state.server.ts";
import { db } from "#app/platform/db.server.ts";
import { probeAccount, probeAllPaused } from "#app/issuing/probe-account.server.ts";
import { openTask } from "#app/orders/tasks/tasks.server.ts";
import { eventually } from "#test/eventually.ts";
import {
  grantOptionalScopes,
  listContracts,
  readItemStates,
  setUpSellingShop,
} from "#test/orders/selling-shop.ts";
import { insurance, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

it("stays paused while contracts are refused, though the insurer answers other requests; then all orders go on", async () => {
  insurance.faults.add({ operation: "plans.create", kind: "status", status: 503, times: null });
  const orders = [selling.buyInsured(), selling.buyInsured()];
  await eventually(async () => expect(await db.order.count({ where: { shop: domain } })).toBe(2));
  await eventually(async () => {
    // As `pauseAccount` does, without its probe: one that is faster than the orders ends a pause that none waits for.
    await db.accountPause.createMany({ data: { shop: domain, environment: "test" }, skipDuplicates: true });
    expect(await db.waitingOrder.count({ where: { shop: domain } })).toBe(2);
  });
  await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toThrow();
  expect(await db.accountPause.count({ where: { shop: domain } })).toBe(1);
  expect(await db.waitingOrder.count({ where: { shop: domain } })).toBe(2);
  insurance.faults.clear();
  await probeAllPaused();
  for (const order of orders) {
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  }
  await eventually(async () => expect(await db.accountPause.count({ where: { shop: domain } })).toBe(0));
});

it("is not resumed by an order without a request to the insurer, nor by one that the insurer refuses itself", async () => {
  const [poisoned, idle] = [selling.buyInsured(), selling.buyInsured()];
  const where = { shop: domain, orderId: { in: [poisoned.id, idle.id] }, salesRecordStatus: "recorded" };
  await eventually(async () =>
    expect(await db.order.count({ where: { ...where, leaseHolder: null } })).toBe(2),
  );
  insurance.faults.add({ operation: "*", kind: "status", status: 503, times: null });
  // Without its job, so that only this test probes.
  await db.accountPause.create({ data: { shop: domain, environment: "test" } });
  // What cannot be opened fails before anything is sent.
  await db.order.updateMany({
    where: { shop: domain, orderId: poisoned.id },
    data: { sealedCustomer: "damaged" },
  });
  for (const [since, { id }] of [poisoned, idle].entries()) {
    await db.waitingOrder.create({
      data: { shop: domain, orderId: id, environment: "test", since: new Date(since) },
    });
  }
  await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toThrow();
  await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toThrow();
  expect(await db.waitingOrder.findMany({ where: { shop: domain } })).toMatchObject([
    { orderId: poisoned.id },
  ]);
  expect(await db.accountPause.count({ where: { shop: domain } })).toBe(1);
  // A new order, which the insurer decides, ends it, and all others go on.
  insurance.faults.clear();
  const served = selling.buyInsured();
  await eventually(async () =>
    expect(await db.waitingOrder.count({ where: { shop: domain, orderId: served.id } })).toBe(1),
  );
  await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toThrow();
  await probeAccount({ shop: domain, environment: "test" });
  expect(await db.accountPause.count({ where: { shop: domain } })).toBe(0);
  await eventually(async () => expect(await readItemStates(served)).toEqual(["active"]));
});

it("is not refused because one request is: the account stays accepted, and no task names a token", async () => {
  insurance.faults.add({ operation: "plans.create", kind: "status", status: 403, times: null });
  const order = selling.buyInsured();
  await eventually(async () =>
    expect(await db.waitingOrder.count({ where: { shop: domain, orderId: order.id } })).toBe(1),
  );
  await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toThrow();
  const connection = { where: { shop: domain, environment: "test" } };
  expect(await db.connection.findFirst(connection)).toMatchObject({ state: "accepted" });
  expect(await db.task.count({ where: { shop: domain, kind: "connection" } })).toBe(0);
  insurance.faults.clear();
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
});

it("is accepted again with the first order that the insurer insures", async () => {
  await db.connection.updateMany({ where: { shop: domain }, data: { state: "refused" } });
  await openTask({ shop: domain, kind: "connection", details: { problem: "refused" } });
  await selling.buyAndIssue();
  await eventually(async () => {
    expect(await db.connection.findFirst({ where: { shop: domain } })).toMatchObject({ state: "accepted" });
    expect(await db.task.count({ where: { shop: domain, kind: "connection", closedAt: null } })).toBe(0);
  });
});

it("has one probe, however often the hourly job looks", async () => {
  const account = { shop: domain, environment: "production" } as const;
  const singletonKey = accountProbeKey(account);
  await db.accountPause.create({ data: account });
  await sendJob(db, "account-probe", account, { singletonKey, startAfter: new Date(Date.now() + 3_600_000) });
  await probeAllPaused();
  await probeAllPaused();
  const queue = await jobQueue();
  expect(await queue.findJobs("account-probe", { key: singletonKey })).toHaveLength(1);
});

it("ends with the first order that the insurer insures, though the shop does not take what is shown of it", async () => {
  await grantOptionalScopes();
  insurance.faults.add({ operation: "plans.create", kind: "status", status: 503, times: null });
  const order = selling.buyInsured();
  await eventually(async () => {
    await db.accountPause.createMany({ data: { shop: domain, environment: "test" }, skipDuplicates: true });
    expect(await db.waitingOrder.count({ where: { shop: domain, orderId: order.id } })).toBe(1);
  });
  insurance.faults.clear();
  shop.faults.add({ operation: "ParasolSetAppData", status: 503, times: null });
  await probeAccount({ shop: domain, environment: "test" });
  expect(await db.accountPause.count({ where: { shop: domain, environment: "test" } })).toBe(0);
  expect(await readItemStates(order)).toEqual(["active"]);
  shop.faults.clear();
});
