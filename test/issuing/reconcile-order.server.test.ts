import { staff } from "#app/audit/actor.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStore } from "#app/catalogue/connect-store.server.ts";
import { db } from "#app/platform/db.server.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { catalogueRows, customer, linesFor, sellReferences } from "#test/orders/references.ts";
import type { SoldReference } from "#test/orders/references.ts";
import { listAllContracts, setUpSellingShop, buy, insuredLines } from "#test/orders/selling-shop.ts";
import type { NewFault } from "#test/sandbox/faults.ts";

const selling = setUpSellingShop();
const [store, otherStore] = insurance.stores;
if (!store || !otherStore) throw new Error("The insurer has fewer than two stores");
let otherReferences: SoldReference[] = [];

beforeAll(async () => {
  await connectShop(otherShop.shopDomain, otherStore);
  otherReferences = await sellReferences(otherShop.state, insurance.control_url, otherStore.store_id);
  const rows = catalogueRows(otherShop.shopDomain, otherShop.state, otherReferences);
  await db.reference.createMany({ data: rows.references });
  await db.syncedVariant.createMany({ data: rows.variants });
  await db.shopProduct.createMany({ data: rows.products });
  otherShop.setAppUrl(shop.appUrl ?? "");
});

/** A customer buys an insured smartphone in the first shop. */
function buyHere(): Order {
  return selling.buyInsured();
}

let customers = 0;

/** A customer buys one in the other shop. */
function buyThere(): Order {
  const { phone, plan } = linesFor(otherShop.state, otherReferences);
  const email = `zoe${(customers += 1)}@example.com`;
  return createPaidOrder(otherShop.state, { lines: [phone, plan], email, billingAddress: customer });
}

/** How many items of these orders are in each state. */
async function states(orders: Order[]): Promise<Record<string, number>> {
  const orderId = { in: orders.map(({ id }) => id) };
  const groups = await db.insuredItem.groupBy({ by: ["state"], where: { orderId }, _count: true });
  return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]));
}

/** Each order has one contract, and the app knows it. */
async function insuredOnce(orders: Order[]): Promise<void> {
  await eventually(
    async () => expect(await states(orders)).toEqual({ active: orders.length }),
    "all are insured",
    { withinMs: 300_000 },
  );
  const contracts = Map.groupBy(await listAllContracts(), (contract) => contract.order_reference_id);
  for (const { id } of orders) expect(contracts.get(id)).toHaveLength(1);
}

/** How many of these orders wait for their account. */
async function waitingOf(orders: Order[]): Promise<number> {
  return db.waitingOrder.count({ where: { orderId: { in: orders.map(({ id }) => id) } } });
}

/** Every event has been processed, whatever the insurer does. */
async function eventsAreDone(orders: Order[]): Promise<void> {
  const orderId = { in: orders.map(({ id }) => id) };
  const states = await db.webhook.groupBy({ by: ["state"], where: { orderId }, _count: true });
  expect(states).toEqual([{ state: "done", _count: orders.length }]);
}

/** Changes the token that the insurer takes for the first store. */
async function setToken(token_test: string): Promise<void> {
  const answer = await fetch(`${insurance.control_url}/stores/${store?.store_id ?? ""}`, {
    method: "PATCH",
    body: JSON.stringify({ token_test }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

describe("one merchant never delays another's plans", () => {
  it("with 200 paid orders at once", async () => {
    // Slow for the one only: 200 would take minutes.
    const slow: NewFault = {
      operation: "plans.create",
      store_id: store.store_id,
      kind: "latency",
      ms: 5_000,
      times: null,
    };
    insurance.faults.add(slow);
    const flood = Array.from({ length: 200 }, buyHere);
    const orderId = { in: flood.map(({ id }) => id) };
    await eventually(async () => expect(await db.webhook.count({ where: { orderId } })).toBe(200));
    const order = buyThere();
    await insuredOnce([order]);
    expect((await states(flood))["active"] ?? 0).toBeLessThan(flood.length);
    insurance.faults.clear();
    await insuredOnce(flood);
  });

  it("with a token that the insurer refuses; the waiting orders are insured once it is replaced", async () => {
    await setToken("rolled-over");
    const waiting = Array.from({ length: 20 }, buyHere);
    await eventually(async () => expect(await waitingOf(waiting)).toBe(20));
    await eventually(() => eventsAreDone(waiting));
    const order = buyThere();
    await insuredOnce([order]);
    expect(await waitingOf([order])).toBe(0);
    const open = () =>
      db.task.findMany({ where: { kind: "connection", closedAt: null }, select: { shop: true } });
    await eventually(async () => expect(await open()).toEqual([{ shop: shop.shopDomain }]));

    const account = { environment: "test", storeId: store.store_id, organisationToken: null } as const;
    expect(await connectStore(shop.shopDomain, { ...account, token: "rolled-over" }, staff("1"))).toEqual({
      state: "accepted",
    });
    await insuredOnce(waiting);
    await eventually(async () => expect(await open()).toEqual([]));
  });

  it("with an insurer that fails for one store: only its circuit opens, closes again, and nothing is lost", async () => {
    const outage: NewFault = {
      operation: "*",
      store_id: store.store_id,
      kind: "status",
      status: 503,
      times: null,
    };
    insurance.faults.add(outage);
    const waiting = Array.from({ length: 15 }, buyHere);
    await eventually(async () => expect(await waitingOf(waiting)).toBe(15));
    await eventually(() => eventsAreDone(waiting));
    // Calls are no longer sent for the one, and answered for the other.
    const order = buyThere();
    await insuredOnce([order]);
    expect(await waitingOf([order])).toBe(0);

    insurance.faults.clear();
    await insuredOnce(waiting);
    await insuredOnce([buyHere()]);
  });
});

describe("an order with more items than one time slice takes", () => {
  it("is insured slice by slice, without waiting for a lease to expire in between", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([
      { ...phone, quantity: 230 },
      { ...plan, quantity: 230 },
    ]);
    await eventually(async () => expect(await states([order])).toEqual({ active: 230 }));
    const rows = await db.$queryRaw`
      SELECT DISTINCT singleton_key AS key FROM pgboss.job
      WHERE name = 'order' AND data->>'orderId' = ${order.id} ORDER BY 1`;
    expect(rows).toEqual([{ key: `${shop.shopDomain}:${order.id}:more` }]);
  });
});
