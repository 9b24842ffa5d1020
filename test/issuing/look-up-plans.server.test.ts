import { afterEach, describe, expect, it } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { eventually } from "#test/eventually.ts";
import { staff } from "#app/audit/actor.ts";
import { retryItems } from "#app/orders/admin/order-actions.server.ts";
import { compareWithInsurer } from "#app/reconciliation/compare.server.ts";
import { reconciliationCounts } from "#app/reconciliation/reconciliation.ts";
import { eraseCustomer } from "#app/privacy/order-privacy.server.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { settleJobs } from "#test/job-worker.ts";
import { cancelOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";
import {
  setUpSellingShop,
  buy,
  listContracts,
  listEvents,
  insuredLines,
  listOpenTasks,
  readItemStates,
} from "#test/orders/selling-shop.ts";
import type { NewFault } from "#test/sandbox/faults.ts";
import { planResponse } from "#test/sandbox/insurance/responses.ts";

const selling = setUpSellingShop();
const { INSURANCE_CONSISTENCY_SECONDS } = env;
afterEach(() => {
  env.INSURANCE_CONSISTENCY_SECONDS = INSURANCE_CONSISTENCY_SECONDS;
});

const answerOf = (contract_id: string, status: string) => ({
  contract_id,
  status,
  activation_date: "2026-11-24",
  expiration_date: "2028-11-24",
});

/** A paid order whose creation gets this response; the insurer's list fails meanwhile. */
async function buyUnclear(fault: Record<string, unknown>, quantity = 1): Promise<Order> {
  insurance.faults.add({ operation: "plans.create", ...fault });
  insurance.faults.add({ operation: "plans.list", kind: "status", status: 500, times: null });
  const order = selling.buyInsured({ quantity });
  await eventually(async () => expect((await readItemStates(order))[0]).toBe("unknown"));
  return order;
}

/** What the insurer has for the order, to be changed as only the insurer could. */
function contractOf(order: Order) {
  const contract = insurance.plans().find(({ order_reference_id }) => order_reference_id === order.id);
  if (!contract) throw new Error("The insurer did not create the contract");
  return contract;
}

describe("a plan whose creation got no clear response exists exactly once", () => {
  const faults: [what: string, fault: Record<string, unknown>][] = [
    ["the insurer did it and the connection broke", { kind: "reset_after" }],
    ["the connection broke before it was done", { kind: "reset_before" }],
    ["the insurer did it and said 500", { kind: "status", status: 500, after_work: true }],
    ["the insurer said 500 and did nothing", { kind: "status", status: 500 }],
    [
      "the insurer did it and a proxy said 502",
      { kind: "status", status: 502, after_work: true, body: "html" },
    ],
    ["the response is a page of HTML", { kind: "garbage" }],
    ["the response is cut off in the middle of the JSON", { kind: "truncated" }],
    ["the connection breaks in the middle of the response", { kind: "cut" }],
    ["the response is empty", { kind: "empty" }],
    ["the response is some other JSON", { kind: "json", answer: { hello: "world" } }],
    ["too many requests, twice", { kind: "status", status: 429, retry_after: "1", times: 2 }],
    ["out of order for maintenance", { kind: "status", status: 503, times: 2 }],
    ["the insurer did it and a limiter said 429", { kind: "status", status: 429, after_work: true }],
    ["the insurer did it and a gateway said 403", { kind: "status", status: 403, after_work: true }],
    ["the insurer did it and a gateway said 404", { kind: "status", status: 404, after_work: true }],
    ["the insurer did it and a gateway said 410", { kind: "status", status: 410, after_work: true }],
    [
      "the insurer did it and said that there is one already",
      { kind: "status", status: 409, after_work: true },
    ],
    ["the insurer did it and called it rejected", { kind: "json", answer: answerOf("CT-OTHER", "rejected") }],
    [
      "the insurer did it and called it cancelled",
      { kind: "json", answer: answerOf("CT-OTHER", "cancelled") },
    ],
  ];
  for (const [what, fault] of faults) {
    it(what, async () => {
      insurance.faults.add({ operation: "plans.create", ...fault });
      const order = await selling.buyAndIssue({ quantity: 2 });
      const contracts = await listContracts(order);
      expect(contracts).toHaveLength(2);
      const items = await db.insuredItem.findMany({ where: { orderId: order.id } });
      expect(new Set(items.map(({ contractId }) => contractId))).toEqual(
        new Set(contracts.map(({ id }) => id)),
      );
    });
  }

  it("whose last day comes as a moment has it as the shop's day", async () => {
    const answer = {
      ...answerOf("CT-MOMENT", "active"),
      activation_date: "2026-03-31T21:00:00Z",
      expiration_date: "2028-03-30T22:00:00Z",
    };
    insurance.faults.add({ operation: "plans.create", kind: "json", answer });
    const order = await selling.buyAndIssue();
    expect(await db.insuredItem.findMany({ where: { orderId: order.id } })).toMatchObject([
      { contractId: "CT-MOMENT", activatesOn: "2026-03-31", expiresOn: "2028-03-31" },
    ]);
  });

  it.each([
    ["lie in the past", "2020-03-31", "2022-03-31"],
    ["end before they begin", "2099-03-31", "2098-03-31"],
  ])(
    "whose days %s has the end of the term that was sold",
    async (_what, activation_date, expiration_date) => {
      const answer = { ...answerOf(`CT-${activation_date}`, "active"), activation_date, expiration_date };
      insurance.faults.add({ operation: "plans.create", kind: "json", answer });
      const order = await selling.buyAndIssue();
      const [item] = await db.insuredItem.findMany({ where: { orderId: order.id } });
      expect(item).toMatchObject({ state: "active", activatesOn: null });
      expect(item?.expiresOn).toMatch(new RegExp(`^${new Date().getFullYear() + 2}-`));
    },
  );

  it("when the responses for several terms of one product were lost", async () => {
    const long = insuredLines(selling.references, { term: 24, quantity: 2, plans: 1 });
    const short = insuredLines(selling.references, { term: 12, quantity: 2, plans: 1 });
    insurance.faults.add({ operation: "plans.create", kind: "reset_after", times: 2 });
    const order = buy([long.phone, long.plan, { ...short.plan, properties: long.plan.properties ?? [] }]);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
    const contracts = await listContracts(order);
    expect(contracts.map(({ offer_reference_id }) => offer_reference_id).sort()).toEqual(
      [long.reference.reference_id, short.reference.reference_id].sort(),
    );
  });

  it("when the look-up itself fails at first", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
    insurance.faults.add({ operation: "plans.list", kind: "status", status: 500, times: 3 });
    const order = await selling.buyAndIssue();
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("that the answer names alone, while the list does not show it yet", async () => {
    env.INSURANCE_CONSISTENCY_SECONDS = 3_600;
    insurance.faults.add({ operation: "plans.create", kind: "location" });
    insurance.faults.add({ operation: "plans.list", kind: "json", answer: [], times: null });
    const order = await selling.buyAndIssue();
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("when another contract of its customer cannot be read", async () => {
    const order = await buyUnclear({ kind: "reset_after" });
    const contract = contractOf(order);
    const readable = planResponse(contract);
    insurance.faults.clear();
    const answer = [{ ...readable, id: "CT-BAD", price: "nothing" }, readable];
    insurance.faults.add({ operation: "plans.list", kind: "json", answer, times: null });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("when its customer's address has capital letters and the insurer compares addresses exactly", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
    const order = await selling.buyAndIssue({ email: "Lea@Example.com" });
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("when the insurer lists one page of several, which does not hold it", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
    const page = { plans: [], total: 1 };
    insurance.faults.add({ operation: "plans.list", kind: "json", answer: page, times: 2 });
    const order = await selling.buyAndIssue();
    expect(await listContracts(order)).toHaveLength(1);
  });

  it.each(["reset_after", "reset_before"] as const)(
    "when the insurer lists it late or never (%s): an empty list says nothing before the delay is over",
    async (kind) => {
      env.INSURANCE_CONSISTENCY_SECONDS = 3_600;
      insurance.faults.add({ operation: "plans.create", kind });
      insurance.faults.add({ operation: "plans.list", kind: "json", answer: [], times: null });
      insurance.traffic.clear();
      const order = selling.buyInsured();
      const reconcileUntil = (expected: () => Promise<void>) =>
        eventually(async () => {
          await reconcileOrder(shop.shopDomain, order.id);
          await expected();
        });
      await reconcileUntil(async () => {
        const looks = insurance.traffic.log.filter(({ operation }) => operation === "plans.list");
        expect(looks.length).toBeGreaterThan(1);
        expect(await readItemStates(order)).toEqual(["unknown"]);
      });
      insurance.faults.clear();
      if (kind === "reset_before") env.INSURANCE_CONSISTENCY_SECONDS = 0;
      await reconcileUntil(async () => expect(await readItemStates(order)).toEqual(["active"]));
      expect(await listContracts(order)).toHaveLength(1);
    },
  );

  it("is cancelled with its order, even if it was never known to exist", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
    insurance.faults.add({ operation: "plans.list", kind: "status", status: 500, times: null });
    const order = selling.buyInsured();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["unknown"]));
    cancelOrder(shop.state, order.id);
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
  });
});

describe("a plan whose creation got no clear response", () => {
  it("and that was cancelled at the insurer before it was found becomes a task", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
    insurance.faults.add({ operation: "plans.list", kind: "status", status: 500, times: null });
    const order = selling.buyInsured();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["unknown"]));
    const contract = insurance.plans().find(({ order_reference_id }) => order_reference_id === order.id);
    if (!contract) throw new Error("The insurer did not create the contract");
    contract.status = "cancelled";
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "cancelled_elsewhere", details: { contractId: contract.id } },
    ]);
  });

  it("and whose customer was erased becomes a task: all contracts of the store are listed once, when the answer is final", async () => {
    env.INSURANCE_CONSISTENCY_SECONDS = 3_600;
    insurance.faults.add({ operation: "plans.create", kind: "reset_before" });
    const order = selling.buyInsured();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["unknown"]));
    await settleJobs();
    await eraseCustomer(shop.shopDomain, { email: null, customerId: null, orderIds: [order.id] });
    insurance.traffic.clear();
    await reconcileOrder(shop.shopDomain, order.id);
    expect(await readItemStates(order)).toEqual(["unknown"]);
    expect(insurance.traffic.counts.get("plans.list") ?? 0).toBe(0);
    env.INSURANCE_CONSISTENCY_SECONDS = 0;
    await eventually(async () => {
      await reconcileOrder(shop.shopDomain, order.id);
      expect(await listOpenTasks(order)).toMatchObject([{ kind: "customer_erased" }]);
    });
    expect(insurance.traffic.counts.get("plans.list")).toBe(1);
  });
});

describe("a creation whose look-up cannot be read", () => {
  it("says so once the list would be late enough, and goes on looking", async () => {
    const order = await buyUnclear({ kind: "reset_after" });
    const readable = planResponse(contractOf(order));
    insurance.faults.clear();
    const answer = [{ ...readable, price: "nothing" }];
    insurance.faults.add({ operation: "plans.list", kind: "json", answer, times: null });
    await eventually(async () =>
      expect(await listOpenTasks(order)).toMatchObject([
        {
          kind: "look_up_failed",
          details: { problem: "1 of 1 plans cannot be read: price is not readable: Invalid input" },
        },
      ]),
    );
    expect(await listContracts(order)).toHaveLength(1);
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listOpenTasks(order)).toEqual([]);
    expect(await listContracts(order)).toHaveLength(1);
  });
});

describe("a creation whose response is not that of a new active contract", () => {
  it("is asked for again while it is pending, is no task, and keeps its days", async () => {
    env.INSURANCE_CONSISTENCY_SECONDS = 3_600;
    const days = { activation_date: "2026-12-01", expiration_date: "2028-11-30" };
    const order = await buyUnclear({
      kind: "json",
      answer: { ...answerOf("CT-PENDING", "pending"), ...days },
    });
    const contract = contractOf(order);
    Object.assign(contract, { id: "CT-PENDING", status: "pending" });
    insurance.faults.clear();
    const look = () => reconcileOrder(shop.shopDomain, order.id);
    await eventually(async () => {
      await look();
      expect(await listEvents(order, "looked_up")).not.toEqual([]);
    });
    expect(await readItemStates(order)).toEqual(["unknown"]);
    expect(await listOpenTasks(order)).toEqual([]);
    contract.status = "active";
    await eventually(async () => {
      await look();
      expect(await readItemStates(order)).toEqual(["active"]);
    });
    expect(await db.insuredItem.findMany({ where: { orderId: order.id } })).toMatchObject([
      { contractId: "CT-PENDING", activatesOn: "2026-12-01", expiresOn: "2028-11-30" },
    ]);
  });

  const retry = async (order: Order) => {
    const item = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id } });
    const { orderId, lineId, itemNumber } = item;
    expect(await retryItems(shop.shopDomain, [{ orderId, lineId, itemNumber }], staff("1"))).toBe("done");
  };
  it("never has the number of another order's contract; the insurer's list says which is its own", async () => {
    const first = await selling.buyAndIssue();
    const { id: taken } = contractOf(first);
    insurance.faults.add({ operation: "plans.create", kind: "json", answer: answerOf(taken, "active") });
    const second = await selling.buyAndIssue();
    const items = await db.insuredItem.findMany({ where: { orderId: { in: [first.id, second.id] } } });
    expect(new Set(items.map(({ contractId }) => contractId))).toEqual(
      new Set([taken, contractOf(second).id]),
    );
    expect(await listContracts(second)).toHaveLength(1);
  });

  it("becomes a task where the list calls the contract neither active nor cancelled; a person checks again", async () => {
    const order = await buyUnclear({ kind: "json", answer: answerOf("CT-1", "rejected") });
    const contract = contractOf(order);
    contract.status = "rejected";
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "contract_unclear", details: { insurerMessage: `${contract.id} (rejected)` } },
    ]);
    expect(await listEvents(order, "answered")).toMatchObject([
      { outcome: "doubtful", message: "CT-1 (rejected)" },
    ]);
    contract.status = "active";
    await retry(order);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listOpenTasks(order)).toEqual([]);
    expect(await listContracts(order)).toHaveLength(1);
  });

  it.each([404, 410])(
    "is refused where the insurer answers %i again after the list showed none",
    async (status) => {
      insurance.faults.add({ operation: "plans.create", kind: "status", status, times: null });
      const order = selling.buyInsured();
      await eventually(async () => expect(await readItemStates(order)).toEqual(["refused"]));
      const [task] = await listOpenTasks(order);
      expect(task?.kind).toBe("plan_refused");
      insurance.faults.clear();
      await retry(order);
      await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
      expect(await listContracts(order)).toHaveLength(1);
    },
  );

  it("has no task any more once the comparison finds its contract in force", async () => {
    const order = await buyUnclear({ kind: "json", answer: answerOf("CT-1", "in_review") });
    const contract = contractOf(order);
    contract.status = "in_review";
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    contract.status = "active";
    await compareWithInsurer(shop.shopDomain, [order.id], reconciliationCounts.parse({}));
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listOpenTasks(order)).toEqual([]);
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("becomes a task where the insurer says that there is one and lists none; retried, it is created once", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 409, message: "Exists" });
    const order = selling.buyInsured();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    const [task] = await listOpenTasks(order);
    expect(task).toMatchObject({ kind: "contract_unclear" });
    expect(JSON.stringify(task?.details)).toContain("Exists");
    expect(await listContracts(order)).toEqual([]);
    await retry(order);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("is cancelled at the insurer with its order, although it was never known to be active", async () => {
    const order = await buyUnclear({ kind: "json", answer: answerOf("CT-1", "rejected") });
    contractOf(order).status = "in_review";
    insurance.faults.clear();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
    expect(await listOpenTasks(order)).toEqual([]);
  });

  it("that was refused and is retried is looked up first: a refusal after the work makes no second one", async () => {
    const refusal: NewFault = { kind: "status", status: 422, message: "No", after_work: true };
    insurance.faults.add({ operation: "plans.create", ...refusal });
    const order = selling.buyInsured();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["refused"]));
    await retry(order);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect(await listContracts(order)).toHaveLength(1);
  });

  it("cannot be stored twice in one account, whatever the code does", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const { id } = contractOf(order);
    await expect(
      db.insuredItem.updateMany({ where: { orderId: order.id }, data: { contractId: id } }),
    ).rejects.toThrow();
  });
});
