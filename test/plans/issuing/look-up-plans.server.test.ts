import { describe, expect, it } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { eventually } from "#test/eventually.ts";
import { cancelOrder } from "#test/sandbox/shop/orders.ts";
import { insurance, shop } from "#test/world.ts";
import {
  setUpSellingShop,
  injectFault,
  buy,
  listContracts,
  insuredLines,
  listOpenTasks,
  readUnitStates,
} from "#test/plans/selling-shop.ts";

const selling = setUpSellingShop();

describe("a plan whose creation got no clear response exists exactly once", () => {
  const faults: [what: string, fault: Record<string, unknown>][] = [
    ["the service did it and the connection broke", { kind: "reset_after" }],
    ["the connection broke before it was done", { kind: "reset_before" }],
    ["the service did it and said 500", { kind: "status", status: 500, after_work: true }],
    ["the service said 500 and did nothing", { kind: "status", status: 500 }],
    [
      "the service did it and a proxy said 502",
      { kind: "status", status: 502, after_work: true, body: "html" },
    ],
    ["the response is a page of HTML", { kind: "garbage" }],
    ["the response is cut off in the middle of the JSON", { kind: "truncated" }],
    ["the connection breaks in the middle of the response", { kind: "cut" }],
    ["the response is empty", { kind: "empty" }],
    ["the response is some other JSON", { kind: "json", answer: { hello: "world" } }],
    ["too many requests, twice", { kind: "status", status: 429, retry_after: "1", times: 2 }],
    ["out of order for maintenance", { kind: "status", status: 503, times: 2 }],
  ];
  for (const [what, fault] of faults) {
    it(what, async () => {
      const { phone, plan } = insuredLines(selling.references, { quantity: 2 });
      await injectFault({ operation: "plans.create", ...fault });
      const order = buy([phone, plan]);
      await eventually(async () => expect(await readUnitStates(order)).toEqual(["active", "active"]));
      const contracts = await listContracts(order);
      expect(contracts).toHaveLength(2);
      const units = await db.insuredUnit.findMany({ where: { orderId: order.id } });
      expect(new Set(units.map(({ contractId }) => contractId))).toEqual(
        new Set(contracts.map(({ id }) => id)),
      );
    });
  }

  it("when the responses for several terms of one product were lost", async () => {
    const long = insuredLines(selling.references, { term: 24, quantity: 2, plans: 1 });
    const short = insuredLines(selling.references, { term: 12, quantity: 2, plans: 1 });
    await injectFault({ operation: "plans.create", kind: "reset_after", times: 2 });
    const order = buy([long.phone, long.plan, { ...short.plan, properties: long.plan.properties ?? [] }]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active", "active"]));
    const contracts = await listContracts(order);
    expect(contracts.map(({ offer_reference_id }) => offer_reference_id).sort()).toEqual(
      [long.reference.reference_id, short.reference.reference_id].sort(),
    );
  });

  it("when the look-up itself fails at first", async () => {
    const { phone, plan } = insuredLines(selling.references);
    await injectFault({ operation: "plans.create", kind: "reset_after" });
    await injectFault({ operation: "plans.list", kind: "status", status: 500, times: 3 });
    const order = buy([phone, plan]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("is cancelled with its order, even if it was never known to exist", async () => {
    const { phone, plan } = insuredLines(selling.references);
    await injectFault({ operation: "plans.create", kind: "reset_after" });
    await injectFault({ operation: "plans.list", kind: "status", status: 500, times: 6 });
    const order = buy([phone, plan]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["unknown"]));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["cancelled"]));
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
  });
});

describe("a plan whose creation got no clear response", () => {
  it("and that somebody cancelled at the service before it was found becomes a task", async () => {
    const { phone, plan } = insuredLines(selling.references);
    await injectFault({ operation: "plans.create", kind: "reset_after" });
    await injectFault({ operation: "plans.list", kind: "status", status: 500, times: 6 });
    const order = buy([phone, plan]);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["unknown"]));
    const contract = insurance.plans().find(({ order_reference_id }) => order_reference_id === order.id);
    if (!contract) throw new Error("The service did not create the contract");
    contract.status = "cancelled";
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["cancelled"]));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "cancelled_elsewhere", details: { contractId: contract.id } },
    ]);
  });
});
