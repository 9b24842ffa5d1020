import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { keepConsentTexts } from "#app/offers/storefront-settings.server.ts";
import { consentVersion } from "#app/offers/consent-version.server.ts";
import { extensionTexts } from "#app/offers/extension-texts.server.ts";
import { defaultStorefrontSettings } from "#app/offers/storefront-settings.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { action as act, loader as openOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { loader as list } from "#app/routes/app.orders._index/route.tsx";
import { loader as download } from "#app/routes/app.orders[.]csv.tsx";
import { loader as statementFile } from "#app/routes/app.statement[.]csv.tsx";
import { action as createQuote, loader as newQuote } from "#app/routes/app.quotes.new/route.tsx";
import { CONSENT } from "#app/shopify/line-properties.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { settleJobs } from "#test/job-worker.ts";
import { customer } from "#test/orders/references.ts";
import {
  setUpSellingShop,
  buy,
  listContracts,
  insuredLines,
  findSalesRecord,
  readItemStates,
  forgetEvents,
  lineIdAt,
} from "#test/orders/selling-shop.ts";
import { madeQuote, soldBy } from "#test/quotes/told-quote.ts";
import { claimLink } from "#app/customers/customer-links.server.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { cancelOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";
import { quoteEntry } from "./full-shop.ts";

const selling = setUpSellingShop();
let single: Order;
let pair: Order;
let plain: Order;
let gone: Order;
beforeAll(async () => {
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
  const one = insuredLines(selling.references);
  const two = insuredLines(selling.references, { quantity: 2 });
  const cancelled = insuredLines(selling.references);
  single = buy([one.phone, one.plan], { email: "zoe_1@example.com" });
  pair = buy([two.phone, two.plan]);
  plain = buy([insuredLines(selling.references).phone]);
  gone = buy([cancelled.phone, cancelled.plan]);
  for (const order of [single, pair, plain, gone]) await isRecorded(order);
  cancelOrder(shop.state, gone.id);
  await eventually(async () => expect(await readItemStates(gone)).toEqual(["cancelled"]));
});

function isRecorded(order: Order): Promise<void> {
  return eventually(async () =>
    expect(await db.order.findFirst({ where: { orderId: order.id } })).toMatchObject({
      salesRecordStatus: "recorded",
    }),
  );
}

const listed = async (search = "", domain?: string) =>
  (await ask(list, `/app/orders${search}`, { domain })).page;
const found = async (search: string) => (await listed(search)).items.map(({ orderId }) => orderId);
const pageOf = async (order: Order) =>
  (await ask(openOrder, `/app/orders/${order.id}`, { params: { orderId: order.id } })).order;
const post = (order: Order, form: Record<string, string>, domain?: string) =>
  ask(act, `/app/orders/${order.id}`, { params: { orderId: order.id }, form, domain });
async function planOf(order: Order): Promise<string> {
  const [contract] = await listContracts(order);
  if (!contract) throw new Error(`${order.name} has no contract`);
  return contract.id;
}
async function itemOf(order: Order, itemNumber = 1) {
  const { lineId } = await db.insuredItem.findFirstOrThrow({ where: { orderId: order.id, itemNumber } });
  return { lineId, itemNumber: String(itemNumber) };
}

describe("the list of orders", () => {
  test("shows each plan's number and state", async () => {
    const { items: orders } = await listed();
    const items = orders.find(({ orderId }) => orderId === pair.id)?.items;
    expect(items?.map(({ contractId }) => contractId).sort()).toEqual(
      (await listContracts(pair)).map(({ id }) => id).sort(),
    );
    expect(items?.map(({ state }) => state)).toEqual(["active", "active"]);
    expect(orders.find(({ orderId }) => orderId === plain.id)?.items).toEqual([]);
    const times = orders.map(({ purchasedAt }) => purchasedAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test("is searched by order name with and without #, order id, e-mail address, and plan id", async () => {
    const plan = await planOf(single);
    for (const query of [single.name, single.name.replace("#", ""), single.id, "ZOE_1@Example.com", plan]) {
      expect(await found(`?query=${encodeURIComponent(query)}`)).toEqual([single.id]);
    }
    expect(await found("?query=%25")).toEqual([]);
  });

  test("is searched by a part of the customer's e-mail address or name, whatever its accents, and by telephone", async () => {
    for (const query of ["zoe_1", "Zoé_1@exa"])
      expect(await found(`?query=${encodeURIComponent(query)}`)).toEqual([single.id]);
    const { customer } = await pageOf(pair);
    const all = await found(`?query=${encodeURIComponent(`${customer?.lastName} ${customer?.firstName}`)}`);
    expect(all).toEqual(expect.arrayContaining([single.id, pair.id]));
    expect(await found(`?query=${encodeURIComponent(customer?.phone?.replace("+33", "0") ?? "")}`)).toEqual(
      expect.arrayContaining([pair.id]),
    );
    expect(await found("?query=nobody")).toEqual([]);
    expect(await listed("?query=zoe_1", otherShop.shopDomain)).toMatchObject({ items: [] });
  });

  test("leads to the customer's claim page, for a caller", async () => {
    expect((await pageOf(single)).claims?.page).toBe(claimLink(shop.shopDomain, single.id));
    expect((await pageOf(gone)).claims).toBeNull();
  });

  test("is filtered by the state of the plans", async () => {
    expect(await found("?plans=none")).toEqual([plain.id]);
    expect(await found("?plans=cancelled")).toEqual([gone.id]);
    expect(new Set(await found("?plans=active"))).toEqual(new Set([single.id, pair.id]));
    expect(await found("?plans=attention")).toEqual([]);
  });

  test("names the products, and is sorted by date or by what was paid for insurance", async () => {
    const { items: orders } = await listed();
    expect(orders.find(({ orderId }) => orderId === pair.id)?.lines).toMatchObject([{ quantity: 2 }]);
    const [highest] = await found("?sort=highest");
    expect(highest).toBe(pair.id);
    expect((await found("?sort=lowest"))[0]).toBe(plain.id);
    expect(await found("?sort=oldest")).toEqual((await found("")).reverse());
    const ranked = await listed("?sort=highest");
    const paid = ranked.items.map(({ items }) =>
      items.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0),
    );
    expect(ranked.items.map(({ premiumMinor }) => premiumMinor)).toEqual(paid);
    const cursor = encodeURIComponent(JSON.stringify([paid[0], ranked.items[0]?.orderId]));
    expect(await found(`?sort=highest&after=${cursor}`)).toEqual(
      ranked.items.slice(1).map(({ orderId }) => orderId),
    );
  });

  test("hides orders of the test account once the shop sells for real, until the filter shows them", async () => {
    const where = { shop: shop.shopDomain };
    await db.merchant.updateMany({ where, data: { environment: "production" } });
    expect(await found("")).toEqual([]);
    expect(await found("?tests=shown")).toHaveLength(4);
    // A search by the order's name still finds it.
    expect(await found(`?query=${single.id}`)).toEqual([single.id]);
    await db.merchant.updateMany({ where, data: { environment: "test" } });
  });

  test("is filtered by days of the shop's time zone, both included", async () => {
    const [first] = await db.order.findMany({
      where: { shop: shop.shopDomain },
      orderBy: { purchasedAt: "asc" },
    });
    const { today } = await ask(list, "/app/orders");
    const start = toLocalDay("Europe/Paris", first?.purchasedAt ?? new Date(0));
    expect(await found(`?start=${start}&end=${today}`)).toHaveLength(4);
    // 23:30 in UTC is the next day in the shop's Paris.
    const late = { shop: shop.shopDomain, orderId: "9000000000001" };
    await db.order.create({
      data: {
        ...late,
        name: "#late",
        currency: "EUR",
        paymentMethod: "free",
        salesChannel: "online",
        environment: "test",
        purchasedAt: new Date("2026-03-01T23:30:00Z"),
        changedAt: new Date(),
      },
    });
    expect(await found("?start=2026-03-02&end=2026-03-02")).toEqual([late.orderId]);
    expect(await found("?start=2026-03-01&end=2026-03-01")).toEqual([]);
    await db.order.deleteMany({ where: late });
  });

  test("is paged forward and back, also through orders of the same moment", async () => {
    const domain = otherShop.shopDomain;
    await db.order.createMany({
      data: Array.from({ length: 60 }, (_, index) => ({
        shop: domain,
        orderId: `8${String(index).padStart(6, "0")}`,
        name: `#${index}`,
        currency: "EUR",
        paymentMethod: "free",
        salesChannel: "online",
        environment: "test",
        changedAt: new Date(),
        purchasedAt: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(index / 30))),
      })),
    });
    const first = await listed("", domain);
    const second = await listed(`?after=${encodeURIComponent(first.next ?? "")}`, domain);
    const third = await listed(`?after=${encodeURIComponent(second.next ?? "")}`, domain);
    const ids = [first, second, third].flatMap(({ items }) => items.map(({ orderId }) => orderId));
    expect(new Set(ids).size).toBe(60);
    expect([first.previous, third.next]).toEqual([null, null]);
    const back = await listed(`?before=${encodeURIComponent(third.previous ?? "")}`, domain);
    expect(back.items).toEqual(second.items);
    expect((await listed("?after=nonsense", domain)).items).toEqual(first.items);
  });

  test("shows nothing of another shop", async () => {
    const { items: orders } = await listed(`?query=${single.id}`, otherShop.shopDomain);
    expect(orders).toEqual([]);
  });

  test("is a file with one row per plan", async () => {
    const text = await (await ask(download, "/app/orders.csv?plans=active&locale=en")).text();
    const [head, ...rows] = text.trim().split("\n");
    expect(head).toContain("Order reference,Purchased,");
    expect(rows).toHaveLength(3);
    expect(rows.filter((row) => row.includes(pair.id))).toHaveLength(2);
    expect(text).toContain(await planOf(single));
    const foreign = await ask(download, "/app/orders.csv", { domain: otherShop.shopDomain });
    expect(await foreign.text()).not.toContain(single.id);
  });
});

test("an order's page shows the claims on its contracts, and those known last if the insurer does not answer", async () => {
  const contractId = await planOf(single);
  const filed = await fetch(`${insurance.control_url}/claims`, {
    method: "POST",
    body: JSON.stringify({ plan_id: contractId, claim_type: "theft", filed_at: Date.now() }),
  });
  const { id } = z.object({ id: z.string() }).parse(await filed.json());
  const params = { orderId: single.id };
  const claimsOn = async () =>
    (await (await ask(openOrder, `/app/orders/${single.id}`, { params })).knownClaims).get(contractId);
  // Another page has read them in the last minute.
  const forget = () => db.contractClaims.updateMany({ where: { contractId }, data: { readAt: new Date(0) } });
  await forget();
  expect(await claimsOn()).toMatchObject({ isCurrent: true, claims: [{ id, type: "theft" }] });
  await forget();
  insurance.faults.add({ operation: "claims.list", kind: "status", status: 503, times: 5 });
  expect(await claimsOn()).toMatchObject({ isCurrent: false, claims: [{ id }] });
  insurance.faults.clear();
});

test("an order's statement says what became of its premiums, on its page and in the file of its period", async () => {
  const order = await selling.buyAndIssue({ quantity: 2 });
  const lineId = order.lines[1]?.id ?? "";
  refundOrder(shop.state, order.id, { lines: [{ lineId, quantity: 1 }] });
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "attention"]));
  const params = { orderId: order.id };
  const { statements } = (await ask(openOrder, `/app/orders/${order.id}`, { params })).order;
  const [first, second] = await db.insuredItem.findMany({ where: params, orderBy: { itemNumber: "asc" } });
  const [kept, refunded] = [first?.premiumMinor ?? 0, second?.premiumMinor ?? 0];
  expect(statements).toEqual([
    {
      currency: "EUR",
      paidMinor: kept + refunded,
      shares: { covered: kept, underWay: 0, refunded, kept: 0, open: 0 },
    },
  ]);
  const { timezone } = await db.merchant.findUniqueOrThrow({ where: { shop: shop.shopDomain } });
  const day = toLocalDay(timezone, new Date(order.createdAt));
  const file = async (domain = shop.shopDomain) =>
    (await ask(statementFile, `/app/statement.csv?locale=en&start=${day}&end=${day}`, { domain })).text();
  const [head, ...rows] = (await file()).trim().split("\n");
  expect(head).toContain(
    "Paid for insurance,Contracts in force,Under way,Refunded,Kept by decision,Open tasks",
  );
  const inEuros = (minor: number) => (minor / 100).toFixed(2);
  expect(rows.find((row) => row.includes(order.id))).toContain(
    `EUR,${inEuros(kept + refunded)},${inEuros(kept)},0.00,${inEuros(refunded)},0.00,0.00`,
  );
  expect(await file(otherShop.shopDomain)).not.toContain(order.id);
});

test("the file of orders opens in a French spreadsheet", async () => {
  const text = await (await ask(download, `/app/orders.csv?locale=fr&query=${single.id}`)).text();
  expect(text.startsWith("Commande;Référence de commande;Achat;")).toBe(true);
  const [row] = text.trim().split("\n").slice(1);
  const { premiumMinor } = await db.insuredItem.findFirstOrThrow({ where: { orderId: single.id } });
  expect(row).toContain(`;Actif;`);
  expect(row).toContain(`;${(premiumMinor / 100).toFixed(2).replace(".", ",")};`);
  expect(row).toMatch(/;\d{4}-\d{2}-\d{2} \d{2}:\d{2};/);
});

describe("an order's page", () => {
  test("has its plans, products, customer, history and what was received", async () => {
    const order = await pageOf(single);
    expect(order).toMatchObject({
      name: single.name,
      salesRecordStatus: "recorded",
      customer: { firstName: "Ana", lastName: "Blanc", phone: "+33612345678" },
      items: [{ state: "active", contractId: await planOf(single), billing: "annually" }],
      lines: [{ insuranceOffered: true, insuranceSelected: true, plans: [{ state: "active", count: 1 }] }],
      tasks: [],
    });
    expect(order.history.map(({ cause }) => cause).slice(0, 6)).toEqual([
      "placed",
      "paid",
      "paid_for",
      "send",
      "created",
      "contract_active",
    ]);
    expect(order.failedWebhooks).toEqual([]);
  });

  test("adds up what several plans cost together, and nothing for one alone", async () => {
    const { items, paidForPlans } = await pageOf(pair);
    expect(items).toHaveLength(2);
    expect(paidForPlans).toEqual({ premiumMinor: 2 * (items[0]?.premiumMinor ?? 0), currency: "EUR" });
    expect((await pageOf(single)).paidForPlans).toBeNull();
  });

  test("shows the text that was agreed to, and of an old, numbered version its number", async () => {
    const { consent: text } = extensionTexts.fr;
    await keepConsentTexts(shop.shopDomain, defaultStorefrontSettings);
    const agreedTo = async (consent: string) => {
      const { phone, plan } = insuredLines(selling.references);
      const properties = (plan.properties ?? []).filter(({ name }) => name !== CONSENT);
      const order = buy([phone, { ...plan, properties: [...properties, { name: CONSENT, value: consent }] }]);
      await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
      return (await pageOf(order)).items.map(({ consentText, consentWords }) => [consentText, consentWords]);
    };
    const version = consentVersion(text);
    expect(await agreedTo(`${version} 2026-11-20T09:59:00.000Z`)).toEqual([[text, null]]);
    expect(await agreedTo("1 2026-11-20T09:59:00.000Z")).toEqual([[null, null]]);
    expect(await agreedTo("Accepté au comptoir")).toEqual([[null, "Accepté au comptoir"]]);
  });

  test("shows a webhook that could not be processed so far", async () => {
    const where = { shop: shop.shopDomain, orderId: gone.id, topic: "orders/cancelled" };
    await db.webhook.updateMany({ where, data: { state: "failed", error: "The database was away" } });
    expect((await pageOf(gone)).failedWebhooks).toMatchObject([
      { topic: "orders/cancelled", error: "The database was away" },
    ]);
    await db.webhook.updateMany({ where, data: { state: "done", error: null } });
  });

  test("is not found for another shop, nor are its actions", async () => {
    const params = { orderId: single.id };
    const foreign = ask(openOrder, `/app/orders/${single.id}`, { params, domain: otherShop.shopDomain });
    expect((await responseOf(foreign)).status).toBe(404);
    const before = await pageOf(single);
    for (const form of [
      { intent: "item", action: "end", ...(await itemOf(single)) },
      { intent: "item", action: "retry", ...(await itemOf(single)) },
      { intent: "end_all" },
      { intent: "issue_now" },
    ]) {
      expect(await post(single, form, otherShop.shopDomain)).toEqual(refused("unknown"));
    }
    expect(await pageOf(single)).toEqual(before);
  });

  test("refuses what it does not know", async () => {
    expect((await responseOf(post(single, { intent: "explode" }))).status).toBe(400);
  });
});

describe("what can be done on an order's page", () => {
  test("a plan that is the order's last one is cancelled at the insurer", async () => {
    const order = selling.buyInsured();
    await isRecorded(order);
    const answer = await post(order, { intent: "item", action: "end", ...(await itemOf(order)) });
    expect(answer).toEqual(success("end"));
    await eventually(async () => expect(await listContracts(order)).toMatchObject([{ status: "cancelled" }]));
    await eventually(async () => expect((await pageOf(order)).items).toMatchObject([{ state: "cancelled" }]));
  });

  test("all plans are cancelled with the order at the insurer", async () => {
    const order = selling.buyInsured({ quantity: 3 });
    await isRecorded(order);
    expect(await post(order, { intent: "end_all" })).toEqual(success("end_all"));
    await eventually(async () => expect((await findSalesRecord(order))?.status).toBe("cancelled"));
  });

  test("one contract of several waits as a task, which the merchant can take back until it is cancelled", async () => {
    const order = selling.buyInsured({ quantity: 2 });
    await isRecorded(order);
    const item = { intent: "item", ...(await itemOf(order)) };
    expect(await post(order, { ...item, action: "keep" })).toEqual(refused("conflict"));
    await post(order, { ...item, action: "end" });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention", "active"]));
    expect((await pageOf(order)).items).toMatchObject([{ canKeepInsured: true }, { canKeepInsured: false }]);
    expect(await post(order, { ...item, action: "keep" }, otherShop.shopDomain)).toEqual(refused("unknown"));
    expect(await post(order, { ...item, action: "keep" })).toEqual(success("keep"));
    expect(await readItemStates(order)).toEqual(["active", "active"]);
    expect((await pageOf(order)).tasks).toEqual([]);
    // It is insured again: a later check of the order ends nothing.
    await post(order, { intent: "issue_now" });
    await settleJobs();
    expect(await listContracts(order)).toMatchObject([{ status: "active" }, { status: "active" }]);
    expect((await pageOf(order)).items).toMatchObject([{ wanted: true }, { wanted: true }]);
  });

  test("a contract of a refunded insurance cannot be kept", async () => {
    const order = selling.buyInsured({ quantity: 2 });
    await isRecorded(order);
    refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[1]?.id ?? "", quantity: 1 }] });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "attention"]));
    const item = { intent: "item", ...(await itemOf(order, 2)) };
    expect((await pageOf(order)).items).toMatchObject([{ canKeepInsured: false }, { canKeepInsured: false }]);
    expect(await post(order, { ...item, action: "keep" })).toEqual(refused("conflict"));
  });

  test("a contract whose product went back cannot be kept", async () => {
    const order = selling.buyInsured({ quantity: 2 });
    await isRecorded(order);
    refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] });
    await eventually(async () =>
      expect((await pageOf(order)).tasks).toMatchObject([{ kind: "product_returned" }]),
    );
    await post(order, { intent: "item", ...(await itemOf(order, 2)), action: "end" });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "attention"]));
    expect(await post(order, { intent: "item", ...(await itemOf(order, 2)), action: "keep" })).toEqual(
      refused("conflict"),
    );
  });

  test("a refused plan is requested again", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message: "No", times: 1 });
    const order = selling.buyInsured();
    await eventually(async () => expect(await readItemStates(order)).toEqual(["refused"]));
    // Its line shows it, too: a chosen product is not insured yet.
    expect((await pageOf(order)).lines).toMatchObject([{ plans: [{ state: "refused", count: 1 }] }]);
    expect((await pageOf(order)).tasks).toMatchObject([{ kind: "plan_refused", orderName: order.name }]);
    await post(order, { intent: "item", action: "retry", ...(await itemOf(order)) });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect((await pageOf(order)).tasks).toEqual([]);
  });

  test("a contract is requested without a postcode: the insurer decides what it needs", async () => {
    const order = selling.buyInsured({ billingAddress: { ...customer, zip: null } });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    expect((await pageOf(order)).missing).toEqual([]);
  });

  test("missing details are supplied, and wrong ones are reported at their fields", async () => {
    const order = selling.buyInsured({ billingAddress: { ...customer, phone: null, city: null } });
    await eventually(async () => expect((await pageOf(order)).missing).toEqual(["city"]));
    await eventually(async () => expect(await readItemStates(order)).toEqual(["attention"]));
    const details = {
      intent: "customer_data",
      email: "ana@example.com",
      firstName: "Ana",
      lastName: "Blanc",
      address1: "3 rue des Lilas",
      address2: "",
      zip: "75020",
      country: "fr",
    };
    expect(await post(order, { ...details, phone: "call me", city: "" })).toEqual(
      invalid({ phone: "phone", city: "missing" }),
    );
    // It has a number's format, but no country has such numbers.
    expect(await post(order, { ...details, phone: "000000", city: "Paris" })).toEqual(
      invalid({ phone: "phone" }),
    );
    expect(await readItemStates(order)).toEqual(["attention"]);
    expect(await post(order, { ...details, phone: "06 12 34 56 78", city: "Paris" })).toEqual(
      success("customer_data"),
    );
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  });
});

describe("a quote begun from an order", () => {
  const begin = (search: string, domain?: string) => ask(newQuote, `/app/quotes/new${search}`, { domain });

  test("has its customer, its day and the products that can be insured, also where nothing was insured", async () => {
    const phone = insuredLines(selling.references).phone.variantId;
    const products = [...shop.state.products.values()];
    const product = products.find(({ variants }) => variants.some(({ id }) => id === phone));
    const read = {
      shop: shop.shopDomain,
      variantId: phone,
      productId: product?.id ?? "",
      title: "Default Title",
    };
    await db.shopVariant.create({ data: { ...read, priceMinor: 1_000 } });
    const { draft, isOrderMissing } = await begin(`?order=${plain.id}`);
    expect(isOrderMissing).toBe(false);
    expect(draft).toMatchObject({
      name: plain.name,
      values: {
        variantId: phone,
        lastName: customer.last_name,
        phone: "+33612345678",
        city: customer.city,
        purchaseDate: toLocalDay(shop.state.timezone, new Date(plain.createdAt)),
      },
      products: [{ variantId: phone }],
    });
  });

  test("has no product that is insured already, and is not made for one", async () => {
    const { draft, request } = await begin(`?order=${single.id}`);
    expect(draft?.products).toEqual([]);
    expect(draft?.values.variantId).toBeUndefined();
    const form = { ...quoteEntry(single.lines[0]?.variantId ?? ""), ...draft?.values };
    const { requestId } = request;
    expect(
      await ask(createQuote, "/app/quotes/new", { form: { ...form, requestId, phone: "+33612345678" } }),
    ).toEqual(invalid({ variantId: "insured" }));
    // An item insured by a quote counts as insured, too.
    const item = { lineId: lineIdAt(plain, 0), number: 1 };
    await appendToOrder(shop.shopDomain, plain.id, () => [...madeQuote(item), soldBy(item)]);
    expect((await begin(`?order=${plain.id}`)).draft?.products).toEqual([]);
    await forgetEvents(plain, "quote_planned");
  });

  describe("and sent", () => {
    const entered = async (
      changes: Record<string, string> = {},
      order = plain,
    ): Promise<Record<string, string>> => {
      const { draft, request } = await begin(`?order=${order.id}`);
      const { requestId } = request;
      return { ...quoteEntry(""), ...draft?.values, requestId, phone: "+33612345678", ...changes };
    };
    const send = (form: Record<string, string>) => ask(createQuote, "/app/quotes/new", { form });
    const made = async (form: Record<string, string>) => {
      const location = (await responseOf(send(form))).headers.get("location") ?? "";
      const [, quoteId = ""] = /\/app\/quotes\/(.+)\?created$/.exec(location) ?? [];
      return db.quote.findFirstOrThrow({ where: { shop: shop.shopDomain, quoteId } });
    };
    const boughtAt = () => plain.lines[0]?.price;

    test("is for the price of the order before discounts, whatever the shop takes today", async () => {
      expect(boughtAt()).not.toBe(1_000);
      const { phone } = insuredLines(selling.references);
      const discounted = buy([{ ...phone, discounts: [2_000] }]);
      expect(await made(await entered({}, discounted))).toMatchObject({
        priceMinor: boughtAt(),
        currency: "EUR",
      });
    });

    test("keeps that price where staff send it again", async () => {
      insurance.faults.add({ operation: "leads.create", kind: "status", status: 500 });
      const form = await entered();
      await responseOf(send(form));
      insurance.faults.clear();
      const { unconfirmed, request } = await begin(`?again=${form["requestId"] ?? ""}`);
      const again = {
        ...unconfirmed?.values,
        requestId: request.requestId,
        attempt: String(request.attempt),
      };
      expect(await made(again)).toMatchObject({ priceMinor: boughtAt() });
    });

    test("is for today's price of a product that staff chose instead", async () => {
      const product = await db.shopProduct.findFirstOrThrow({
        where: { shop: shop.shopDomain, NOT: { categoryId: null } },
      });
      const { shop: ofShop, productId } = product;
      const variant = { shop: ofShop, productId, variantId: "1", title: "Other", priceMinor: 39_900 };
      await db.shopVariant.create({ data: variant });
      expect(await made(await entered({ variantId: "1" }))).toMatchObject({
        variantId: "1",
        priceMinor: 39_900,
      });
    });

    test("is not made for an order that was cancelled, is not paid, or is a company's where the shop sells to none", async () => {
      const { phone } = insuredLines(selling.references);
      const order = buy([phone]);
      const form = await entered({}, order);
      const changed = async (changes: Partial<Order>) => {
        const before = { ...order };
        Object.assign(order, changes);
        const result = await send(form);
        Object.assign(order, before);
        return result;
      };
      const cancelledAt = new Date().toISOString();
      expect(await changed({ cancelledAt })).toEqual(refused("order_cancelled"));
      expect(await changed({ financialStatus: "pending" })).toEqual(refused("order_not_paid"));
      expect(await changed({ company: { id: "1" } })).toEqual(refused("order_company"));
    });

    test("is not made while the shop does not show the order", async () => {
      insurance.traffic.clear();
      const form = await entered();
      expect(await send({ ...form, orderId: "999" })).toEqual(refused("order_missing"));
      shop.faults.add({ operation: "ParasolOrder", status: 500, times: 2 });
      expect(await send(form)).toEqual(refused("order_missing"));
      shop.faults.clear();
      expect(insurance.traffic.log).toEqual([]);
    });
  });

  test("is found by the order's number or the customer's e-mail", async () => {
    const found = async (find: string) =>
      (await begin(`?find=${encodeURIComponent(find)}`)).orders.map(({ orderId }) => orderId);
    expect(await found("zoe_1@example.com")).toEqual([single.id]);
    expect(await found(plain.name)).toEqual([plain.id]);
    expect(await found("nobody@example.com")).toEqual([]);
  });

  test("has nothing of another shop's order, and says that there is none", async () => {
    expect(await begin(`?order=${plain.id}`, otherShop.shopDomain)).toMatchObject({
      draft: null,
      isOrderMissing: true,
    });
    const { orders } = await begin(`?find=${encodeURIComponent(plain.name)}`, otherShop.shopDomain);
    expect(orders).toEqual([]);
  });
});
