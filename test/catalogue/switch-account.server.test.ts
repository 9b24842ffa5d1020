/**
 * A switch to the production account while shoppers buy: every plan becomes a contract in the account that it was sold
 * for.
 */
import { staff } from "#app/audit/actor.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { readAccounts } from "#app/merchants/environment.server.ts";
import { saveRules } from "#app/catalogue/product-categories/rules.server.ts";
import { listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { readOrderBook } from "#app/orders/book/book.server.ts";
import { runTaskAction } from "#app/orders/tasks/task-actions.server.ts";
import { action as connectionAction } from "#app/routes/app.connection/route.tsx";
import { loader as openWithdrawal } from "#app/routes/withdrawals.$shop.$link.tsx";
import { db } from "#app/platform/db.server.ts";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { connectProduction, connectShop, nameInsurer } from "#test/install.ts";
import { startJobs } from "#test/job-worker.ts";
import { cancelOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import {
  buy,
  letDaysPass,
  listOpenTasks,
  readItemStates,
  startWebhookServer,
} from "#test/orders/selling-shop.ts";
import { insurance, shop } from "#test/world.ts";
import { ask } from "#test/routes/ask.ts";
import { compactCatalogues, findRun, planProducts, service } from "#test/catalogue/world.ts";

const { shopDomain, state } = shop;
const PHONES = "Smartphone casse et vol";
/** The stand-in's own payment is for orders without money. */
const PAID = { gateway: "shopify_payments" };
let close: () => Promise<void>;

const finished = (id: string) =>
  eventually(async () =>
    expect(await findRun(shopDomain, id)).toMatchObject({ state: "done", errorDetail: null }),
  );

beforeAll(async () => {
  await connectShop();
  close = await startWebhookServer();
  await startJobs();
  await finished((await startRun(shopDomain, "catalogue", "merchant")).id);
  const condition = { field: "product_type" as const, value: "Smartphone" };
  const rules = [{ id: "phones", categoryId: PHONES, conditions: [condition] }];
  await finished((await saveRules(shopDomain, rules, staff("1"))) ?? "");
});
afterAll(() => close());

/** The phone and the storefront's current plan for it. */
function cartNow() {
  const phone = [...state.products.values()].find(({ productType }) => productType === "Smartphone");
  const variant = phone?.variants[0];
  if (!variant) throw new Error("The shop has no smartphone");
  variant.tracked = false;
  const bands = compactCatalogues().get(PHONES)?.bands ?? [];
  const band = bands.find(({ min, max }) => min <= variant.price && variant.price <= max);
  const { variant: plan = "", reference = "" } = band?.offers[0] ?? {};
  const properties = [
    { name: INSURED_VARIANT, value: variant.id },
    { name: REFERENCE, value: reference },
    { name: CONSENT, value: "1 2026-11-20T09:59:00.000Z" },
    { name: PAIR, value: "p1" },
  ];
  return {
    plan,
    lines: [
      { variantId: variant.id, quantity: 1, properties: [{ name: PAIR, value: "p1" }] },
      { variantId: plan, quantity: 1, properties },
    ],
  };
}

/** The account of a plan variant: the handles of the test account's products contain it. */
const accountOf = (variantId: string) =>
  planProducts()
    .find(({ variants }) => variants.some(({ id }) => id === variantId))
    ?.handle.match(/-test(-\d+)?$/)
    ? "test"
    : "production";

const contracts = z.array(z.object({ order_reference_id: z.string(), environment: z.string() }));
const accountsOfContracts = async ({ id }: Order) =>
  contracts
    .parse(await (await fetch(`${insurance.control_url}/plans`)).json())
    .filter(({ order_reference_id: order }) => order === id)
    .map(({ environment }) => environment);

it("sells with the old account until the new one's catalogue is in the shop, and puts no plan into the wrong account", async () => {
  // A category that the production account lacks.
  const [gone = ""] = [...compactCatalogues()].flatMap(([id, { bands }]) =>
    id !== PHONES && bands.length > 0 ? [id] : [],
  );
  await service.deleteCategory(gone);
  await connectProduction();
  await nameInsurer();

  const bought: { order: Order; account: string }[] = [];
  const shopperBuys = () => {
    const { plan, lines } = cartNow();
    bought.push({ order: buy(lines, PAID), account: accountOf(plan) });
  };
  const leftInCart = cartNow().lines;
  const release = shop.api.bulk.hold("QUERY");
  const answer = await ask(connectionAction, "/app/connection", {
    form: { intent: "use", environment: "production" },
  });
  expect(answer).toMatchObject({ state: "success", value: "switching" });
  shopperBuys();
  await eventually(() =>
    shop.api.bulk.all().some(({ status, objects }) => status === "RUNNING" && objects > 0),
  );
  release();
  const releaseNext = shop.api.bulk.hold("QUERY");
  // The new account's products are in the shop, unpublished.
  await eventually(() => planProducts().some(({ handle }) => !/-test(-\d+)?$/.test(handle)));
  expect(await readAccounts(shopDomain)).toMatchObject({ inUse: "test", next: "production" });
  shopperBuys();
  releaseNext();
  await eventually(
    async () => {
      shopperBuys();
      return (await readAccounts(shopDomain)).inUse === "production";
    },
    "the production account is in use",
    { everyMs: 300 },
  );
  shopperBuys();
  const [run] = await listRuns(shopDomain, "catalogue", 1);
  expect(run).toMatchObject({ environment: "production" });
  await finished(run?.id ?? "");

  const sold = new Set(bought.map(({ account }) => account));
  expect(sold).toEqual(new Set(["test", "production"]));
  expect(bought.slice(0, 2).map(({ account }) => account)).toEqual(["test", "test"]);
  expect(bought.at(-1)?.account).toBe("production");
  for (const { order, account } of bought) {
    await eventually(async () => expect(await accountsOfContracts(order)).toEqual([account]));
  }
  // Nothing of the test account is on sale: its products are drafts, and its own categories show no offers.
  for (const { handle, status } of planProducts())
    expect(status).toBe(/-test(-\d+)?$/.test(handle) ? "DRAFT" : "UNLISTED");
  expect(compactCatalogues().get(gone)?.bands).toEqual([]);

  // A plan of the test account in an older cart, bought a minute later.
  const late = buy(leftInCart, { ...PAID, createdAt: new Date(Date.now() + 60_000).toISOString() });
  await eventually(async () => expect(await readItemStates(late)).toEqual(["attention"]));
  expect(await listOpenTasks(late)).toMatchObject([
    { kind: "check_plan", details: { finding: "other_account" } },
  ]);
  expect(await accountsOfContracts(late)).toEqual([]);

  // Plans of both accounts in one order: none becomes a contract automatically, and none in the wrong account.
  const [, testPlan] = leftInCart;
  const mixed = buy([...cartNow().lines, ...(testPlan ? [testPlan] : [])], PAID);
  await eventually(async () => expect(await readItemStates(mixed)).toEqual(["attention", "attention"]));
  const { environment } = await db.order.findUniqueOrThrow({
    where: { shop_orderId: { shop: shopDomain, orderId: mixed.id } },
  });
  const book = await readOrderBook(shopDomain, mixed.id);
  const outcomes = await Promise.all(
    (await listOpenTasks(mixed)).map(async ({ id, lineId }) => {
      const item = book?.order.items.find((each) => each.lineId === lineId);
      const isItsOwn = accountOf(item?.sold.planVariantId ?? "") === environment;
      const { state: outcome } = await runTaskAction(shopDomain, id, "retry", staff("1"));
      return { isItsOwn, outcome };
    }),
  );
  expect(outcomes.map(({ isItsOwn, outcome }) => outcome === (isItsOwn ? "done" : "conflict"))).toEqual([
    true,
    true,
  ]);
  await eventually(async () => expect(await accountsOfContracts(mixed)).toEqual([environment]));
});

/** The customer's page behind the link on their order. */
async function withdrawalPage({ id }: Order): Promise<string> {
  const address = withdrawalLink(shopDomain, id);
  const [, , name = "", link = ""] = new URL(address).pathname.split("/");
  const params = { shop: name, link };
  const request = new Request(`${address}?language=en`);
  return (await openWithdrawal({ request, params, context: {} })).text();
}

it("needs a confirmation before another store replaces one whose plans were sold, and gives it no order of that one's", async () => {
  const [before, other] = insurance.stores;
  if (!before || !other) throw new Error("The stand-in has too few stores");
  const connect = { intent: "connect", environment: "production", organisationToken: "" };
  const form = { ...connect, storeId: other.store_id, token: other.token_production };
  const contractsOf = ({ id }: Order, { store_id }: typeof other) =>
    insurance.plans("production", store_id).filter(({ order_reference_id: order }) => order === id);
  const say = (more: Record<string, string> = {}) =>
    ask(connectionAction, "/app/connection", { form: { ...form, ...more } });

  const [sold, claimed] = [buy(cartNow().lines, PAID), buy(cartNow().lines, PAID)];
  for (const order of [sold, claimed])
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  const [contract] = contractsOf(claimed, before);
  const claim = { method: "POST", body: JSON.stringify({ plan_id: contract?.id }) };
  expect((await fetch(`${insurance.control_url}/claims`, claim)).status).toBe(201);
  // In the first 14 days a claim would not end the right to withdraw.
  await letDaysPass(claimed, 20);
  expect(await withdrawalPage(claimed)).toContain("A claim was filed with this contract");

  insurance.faults.add({ operation: "plans.create", kind: "status", status: 503, times: null });
  const waiting = buy(cartNow().lines, PAID);
  // Creation and look-up keep failing.
  await eventually(async () => expect(await readItemStates(waiting)).toEqual(["unknown"]));
  expect(await say()).toEqual(refused("other_store", before.store_id));
  const where = { shop: shopDomain, environment: "production" };
  expect(await db.connection.findFirst({ where })).toMatchObject({ storeId: before.store_id });

  const release = shop.api.bulk.hold("QUERY");
  const leftInCart = cartNow().lines;
  expect(await say({ agreed: "yes" })).toEqual(success("connected"));
  const late = buy(leftInCart, { ...PAID, createdAt: new Date(Date.now() + 60_000).toISOString() });
  for (const order of [waiting, late]) {
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    expect(await listOpenTasks(order)).toMatchObject([
      { kind: "check_plan", details: { finding: "other_account" } },
    ]);
    expect([...contractsOf(order, before), ...contractsOf(order, other)]).toEqual([]);
  }
  insurance.faults.clear();
  // A person's retry also creates none.
  const [task] = await listOpenTasks(waiting);
  expect(await runTaskAction(shopDomain, task?.id ?? "", "retry", staff("1"))).toEqual({ state: "conflict" });
  // The other store receives neither a query nor a cancellation about that contract: its answers would be wrong.
  await db.contractClaims.updateMany({ where: { shop: shopDomain }, data: { readAt: new Date(0) } });
  insurance.traffic.clear();
  expect(await withdrawalPage(claimed)).toContain("A claim was filed with this contract");
  cancelOrder(state, sold.id);
  await eventually(async () => expect(await readItemStates(sold)).toEqual(["attention"]));
  expect(await listOpenTasks(sold)).toMatchObject([{ kind: "manual_cancellation" }]);
  const { counts } = insurance.traffic;
  expect([counts.get("orders.cancel") ?? 0, counts.get("claims.list") ?? 0]).toEqual([0, 0]);
  release();
  const [run] = await listRuns(shopDomain, "catalogue", 1);
  await finished(run?.id ?? "");
  const next = buy(cartNow().lines, { ...PAID, createdAt: new Date(Date.now() + 120_000).toISOString() });
  await eventually(() => expect(contractsOf(next, other)).toHaveLength(1));
});

it("gives a store no order of the one that it replaced while that one's catalogue was being read", async () => {
  const [store] = insurance.stores;
  if (!store) throw new Error("The stand-in has no store");
  const form = {
    intent: "connect",
    environment: "production",
    storeId: store.store_id,
    token: store.token_production,
    organisationToken: "",
    agreed: "yes",
  };
  const leftInCart = cartNow().lines;
  insurance.traffic.clear();
  const release = insurance.faults.hold("offers.list", { times: null });
  const { id } = await startRun(shopDomain, "catalogue", "merchant");
  await eventually(() => service.offerCalls() > 0, "the run reads the offers of the store before");
  expect(await ask(connectionAction, "/app/connection", { form })).toEqual(success("connected"));
  // The next run would read the same references at this store.
  const releaseNext = insurance.faults.hold("categories.list", { times: null });
  release();
  await finished(id);
  const late = buy(leftInCart, { ...PAID, createdAt: new Date(Date.now() + 60_000).toISOString() });
  await eventually(async () => expect(await readItemStates(late)).toEqual(["attention"]));
  expect(await listOpenTasks(late)).toMatchObject([
    { kind: "check_plan", details: { finding: "other_account" } },
  ]);
  expect(await accountsOfContracts(late)).toEqual([]);
  insurance.faults.clear();
  releaseNext();
  const [next] = await listRuns(shopDomain, "catalogue", 1);
  expect(next).toMatchObject({ reason: "connection" });
  await finished(next?.id ?? "");
});
