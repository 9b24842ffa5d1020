import { afterEach, beforeAll, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { action, loader } from "#app/routes/app.plans._index/route.tsx";
import { refused, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop, installApp } from "#test/install.ts";
import {
  buy,
  insuredLines,
  listContracts,
  listOpenTasks,
  setUpSellingShop,
} from "#test/orders/selling-shop.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask } from "./ask.ts";

const selling = setUpSellingShop();
const email = "zoe_contract@example.com";
let order: Order;
let contractId = "";
beforeAll(async () => {
  order = await selling.buyAndIssue({ email });
  contractId = (await listContracts(order))[0]?.id ?? "";
  // More than fit on one page.
  for (let made = 0; made < 5; made += 1) await makeContract(`till-${made}`, "till@example.com");
});
afterEach(() => insurance.faults.clear());

async function list(search = "", domain?: string) {
  const { page, problem } = await ask(loader, `/app/plans${search}`, { domain });
  if (!page) throw new Error(`The page says: ${problem.state}`);
  return page;
}
const idsOf = async (search: string) => (await list(search)).items.map(({ id }) => id);
const look = (contract: string, domain?: string) =>
  ask(action, "/app/plans?index", { form: { contract }, domain });

/** Bought at the insurer for an order, without the app. */
async function makeContract(orderReferenceId: string, customerEmail: string): Promise<string> {
  const [store] = insurance.stores;
  const [reference] = selling.references;
  if (!store || !reference) throw new Error("The stand-in has no store");
  const answer = await fetch(`${insurance.base_url}/api/v2/store/${store.store_id}/plans`, {
    method: "POST",
    headers: { authorization: `Bearer ${store.token_test}`, "content-type": "application/json" },
    body: JSON.stringify({
      offer_reference_id: reference.reference_id,
      order_reference_id: orderReferenceId,
      variant: {
        reference_id: "1",
        title: "Phone",
        price: reference.price_band_min / 100,
        currency_code: "EUR",
      },
      customer: {
        first_name: "Ana",
        last_name: "Roux",
        email: customerEmail,
        phone: "+33612345678",
        address: { city: "Lyon", country: "FR", zip_code: "69001", address1: "1 rue A", address2: "" },
      },
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const plan = insurance.plans("test").at(-1);
  if (!plan) throw new Error("The insurer has no plan");
  return plan.id;
}

test("a contract of an order is listed with the order, found by e-mail address and by contract number", async () => {
  for (const query of [email, "ZOE_contract", contractId]) {
    const { items } = await list(`?query=${encodeURIComponent(query)}`);
    expect(items).toMatchObject([
      { id: contractId, customer: { email }, origin: { state: "order", orderId: order.id, differs: false } },
    ]);
  }
  expect(await idsOf("?query=nothing-like-it")).toEqual([]);
});

test("contracts are found by the order's name, the customer's name and telephone number", async () => {
  for (const query of [order.name, order.name.replace("#", ""), order.id])
    expect(await idsOf(`?query=${encodeURIComponent(query)}`)).toEqual([contractId]);
  const [contract] = (await list(`?contract=${contractId}`)).items;
  const name = [contract?.customer.lastName, contract?.customer.firstName].join(" ");
  expect(await idsOf(`?query=${encodeURIComponent(name)}`)).toContain(contractId);
  expect(await idsOf(`?query=${encodeURIComponent("06 12 34 56 78")}`)).toContain(contractId);
  expect(await idsOf(`?query=${encodeURIComponent("07 99 99 99 99")}`)).toEqual([]);
});

test("one contract alone is read by its number, with what the insurer has of it", async () => {
  insurance.traffic.clear();
  const { items } = await list(`?contract=${contractId}`);
  expect(items).toMatchObject([
    {
      id: contractId,
      status: "active",
      orderReferenceId: order.id,
      customer: { email, phone: expect.any(String) as string, address: { country: "FR" } },
      origin: { state: "order", orderId: order.id },
    },
  ]);
  expect(insurance.traffic.counts.get("plans.list") ?? 0).toBe(0);
  expect(await idsOf("?contract=CT-none")).toEqual([]);
  // A value that is no number filters nothing.
  expect((await idsOf("?contract=..")).length).toBeGreaterThan(1);
});

test("one contract alone is read from the account that it was sold for", async () => {
  const domain = shop.shopDomain;
  const { environment } = await db.merchant.findUniqueOrThrow({ where: { shop: domain } });
  await db.merchant.update({ where: { shop: domain }, data: { environment: "production" } });
  expect(await idsOf(`?contract=${contractId}`)).toEqual([contractId]);
  await db.merchant.update({ where: { shop: domain }, data: { environment } });
});

test("until its last day a contract shows that the insurer says otherwise", async () => {
  const contract = insurance.plans("test").find(({ id }) => id === contractId);
  if (!contract) throw new Error("The stand-in lost the contract");
  contract.status = "suspended";
  const differs = async () => {
    // The insurer searches for a whole address, so this list is not cached.
    const { items } = await list(`?query=${encodeURIComponent(email)}`);
    return items.map(({ origin }) => origin.state === "order" && origin.differs);
  };
  expect(await differs()).toEqual([true]);
  const where = { shop: shop.shopDomain, contractId };
  const { expiresOn } = await db.insuredItem.findFirstOrThrow({ where });
  await db.insuredItem.updateMany({ where, data: { expiresOn: "2026-01-01" } });
  expect(await differs()).toEqual([false]);
  await db.insuredItem.updateMany({ where, data: { expiresOn } });
  contract.status = "active";
});

test("a complete e-mail address is searched by the insurer, which need not send the whole store", async () => {
  insurance.traffic.clear();
  await list("?query=till");
  expect(insurance.traffic.counts.get("plans.list") ?? 0).toBe(0);
  await list(`?query=${encodeURIComponent(email)}`);
  expect(insurance.traffic.counts.get("plans.list")).toBe(1);
});

test("the pages hold every contract once, and going through them queries the insurer once", async () => {
  const first = await list();
  insurance.traffic.clear();
  const ids = first.items.map(({ id }) => id);
  for (let next = first.next; next !== null;) {
    const page = await list(`?after=${encodeURIComponent(next)}`);
    ids.push(...page.items.map(({ id }) => id));
    next = page.next;
  }
  expect(insurance.traffic.counts.get("plans.list") ?? 0).toBe(0);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(first.size);
  expect(ids).toContain(contractId);
});

test("contracts that the app does not know are filtered out or shown alone", async () => {
  expect(await idsOf("?origin=known")).toEqual([contractId]);
  const unknown = await list("?origin=unknown");
  expect(unknown.items.length).toBeGreaterThan(0);
  expect(new Set(unknown.items.map(({ origin }) => origin.state))).toEqual(new Set(["unknown"]));
});

test("a second look at a contract without an order in the shop says so", async () => {
  const [unknown = ""] = await idsOf("?origin=unknown");
  expect(await look(unknown)).toEqual(refused("no_order"));
  expect(await look("CT-none")).toEqual(refused("missing"));
});

test("a second look opens a task for a contract of an order that has no item for it", async () => {
  const plain = buy([insuredLines(selling.references).phone]);
  await eventually(() => db.order.findFirstOrThrow({ where: { orderId: plain.id } }));
  const surplus = await makeContract(plain.id, "elsewhere@example.com");
  const before = await list("?query=elsewhere@example.com");
  expect(before.items).toMatchObject([
    { id: surplus, origin: { state: "unmatched", orderId: plain.id, hasTask: false } },
  ]);
  expect(await look(surplus)).toEqual(success("task"));
  expect(await listOpenTasks(plain)).toMatchObject([
    { kind: "surplus_contract", details: { contractId: surplus } },
  ]);
  const after = await list("?query=elsewhere@example.com");
  expect(after.items).toMatchObject([{ origin: { state: "unmatched", hasTask: true } }]);
});

test("a second look brings an order back that the database lost, with its contract and no second one", async () => {
  const where = { shop: shop.shopDomain, orderId: order.id };
  await db.order.deleteMany({ where });
  await db.$transaction([
    // A book takes no changes from anybody else.
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.orderEvent.deleteMany({ where }),
  ]);
  expect((await list(`?query=${contractId}`)).items).toMatchObject([{ origin: { state: "unknown" } }]);
  expect(await look(contractId)).toEqual(success("known"));
  expect((await listContracts(order)).map(({ id }) => id)).toEqual([contractId]);
  expect((await list(`?query=${contractId}`)).items).toMatchObject([
    { origin: { state: "order", orderId: order.id } },
  ]);
});

test("without a connection the page says so, and so it does while the insurer fails", async () => {
  const domain = otherShop.shopDomain;
  await installApp(domain);
  expect(await ask(loader, "/app/plans", { domain })).toMatchObject({ problem: { state: "not_connected" } });
  await connectShop(domain, insurance.stores.at(-1));
  insurance.faults.add({ operation: "plans.list", kind: "status", status: 500, times: 10 });
  expect(await ask(loader, "/app/plans", { domain })).toMatchObject({
    problem: { state: "failed", reason: expect.stringContaining("/plans") as string },
  });
});

test("another shop sees the contracts of its own store only", async () => {
  const domain = otherShop.shopDomain;
  expect((await list("", domain)).items.map(({ id }) => id)).not.toContain(contractId);
  expect((await list(`?contract=${contractId}`, domain)).items).toEqual([]);
  expect(await look(contractId, domain)).toEqual(refused("missing"));
});

test("who opened the list is in the audit log, and who compared a contract", async () => {
  const entries = await db.auditEntry.findMany({ where: { shop: shop.shopDomain, actorKind: "staff" } });
  const acts = entries.map(({ action: act, subject }) => `${act} ${subject}`);
  expect(acts).toContain("list_viewed plans");
  expect(acts).toContain(`contract_compared ${contractId}`);
});
