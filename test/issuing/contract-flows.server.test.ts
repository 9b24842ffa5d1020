/** Shopify Flow receives each state of a contract once. */
import { beforeAll, describe, expect, it } from "vitest";
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { db } from "#app/platform/db.server.ts";
import { jobs } from "#app/jobs/definitions.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { action as saveSettings } from "#app/routes/app.settings/route.tsx";
import { action as withdraw } from "#app/routes/withdrawals.$shop.$link.tsx";
import { eventually } from "#test/eventually.ts";
import { listOpenTasks, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import { cancelOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

beforeAll(async () => {
  const settings = { mailsContracts: false, fulfilsPlans: "never" };
  const saved = await ask(saveSettings, "/app/settings", { json: { intent: "save", settings } });
  expect(saved).toMatchObject({ state: "success" });
});

const triggersOf = ({ id }: Order) =>
  shop.state.flowTriggers.filter(({ payload }) => String(payload["order_id"]) === id);
const handlesOf = (order: Order) => triggersOf(order).map(({ handle }) => handle);

describe("the shop's workflows", () => {
  it("learn of a contract in force, and of its cancellation, once each", async () => {
    const order = await selling.buyAndIssue();
    const { contractId } = await db.insuredItem.findFirstOrThrow({
      where: { shop: domain, orderId: order.id },
    });
    await eventually(() => expect(handlesOf(order)).toEqual(["insurance-contract-active"]));
    expect(triggersOf(order)[0]?.payload).toMatchObject({ Contract: contractId, Test: true });
    await Promise.all([reconcileOrder(domain, order.id), reconcileOrder(domain, order.id)]);
    cancelOrder(shop.state, order.id);
    await eventually(() => expect(handlesOf(order)).toContain("insurance-ended"));
    await reconcileOrder(domain, order.id);
    expect(handlesOf(order)).toEqual(["insurance-contract-active", "insurance-ended"]);
    expect(triggersOf(order)[1]?.payload).toMatchObject({ Contract: contractId, Withdrawn: false });
    // No personal data: workflows read the customer from the order.
    for (const personal of [order.email, "Ana", "Paris"])
      expect(JSON.stringify(triggersOf(order))).not.toContain(personal);
  });

  it("learn that a customer withdrew", async () => {
    const order = await selling.buyAndIssue();
    await eventually(() => expect(handlesOf(order)).toEqual(["insurance-contract-active"]));
    const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
    const address = withdrawalLink(domain, order.id);
    const body = new URLSearchParams({ step: "confirm", item: `${item.lineId}-1` });
    const params = { shop: domain, link: address.slice(address.lastIndexOf("/") + 1) };
    await responseOf(
      withdraw({ request: new Request(address, { method: "POST", body }), params, context: {} }),
    );
    await eventually(() => expect(handlesOf(order)).toContain("insurance-ended"));
    expect(triggersOf(order).at(-1)?.payload).toMatchObject({ Withdrawn: true });
  });

  it("learn why a paid insurance waits for a person", async () => {
    const order = selling.buyInsured({ planPrice: 1 });
    await eventually(async () => expect(await listOpenTasks(order)).toHaveLength(1));
    await eventually(() => expect(handlesOf(order)).toEqual(["insurance-needs-attention"]));
    expect(triggersOf(order)[0]?.payload).toMatchObject({ Reason: "wrong_price" });
  });

  it("never get an event a second time: its job has one attempt", () => {
    expect(jobs.flow.retryLimit).toBe(0);
  });
});
