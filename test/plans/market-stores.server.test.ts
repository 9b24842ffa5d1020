/** Several stores of the service: each country of delivery has one, and an order keeps the one it began with. */
import { beforeAll, describe, expect, it, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { probeAccount } from "#app/plans/reconciler/probe-account.server.ts";
import { compareWithService } from "#app/plans/reconciliation/compare.server.ts";
import { reconciliationCounts } from "#app/plans/reconciliation/reconciliation.ts";
import { action, loader } from "#app/routes/app.connection/route.tsx";
import { action as createLead } from "#app/routes/app.leads.new/route.tsx";
import { loader as contractsPage } from "#app/routes/app.plans._index/route.tsx";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { allowSale, connectShop } from "#test/install.ts";
import { customer } from "#test/plans/references.ts";
import { settleJobs } from "#test/job-worker.ts";
import { insuredLines, readUnitStates, setUpSellingShop } from "#test/plans/selling-shop.ts";
import { leadEntry } from "#test/routes/full-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import { cancelOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
const [own, lyon] = insurance.stores;
if (!own || !lyon) throw new Error("The stand-in lacks stores");

const assign = (storeId: string, token: string, countries: string) =>
  ask(action, "/app/connection", {
    form: { intent: "assign_store", environment: "test", storeId, token, countries },
  });
const contractsAt = (storeId: string, order: Order) =>
  insurance.plans("test", storeId).filter((plan) => plan.order_reference_id === order.id);

/** The token that a store of the service takes from now on. */
const setToken = (storeId: string, token: string) =>
  fetch(`${insurance.control_url}/stores/${storeId}`, {
    method: "PATCH",
    body: JSON.stringify({ token_test: token }),
  });

function insured(country: string): Promise<Order> {
  return selling.buyAndIssue({ shippingAddress: { ...customer, zip: "1000", country_code: country } });
}

beforeAll(() => allowSale({ countries: ["FR", "BE", "LU"] }));

describe("the page", () => {
  it("shows markets only where the shop delivers to several countries", async () => {
    expect((await ask(loader, "/app/connection")).markets).toEqual([
      { name: "test", storeId: own.store_id, stores: [] },
    ]);
    await allowSale({ countries: ["FR"] });
    expect((await ask(loader, "/app/connection")).markets).toEqual([]);
    await allowSale({ countries: ["FR", "BE", "LU"] });
  });

  it("saves no store that the service does not accept, that is the connected one, or that sells something else", async () => {
    expect(await assign(lyon.store_id, "wrong", "BE")).toMatchObject({ state: "refused", reason: "refused" });
    expect(await assign("", lyon.token_test, "BE")).toEqual(invalid({ storeId: "missing" }));
    expect(await assign(own.store_id, own.token_test, "BE")).toEqual(refused("own_store"));
    const [reference] = await db.reference.findMany({
      where: { shop: domain, problem: null },
      orderBy: [{ categoryId: "asc" }, { bandMinMinor: "asc" }, { referenceId: "asc" }],
    });
    if (!reference) throw new Error("The shop sells nothing");
    const { environment, referenceId, priceMinor } = reference;
    const where = { shop_environment_referenceId: { shop: domain, environment, referenceId } };
    await db.reference.update({ where, data: { priceMinor: priceMinor + 1 } });
    expect(await assign(lyon.store_id, lyon.token_test, "BE")).toMatchObject({ reason: "other_catalogue" });
    await db.reference.update({ where, data: { priceMinor } });
    expect(await db.marketStore.count()).toBe(0);
  });

  it("gives a country to one store alone, and keeps a token that is not entered again", async () => {
    expect(await assign(lyon.store_id, lyon.token_test, "BE,LU")).toEqual(success("assigned"));
    expect(await assign(lyon.store_id, "", "BE")).toEqual(success("assigned"));
    const { markets } = await ask(loader, "/app/connection");
    expect(markets[0]?.stores).toEqual([{ storeId: lyon.store_id, countries: ["BE"] }]);
    expect(JSON.stringify(await db.marketStore.findMany())).not.toContain(lyon.token_test);
  });
});

test("a quote goes to the store of the customer's country", async () => {
  const { phone } = insuredLines(selling.references);
  const { variantId } = phone;
  const product = [...shop.state.products.values()].find(({ variants }) =>
    variants.some(({ id }) => id === variantId),
  );
  const priceMinor = product?.variants.find(({ id }) => id === variantId)?.price ?? 0;
  await db.shopVariant.create({
    data: { shop: domain, variantId, productId: product?.id ?? "", title: "128 Go", priceMinor },
  });
  const form = { ...leadEntry(variantId), country: "BE", zip: "1000", phone: "+32470123456" };
  const quotesAt = (store: string) =>
    insurance.traffic.log.filter(({ path }) => path === `/api/v2/store/${store}/leads`).length;
  expect(await responseOf(ask(createLead, "/app/leads/new", { form }))).toMatchObject({ status: 303 });
  expect([quotesAt(lyon.store_id), quotesAt(own.store_id)]).toEqual([1, 0]);
});

describe("an order", () => {
  it("has its contract and its sales record in the store of its country, all others in the connected one", async () => {
    const [belgian, french, other] = [await insured("BE"), await insured("FR"), await insured("LU")];
    expect(contractsAt(lyon.store_id, belgian)).toHaveLength(1);
    expect(contractsAt(own.store_id, belgian)).toHaveLength(0);
    for (const order of [french, other]) {
      expect(contractsAt(own.store_id, order)).toHaveLength(1);
      expect(contractsAt(lyon.store_id, order)).toHaveLength(0);
    }
    const recordsAt = (store: string) =>
      insurance.traffic.log.filter(({ path }) => path === `/api/v2/store/${store}/orders`).length;
    await eventually(() => expect([recordsAt(lyon.store_id), recordsAt(own.store_id)]).toEqual([1, 2]));
  });

  it("waits alone while its store refuses the token, and the others go on", async () => {
    await setToken(lyon.store_id, "replaced");
    const belgian = selling.buyInsured({ shippingAddress: { ...customer, country_code: "BE" } });
    const tasks = () => db.task.count({ where: { shop: domain, kind: "connection", closedAt: null } });
    await eventually(async () => expect(await tasks()).toBe(1));
    await eventually(async () => expect(await readUnitStates(belgian)).toEqual(["pending"]));
    await insured("FR");
    expect(await db.accountPause.count()).toBe(0);
    const check = { intent: "check", environment: "test" };
    expect(await ask(action, "/app/connection", { form: check })).toEqual(
      refused("further_refused", lyon.store_id),
    );
    expect(await assign(lyon.store_id, "replaced", "BE")).toEqual(success("assigned"));
    await eventually(async () => expect(await readUnitStates(belgian)).toEqual(["active"]));
    expect(contractsAt(lyon.store_id, belgian)).toHaveLength(1);
  });

  it("goes on while the connected store refuses the token, and does not make that one accepted", async () => {
    await setToken(own.store_id, "revoked");
    const french = selling.buyInsured({ shippingAddress: { ...customer, country_code: "FR" } });
    const state = async () => (await db.connection.findFirst({ where: { shop: domain } }))?.state;
    await eventually(async () => expect(await state()).toBe("refused"));
    const belgian = await insured("BE");
    expect(contractsAt(lyon.store_id, belgian)).toHaveLength(1);
    // A probe may be sending it at this moment.
    expect(contractsAt(own.store_id, french)).toEqual([]);
    expect(await state()).toBe("refused");
    await setToken(own.store_id, own.token_test);
    await eventually(async () => expect(await readUnitStates(french)).toEqual(["active"]));
    expect(await state()).toBe("accepted");
  });

  it("is compared though a store that has no country any more refuses its token", async () => {
    const [belgian, french] = [await insured("BE"), await insured("FR")];
    await assign(lyon.store_id, "", "");
    // The checks of the account that earlier assignments requested find it accepted, and would close the task.
    await db.$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE name = 'account-probe' AND start_after > now()`;
    await settleJobs();
    await setToken(lyon.store_id, "revoked");
    const counts = reconciliationCounts.parse({});
    await compareWithService(domain, [belgian.id, french.id], counts);
    expect(counts).toMatchObject({ contracts: 1, different: 0 });
    const open = { shop: domain, kind: "connection", closedAt: null };
    expect(await db.task.count({ where: open })).toBe(1);
    await setToken(lyon.store_id, "replaced");
    expect(await assign(lyon.store_id, "replaced", "BE")).toEqual(success("assigned"));
  });

  it("waits, without an end, while the whole account is disconnected", async () => {
    const order = await insured("BE");
    await ask(action, "/app/connection", { form: { intent: "disconnect", environment: "test" } });
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await db.waitingOrder.count({ where: { shop: domain } })).toBe(1));
    await expect(probeAccount({ shop: domain, environment: "test" })).rejects.toMatchObject({
      name: "AccountStillPaused",
    });
    await connectShop();
    expect(await assign(lyon.store_id, "replaced", "BE")).toEqual(success("assigned"));
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["cancelled"]));
  });

  it("keeps its store after its country got another one: it is compared, found and cancelled there", async () => {
    const order = await insured("BE");
    await assign(lyon.store_id, "", "");
    const counts = reconciliationCounts.parse({});
    await compareWithService(domain, [order.id], counts);
    expect(counts).toMatchObject({ contracts: 1, different: 0 });
    const [contract] = contractsAt(lyon.store_id, order);
    const page = await ask(contractsPage, `/app/plans?q=${contract?.id ?? ""}`);
    expect(JSON.stringify(page)).toContain(order.name);
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["cancelled"]));
    expect(contractsAt(lyon.store_id, order).map(({ status }) => status)).toEqual(["cancelled"]);
    const next = await insured("BE");
    expect(contractsAt(own.store_id, next)).toHaveLength(1);
  });
});
