import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { staff } from "#app/audit/actor.ts";
import { allowAddress, suppressAddress } from "#app/quotes/of-orders/suppression.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action as create, loader as form } from "#app/routes/app.quotes.new/route.tsx";
import { action as drop, loader as one } from "#app/routes/app.quotes.$quoteId/route.tsx";
import { loader as list } from "#app/routes/app.quotes._index/route.tsx";
import { invalid, refused } from "#app/ui/action-result.ts";
import { allowSale, connectShop, installApp } from "#test/install.ts";
import { catalogueRows, sellReferences } from "#test/orders/references.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";
import { quoteEntry } from "./full-shop.ts";
import { killedAfter } from "./statements.ts";

vi.mock("@prisma/adapter-pg", async (original) => {
  const { recording } = await import("./statements.ts");
  return recording(await original());
});

const domain = shop.shopDomain;
const other = otherShop.shopDomain;
const entries = {
  ...quoteEntry(""),
  variantId: "",
  purchaseDate: "2026-10-02",
  email: "Zoe.Marchand@example.com",
  phone: "06 12 34 56 78",
};

let title = "";
beforeAll(async () => {
  await connectShop();
  const sold = await sellReferences(shop.state, insurance.control_url);
  const { products } = catalogueRows(domain, shop.state, sold);
  await db.shopProduct.createMany({ data: products });
  const [phone] = [...shop.state.products.values()].filter(({ productType }) => productType === "Smartphone");
  const variant = phone?.variants[0];
  if (!phone || !variant) throw new Error("The shop sells no phone");
  entries.variantId = variant.id;
  title = phone.title;
  await db.shopVariant.createMany({
    data: [
      {
        shop: domain,
        variantId: variant.id,
        productId: phone.id,
        title: variant.title,
        priceMinor: variant.price,
      },
      { shop: domain, variantId: "1", productId: "1", title: "Default Title", priceMinor: 1_000 },
    ],
  });
  await db.shopProduct.create({
    data: {
      shop: domain,
      productId: "1",
      title: "A book",
      handle: "book",
      status: "ACTIVE",
      productType: "Book",
      vendor: "",
    },
  });
});
beforeEach(async () => {
  await db.quote.deleteMany();
});
afterEach(() => insurance.faults.clear());

const send = (changes: Record<string, string> = {}) =>
  ask(create, "/app/quotes/new", { form: { ...entries, requestId: randomUUID(), ...changes } });

const open = (quoteId: string) => ask(one, `/app/quotes/${quoteId}`, { params: { quoteId } });
const dropQuote = (quoteId: string) => ask(drop, `/app/quotes/${quoteId}`, { params: { quoteId }, form: {} });

/** Sends a form whose answer is lost. @returns the id of its request */
async function unclear(): Promise<string> {
  const requestId = randomUUID();
  insurance.faults.add({ operation: "leads.create", kind: "status", status: 500 });
  const response = await responseOf(send({ requestId }));
  expect(response.headers.get("location")).toBe(`/app/quotes/${requestId}`);
  insurance.faults.clear();
  return requestId;
}

const insurerLeads = z.array(z.object({ customer: z.object({ email: z.string() }) }));
/** The number of the insurer's quotes for a customer. */
async function countAtInsurer(email: string): Promise<number> {
  const quotes = insurerLeads.parse(await (await fetch(`${insurance.control_url}/leads`)).json());
  return quotes.filter(({ customer }) => customer.email === email).length;
}

/** Creates a quote through the form. @returns its id */
async function made(changes: Record<string, string> = {}): Promise<string> {
  const response = await responseOf(send(changes));
  expect(response.status).toBe(303);
  const [, id = ""] = /\/app\/quotes\/(.+)\?created$/.exec(response.headers.get("location") ?? "") ?? [];
  return decodeURIComponent(id);
}
const listed = async (search = "", of = domain) =>
  (await ask(list, `/app/quotes${search}`, { domain: of })).page;

describe("a new quote", () => {
  test("is made by the insurer for the customer and the product, and kept with its link", async () => {
    const id = await made({ sellerFirstName: "Max", sellerLastName: "Leroy" });
    const { quote } = await ask(one, `/app/quotes/${id}`, { params: { quoteId: id } });
    expect(quote).toMatchObject({
      quoteId: id,
      state: "active",
      customerName: "Zoé Marchand",
      customerEmail: "zoe.marchand@example.com",
      productTitle: expect.stringContaining(title) as string,
      purchasedOn: "2026-10-02",
      sellerName: "Max Leroy",
    });
    expect(quote.subscriptionLink).toMatch(/^https?:\/\//);
    expect(quote.offers.length).toBeGreaterThan(0);
    const sent = await (await fetch(`${insurance.control_url}/leads`)).text();
    expect(sent).toContain("+33612345678");
    expect(sent).toContain("Leroy");
  });

  test.each([
    ["no product", { variantId: "" }, { variantId: "missing" }],
    ["no e-mail address", { email: "zoe" }, { email: "email" }],
    ["no phone number", { phone: "call me" }, { phone: "phone" }],
    ["a phone number of no country", { phone: "000000000000000000" }, { phone: "phone" }],
    ["a date that is none", { purchaseDate: "2026-02-31" }, { purchaseDate: "date" }],
    ["a purchase that is still to come", { purchaseDate: "2126-02-28" }, { purchaseDate: "future" }],
    ["a purchase of another century", { purchaseDate: "1026-02-28" }, { purchaseDate: "long_ago" }],
    ["a birth that is still to come", { birthDate: "2126-02-28" }, { birthDate: "future" }],
    ["a birth too long ago", { birthDate: "0090-02-28" }, { birthDate: "long_ago" }],
    ["letters for a French postcode", { zip: "PARIS", country: "FR" }, { zip: "postcode" }],
    ["a French postcode of no department", { zip: "00123", country: "FR" }, { zip: "postcode" }],
    ["a French postcode in Belgium", { zip: "75011", country: "BE" }, { zip: "postcode" }],
    ["a postcode of no country", { zip: "?!", country: "JP" }, { zip: "postcode" }],
    ["a country in words", { country: "France" }, { country: "country" }],
    ["half a seller", { sellerFirstName: "Max" }, { sellerLastName: "seller" }],
    ["an empty address", { address1: " " }, { address1: "missing" }],
  ])("with %s is refused at its field, and the insurer is not called", async (_what, changes, problems) => {
    insurance.traffic.clear();
    expect(await send(changes)).toEqual(invalid(problems));
    expect(insurance.traffic.log).toEqual([]);
  });

  test("that expires at a moment is shown with the day on which it ends in the shop's time zone", async () => {
    const answer = {
      id: "LD-MOMENT",
      status: "active",
      purchase_date: "2026-10-02",
      expiration_date: "2031-01-01T00:00:00+01:00",
      category_id: "Smartphone",
      subscription_link: "https://insurer.example/quote",
      signature_link: null,
      charged_by: "the service",
      customer: { email: "zoe.marchand@example.com" },
      variant: { title, price: 450, currency_code: "EUR", reference_id: "1" },
      offers: [],
    };
    insurance.faults.add({ operation: "leads.create", kind: "json", answer });
    const { quote } = await open(await made());
    expect(quote).toMatchObject({ quoteId: "LD-MOMENT", expiresOn: "2031-01-01" });
  });

  test("that only has to be signed, without last day, offers and product, can be used; another product is said", async () => {
    const answer = {
      id: "LD-SIGN",
      status: null,
      expiration_date: null,
      subscription_link: null,
      signature_link: "https://insurer.example/sign",
      charged_by: "merchant",
      variant: null,
      offers: null,
    };
    insurance.faults.add({ operation: "leads.create", kind: "json", answer });
    expect(await open(await made({ chargedBy: "merchant" }))).toMatchObject({
      quote: {
        quoteId: "LD-SIGN",
        state: "active",
        expiresOn: null,
        signatureLink: "https://insurer.example/sign",
        offers: [],
        otherProduct: null,
      },
    });
    const other = {
      ...answer,
      id: "LD-OTHER",
      variant: { title: "Fridge", price: 12, currency_code: "EUR" },
    };
    insurance.faults.add({ operation: "leads.create", kind: "json", answer: other });
    expect(await open(await made({}))).toMatchObject({ quote: { otherProduct: "Fridge, 12 EUR" } });
  });

  test("is one only where the rule of sale allows it", async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const reunion = { country: "RE", zip: "97400" };
    insurance.traffic.clear();
    expect(await send(reunion)).toEqual(invalid({ country: "not_sold_there" }));
    expect(await send({ country: "FR", zip: "97400" })).toEqual(invalid({ country: "not_sold_there" }));
    await allowSale({ countries: ["FR", "RE"], maxQuoteAgeDays: 30 });
    expect(await send({ ...reunion, purchaseDate: day(32) })).toEqual(invalid({ purchaseDate: "too_old" }));
    expect(insurance.traffic.log).toEqual([]);
    expect(await made({ ...reunion, purchaseDate: day(29) })).not.toBe("");
    await allowSale({ countries: [], maxQuoteAgeDays: null });
  });

  test("for a customer who wants no more quotes is refused", async () => {
    const email = "no.more@example.com";
    await suppressAddress(domain, "No.More@example.com", staff("1"));
    insurance.traffic.clear();
    expect(await send({ email })).toEqual(invalid({ email: "suppressed" }));
    expect(insurance.traffic.log).toEqual([]);
    await allowAddress(domain, email, staff("1"));
    expect(await made({ email })).not.toBe("");
  });

  test("for a product that is not known, or in no category, is explained", async () => {
    expect(await send({ variantId: "999" })).toEqual(refused("unknown_product"));
    expect(await send({ variantId: "1" })).toEqual(refused("uninsured_product"));
  });

  test("that the insurer refuses comes back with its message", async () => {
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 422, message: "Not now" });
    expect(await send()).toMatchObject({
      state: "refused",
      reason: "rejected",
      detail: expect.stringContaining("Not now") as string,
    });
    expect((await listed()).items).toEqual([]);
  });

  test("of the account that is not in use is opened where its account is named", async () => {
    const id = await made();
    const useAccount = (environment: string) =>
      db.merchant.updateMany({ where: { shop: domain }, data: { environment } });
    await useAccount("production");
    const ofTest = ask(one, `/app/quotes/${id}?account=test`, { params: { quoteId: id } });
    const answers = await Promise.allSettled([open(id), ofTest]);
    await useAccount("test");
    expect(answers).toMatchObject([
      { status: "rejected", reason: { status: 404 } },
      { status: "fulfilled", value: { quote: { quoteId: id, environment: "test" } } },
    ]);
  });

  test("pressed twice is one, and both lead to it", async () => {
    const form = { requestId: randomUUID(), email: `${randomUUID()}@example.com` };
    const responses = await Promise.all([responseOf(send(form)), responseOf(send(form))]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect(await countAtInsurer(form.email)).toBe(1);
    const { items } = await listed();
    expect(items).toMatchObject([{ state: "active" }]);
    // The pending request's URL redirects to the quote, and so does sending the form again.
    const id = items[0]?.quoteId ?? "";
    const opened = await responseOf(open(form.requestId));
    expect(opened.headers.get("location")).toBe(`/app/quotes/${id}?created`);
    // After a reload of the browser, Shopify's parameters stay in the URL.
    const params = { quoteId: form.requestId };
    const reloaded = await responseOf(ask(one, `/app/quotes/${form.requestId}?host=abc`, { params }));
    expect(reloaded.headers.get("location")).toBe(`/app/quotes/${id}?host=abc&created`);
    expect(await made(form)).toBe(id);
    expect(await countAtInsurer(form.email)).toBe(1);
  });

  test("without a clear answer stays in the list, is not sent again by itself, and staff can delete it", async () => {
    const requestId = await unclear();
    const { items } = await listed("?state=unknown");
    expect(items).toMatchObject([{ quoteId: requestId, state: "unknown", customerName: "Zoé Marchand" }]);
    expect((await listed("?state=expired")).items).toEqual([]);
    expect((await open(requestId)).quote).toMatchObject({ state: "unknown", subscriptionLink: "" });
    insurance.traffic.clear();
    expect((await responseOf(send({ requestId }))).headers.get("location")).toBe(`/app/quotes/${requestId}`);
    expect(insurance.traffic.log).toEqual([]);
    const deleted = await responseOf(dropQuote(requestId));
    expect(deleted.headers.get("location")).toBe("/app/quotes");
    expect((await listed()).items).toEqual([]);
    expect((await responseOf(dropQuote(requestId))).status).toBe(404);
  });

  test("without a clear answer is sent again from the same entries where staff decide it, once", async () => {
    const requestId = await unclear();
    const begun = await ask(form, `/app/quotes/new?again=${requestId}`);
    expect(begun.request).toEqual({ requestId, attempt: 1 });
    expect(begun.unconfirmed?.values).toMatchObject({
      email: entries.email,
      zip: "75020",
      phone: entries.phone,
    });
    // The insurer refuses the retry, but may have carried out the first request.
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 422, message: "Not now" });
    expect(await send({ requestId, attempt: "1" })).toMatchObject({ state: "refused", reason: "rejected" });
    expect((await listed()).items).toMatchObject([{ quoteId: requestId, state: "unknown" }]);
    insurance.faults.clear();
    const again = { requestId, attempt: "1", email: `${randomUUID()}@example.com` };
    await Promise.all([responseOf(send(again)), responseOf(send(again))]);
    expect(await countAtInsurer(again.email)).toBe(1);
    const { items } = await listed();
    expect(items).toMatchObject([{ state: "active" }]);
    expect(await dropQuote(items[0]?.quoteId ?? "")).toEqual(refused("confirmed"));
    expect((await ask(form, `/app/quotes/new?again=${requestId}`)).unconfirmed).toBeNull();
  });

  test("needs a connection, and the form says so before anybody fills it in", async () => {
    await installApp(other);
    expect((await ask(form, "/app/quotes/new")).connected).toBe(true);
    expect((await ask(form, "/app/quotes/new", { domain: other })).connected).toBe(false);
    await db.shopProduct.create({
      data: {
        shop: other,
        productId: "2",
        title: "Phone",
        handle: "p",
        status: "ACTIVE",
        productType: "",
        vendor: "",
        categoryId: "Smartphone casse et vol",
      },
    });
    await db.shopVariant.create({
      data: { shop: other, variantId: "2", productId: "2", title: "", priceMinor: 50_000 },
    });
    const answer = await ask(create, "/app/quotes/new", {
      form: { ...entries, variantId: "2" },
      domain: other,
    });
    expect(answer).toEqual(refused("not_connected"));
  });
});

describe("the list", () => {
  test("has the newest first, by pages that join without gap or repetition", async () => {
    const now = Date.now();
    const row = await db.quote.findFirstOrThrow({ where: { quoteId: await made() } });
    await db.quote.createMany({
      data: Array.from({ length: 120 }, (_, index) => ({
        ...row,
        requestId: null,
        offers: [],
        quoteId: `L${index}`,
        // Three quotes with each timestamp: the id decides the order.
        createdAt: new Date(now - Math.floor(index / 3) * 1_000),
      })),
    });
    const pages = [await listed()];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
      pages.push(await listed(`?after=${encodeURIComponent(next)}`));
    const forwards = pages.map(({ items }) => items.map(({ quoteId }) => quoteId));
    expect(new Set(forwards.flat()).size).toBe(121);
    expect(forwards.flat()).toHaveLength(121);
    const back = await listed(`?before=${encodeURIComponent(pages[2]?.previous ?? "")}`);
    expect(back.items.map(({ quoteId }) => quoteId)).toEqual(forwards[1]);
  });

  test("is searched by customer, product and number, and filtered by state", async () => {
    const id = await made();
    for (const query of [
      "marchand",
      "zoe Marchand",
      "ZOE.MARCHAND@EXAMPLE.COM",
      id,
      title.slice(0, 6).toLowerCase(),
    ]) {
      expect((await listed(`?query=${encodeURIComponent(query)}`)).items).toHaveLength(1);
    }
    expect((await listed("?query=zoe%20nobody")).items).toEqual([]);
    expect((await listed("?query=nobody")).items).toEqual([]);
    expect((await listed("?state=expired")).items).toEqual([]);
    await db.quote.updateMany({ data: { expiresOn: "2026-01-31" } });
    expect((await listed("?state=active")).items).toEqual([]);
    expect((await listed("?state=expired")).items).toMatchObject([{ quoteId: id, state: "expired" }]);
    for (const status of ["revoked", "sold"]) {
      await db.quote.updateMany({ data: { status } });
      expect((await listed("?state=expired")).items).toEqual([]);
      expect((await listed(`?state=${status}`)).items).toMatchObject([{ quoteId: id, state: status }]);
    }
  });

  test("is each shop's own", async () => {
    const id = await made();
    await installApp(other);
    expect((await listed("", other)).items).toEqual([]);
    const answer = await responseOf(
      ask(one, `/app/quotes/${id}`, { params: { quoteId: id }, domain: other }),
    );
    expect(answer.status).toBe(404);
  });

  test("is that of the environment in use", async () => {
    await made();
    await db.merchant.updateMany({ where: { shop: domain }, data: { environment: "production" } });
    expect((await listed()).items).toEqual([]);
    await db.merchant.updateMany({ where: { shop: domain }, data: { environment: "test" } });
  });
});

// The last test: a later one did not see a row that it had written, probably because a transaction was aborted here.
test("a new quote is one, and is not forgotten, wherever the process is killed", async () => {
  const outcomes = new Set<string>();
  for (let statements = 0; !outcomes.has("active, made 1"); statements += 1) {
    await db.quote.deleteMany();
    const crashing = { requestId: randomUUID(), email: `${randomUUID()}@example.com` };
    await killedAfter(statements, () => send(crashing));
    const { items } = await listed();
    const count = await countAtInsurer(crashing.email);
    const state = items[0]?.state ?? "none";
    outcomes.add(`${state}, made ${count}`);
    // The list shows the insurer's quotes; a quote that is not in the list was not sent.
    expect([state, count]).toEqual([state, state === "none" ? 0 : state === "active" ? 1 : count]);
    expect(count).toBeLessThanOrEqual(1);
    // The same form again: it sends unsent quotes and otherwise opens the existing one.
    await responseOf(send(crashing));
    expect(await countAtInsurer(crashing.email)).toBe(state === "none" ? 1 : count);
    if (state !== "sending") continue;
    expect(await dropQuote(crashing.requestId)).toEqual(refused("confirmed"));
    await db.quote.updateMany({ data: { sentAt: new Date(Date.now() - 121_000) } });
    expect((await open(crashing.requestId)).quote.state).toBe("unknown");
  }
  expect([...outcomes]).toEqual(["none, made 0", "sending, made 1", "active, made 1"]);
});
