/** What customers insure by themselves after the purchase: their page, in a real browser and as outsiders send to it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, test } from "vitest";
import { z } from "zod";
import { staff } from "#app/audit/actor.ts";
import { insureLink } from "#app/customers/customer-links.server.ts";
import { findInsurableOrders } from "#app/quotes/of-orders/insurable-orders.server.ts";
import { saveQuoteSettings } from "#app/quotes/of-orders/save-quote-settings.server.ts";
import { suppressAddress } from "#app/quotes/of-orders/suppression.server.ts";
import { saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { readStorefrontSettings, saveStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { loader as figures } from "#app/routes/app.quotes.automatic/route.tsx";
import { loader as orderPage } from "#app/routes/app.orders.$orderId/route.tsx";
import { action, loader } from "#app/routes/insure.$shop.$link.tsx";
import { loader as search } from "#app/routes/insure.$shop._index.tsx";
import { loader as quote } from "#app/routes/quotes.$shop.$link.tsx";
import { audit } from "#test/axe.ts";
import { openBrowser } from "#test/browser.ts";
import { applyRules, sync } from "#test/catalogue/world.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { startJobs } from "#test/job-worker.ts";
import { customer } from "#test/orders/references.ts";
import { buy, changeEvents, grantOptionalScopes, startWebhookServer } from "#test/orders/selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import { type ServedRoutes, serveRoutes } from "#test/routes/serve.ts";
import { cancelOrder, type NewOrder } from "#test/sandbox/shop/orders.ts";
import type { Order, Variant } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { soldBy } from "./told-quote.ts";

const domain = shop.shopDomain;
const actor = staff("1");
const PHONES = "Smartphone casse et vol";

let phone: Variant;
let kettle: Variant;
let closeWebhookServer: () => Promise<void>;
beforeAll(async () => {
  await connectShop();
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
  await applyRules([
    { id: "phones", conditions: [{ field: "product_type", value: "Smartphone" }], categoryId: PHONES },
  ]);
  await sync();
  closeWebhookServer = await startWebhookServer();
  await startJobs();
  await grantOptionalScopes();
  const variantOf = (isPhone: boolean) => {
    const found = [...shop.state.products.values()].find(
      ({ productType, status }) => (productType === "Smartphone") === isPhone && status === "ACTIVE",
    );
    const [variant] = found?.variants ?? [];
    if (!variant) throw new Error("The demo shop lacks a product");
    variant.tracked = false;
    return variant;
  };
  [phone, kettle] = [variantOf(true), variantOf(false)];
});
afterAll(() => closeWebhookServer());
beforeEach(() => insurance.faults.clear());

/** An order without insurance, as the app knows it. */
async function bought(variants: Variant[] = [phone], changes: Partial<NewOrder> = {}): Promise<Order> {
  const lines = variants.map(({ id }) => ({ variantId: id, quantity: 1 }));
  const order = buy(lines, { billingAddress: customer, ...changes });
  await eventually(async () => {
    const row = await db.order.findFirst({ where: { shop: domain, orderId: order.id } });
    expect(row?.salesRecordStatus).toBe("recorded");
  });
  return order;
}

const linkOf = ({ id }: Order) => insureLink(domain, id, "customer_account");
const rowsOf = ({ id }: Order) => db.orderQuote.findMany({ where: { shop: domain, orderId: id } });

function send(address: string, fields?: Record<string, string>): Promise<Response> {
  const [, , name = "", link = ""] = new URL(address).pathname.split("/");
  const request =
    fields === undefined
      ? new Request(address)
      : new Request(address, { method: "POST", body: new URLSearchParams(fields) });
  return responseOf((fields ? action : loader)({ request, params: { shop: name, link }, context: {} }));
}
const textOf = async (address: string, fields?: Record<string, string>) => {
  const response = await send(address, fields);
  return { status: response.status, text: await response.text() };
};
const choiceOf = (order: Order, category = PHONES) => ({
  item: `${order.lines[0]?.id ?? ""}-1`,
  category,
});

const quotes = z.array(z.looseObject({ customer: z.looseObject({ email: z.string() }) }));
async function madeFor(order: Order): Promise<number> {
  const all = quotes.parse(await (await fetch(`${insurance.control_url}/leads`)).json());
  return all.filter((quote) => quote.customer.email === order.email).length;
}

describe("in a browser without script", () => {
  let served: ServedRoutes;
  let browser: Browser;
  beforeAll(async () => {
    served = await serveRoutes({
      "/insure/:shop/:link": { loader, action },
      "/quotes/:shop/:link": { loader: quote },
    });
    browser = await openBrowser([served.flag]);
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
  });
  const atApp = (link: string) => link.replace(/^https?:\/\/[^/]+/, "http://app.test");

  async function open(order: Order, width = 320): Promise<Page> {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width, height: 700 },
      locale: "fr-FR",
    });
    const page = await context.newPage();
    await page.goto(atApp(linkOf(order)));
    return page;
  }

  it("a customer chooses, and continues on the insurer's page", async () => {
    const order = await bought([phone, kettle]);
    const page = await open(order);
    await page.getByText("En savoir plus").click();
    const text = await page.locator("body").innerText();
    for (const part of [
      "Assurer votre achat",
      order.name,
      "24\u00A0mois",
      "€",
      "par mois",
      "30 jours pour changer d’avis",
      "En cas de sinistre",
      "Conditions générales",
      "IPID",
    ])
      expect(text).toContain(part);
    // Only what can be insured is there, and nothing of who bought it.
    expect(await page.locator("form").count()).toBe(1);
    for (const personal of [order.email ?? "", customer.last_name]) expect(text).not.toContain(personal);
    await page.getByRole("button", { name: "Obtenir mon devis" }).click();
    await page.getByText("Votre devis est prêt.").waitFor();
    const next = await page.getByRole("link", { name: "Continuer chez l’assureur" }).getAttribute("href");
    const [, , name = "", link = ""] = new URL(next ?? "").pathname.split("/");
    const led = await responseOf(
      quote({ request: new Request(next ?? ""), params: { shop: name, link }, context: {} }),
    );
    expect([led.status, led.headers.get("location")]).toEqual([302, expect.stringContaining("http")]);
    const rows = await rowsOf(order);
    expect(rows).toMatchObject([{ state: "open", touchpoint: "customer_account", delayHours: 0 }]);
    expect(await madeFor(order)).toBe(1);
    const { figures: shown } = await ask(figures, "/app/quotes/automatic");
    expect(shown.some(({ touchpoint, opened }) => touchpoint === "customer_account" && opened > 0)).toBe(
      true,
    );
  });

  it.each([320, 1280])("the page has no finding of accessibility at %i px", async (width) => {
    const order = await bought();
    const { text } = await textOf(linkOf(order));
    const page = await browser.newPage({ viewport: { width, height: 700 } });
    await page.setContent(text);
    expect(await audit(page, "body")).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});

test("the page says what is covered in the merchant's words, and in the insurer's to readers of its language alone", async () => {
  const order = await bought();
  const before = await readStorefrontSettings(domain);
  const bullets = ["Drops & falls", "Theft at home"];
  const covers = { en: { [categoryKey(PHONES)]: { bullets, exclusions: [] } } };
  await saveStorefrontSettings(domain, { ...before, covers }, actor);
  const pointsIn = async (language: string) => {
    const { text } = await textOf(`${linkOf(order)}?language=${language}`);
    // At most three in the box, all of them in its fold.
    const lists = [...text.matchAll(/<ul class="parasol__ticks">(.*?)<\/ul>/g)];
    const [short = [], all = []] = lists.map(([, items = ""]) =>
      [...items.matchAll(/<li>(.*?)<\/li>/g)].map(([, point = ""]) => point),
    );
    expect(short).toEqual(all.slice(0, 3));
    return all;
  };
  const category = await db.category.findFirstOrThrow({ where: { shop: domain, categoryId: PHONES } });
  const marketing = z.object({ modal: z.object({ bulletPoints: z.array(z.string()) }) });
  const services = marketing.parse(category.marketing).modal.bulletPoints;
  expect(services.length).toBeGreaterThan(0);
  expect(await pointsIn("en")).toEqual(["Drops &amp; falls", "Theft at home"]);
  expect(await pointsIn("fr")).toHaveLength(services.length);
  expect(await pointsIn("de")).toEqual([]);
  await saveStorefrontSettings(domain, before, actor);
});

test("two taps at once make one quote, and both see it", async () => {
  const order = await bought();
  insurance.faults.add({ operation: "leads.create", kind: "latency", ms: 300 });
  const answers = await Promise.all([1, 2, 3].map(() => send(linkOf(order), choiceOf(order))));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await madeFor(order)).toBe(1);
  expect(await rowsOf(order)).toHaveLength(1);
  expect((await textOf(linkOf(order))).text).toContain("Your quote is ready.");
});

test("a request is looked at again should its process end before the answer", async () => {
  const order = await bought();
  const { answer } = await db.$transaction(
    async (tx) => {
      // The answer cannot be stored yet.
      await tx.$executeRaw`LOCK TABLE "Quote" IN SHARE MODE`;
      const answer = send(linkOf(order), choiceOf(order));
      await eventually(async () => expect(await rowsOf(order)).toMatchObject([{ state: "sending" }]));
      await eventually(async () => {
        const { dueAt } = await db.order.findFirstOrThrow({ where: { orderId: order.id } });
        return dueAt !== null && dueAt.getTime() < Date.now() + 600_000;
      });
      return { answer };
    },
    { timeout: 180_000 },
  );
  expect((await answer).status).toBe(303);
});

test("who wants no quotes may still request one", async () => {
  const order = await bought();
  await suppressAddress(domain, order.email ?? "", actor);
  expect((await send(linkOf(order), choiceOf(order))).status).toBe(303);
  const [row] = await rowsOf(order);
  expect(row?.state).toBe("open");
  const { text } = await textOf(linkOf(order));
  const [, href = ""] = /href="([^"]*\/quotes\/[^"]*)"/.exec(text) ?? [];
  const [, , name = "", link = ""] = new URL(href).pathname.split("/");
  const led = quote({ request: new Request(href), params: { shop: name, link }, context: {} });
  expect((await responseOf(led)).status).toBe(302);
});

describe("a link", () => {
  it("that was changed, is another shop's or another purpose's leads nowhere", async () => {
    const order = await bought();
    const link = linkOf(order);
    const own = new URL(link);
    for (const wrong of [
      `${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`,
      link.replace(domain, otherShop.shopDomain),
      link.replace("customer_account", "checkout"),
      `${own.origin}/insure/${domain}/${order.id}-checkout`,
    ]) {
      const { status, text } = await textOf(wrong, choiceOf(order));
      expect([wrong, status]).toEqual([wrong, 404]);
      expect(text).not.toContain(order.name);
    }
    expect(await rowsOf(order)).toEqual([]);
  });

  it("of another shop's order shows nothing of this shop's", async () => {
    const order = await bought();
    const { status, text } = await textOf(insureLink(otherShop.shopDomain, order.id, "customer_account"));
    expect(status).toBe(404);
    expect(text).not.toContain(order.name);
  });

  it("ends with the merchant's days, and at once where they turn it off", async () => {
    const order = await bought();
    const placed = shop.state.orders.get(order.id);
    if (!placed) throw new Error("The order is gone");
    placed.processedAt = new Date(Date.now() - 32 * 86_400_000).toISOString();
    expect(await textOf(linkOf(order), choiceOf(order))).toMatchObject({
      status: 410,
      text: expect.stringContaining("The time to insure this order is over") as string,
    });
    const recent = await bought();
    await saveQuoteSettings(domain, { isOn: false, delayHours: 24, insureDays: 0 }, actor);
    expect((await textOf(linkOf(recent))).status).toBe(410);
    await saveQuoteSettings(domain, { isOn: false, delayHours: 24, insureDays: 30 }, actor);
    expect((await textOf(linkOf(recent))).status).toBe(200);
    expect(await rowsOf(recent)).toEqual([]);
  });

  it("ends with the age at which the rule of sale refuses a product, where that is earlier", async () => {
    const order = await bought();
    const placed = shop.state.orders.get(order.id);
    if (!placed) throw new Error("The order is gone");
    const purchasedAt = new Date(Date.now() - 16 * 86_400_000);
    placed.processedAt = purchasedAt.toISOString();
    await changeEvents(order, "placed", { placedAt: purchasedAt });
    const isOffered = async () => (await findInsurableOrders(domain, [order.id])).has(order.id);
    expect([await isOffered(), (await textOf(linkOf(order))).status]).toEqual([true, 200]);
    const { sale } = defaultMerchantSettings;
    const settings = { ...defaultMerchantSettings, sale: { ...sale, maxQuoteAgeDays: 14 } };
    await saveMerchantSettings(domain, settings, actor);
    expect([await isOffered(), (await textOf(linkOf(order))).status]).toEqual([false, 410]);
    await saveMerchantSettings(domain, defaultMerchantSettings, actor);
  });

  it("is shown no more once a quote has insured what was left", async () => {
    const order = await bought();
    await textOf(linkOf(order), choiceOf(order));
    const isOffered = async () => (await findInsurableOrders(domain, [order.id])).has(order.id);
    expect(await isOffered()).toBe(true);
    await appendToOrder(domain, order.id, ({ order: { quotes: made } }) =>
      made.map(({ lineId, number }) => soldBy({ lineId, number })),
    );
    expect(await isOffered()).toBe(false);
  });

  it("of a cancelled order, and of one that Shopify does not show now, makes no quote", async () => {
    const order = await bought();
    cancelOrder(shop.state, order.id);
    expect((await textOf(linkOf(order), choiceOf(order))).status).toBe(404);
    const other = await bought();
    shop.faults.add({ operation: "ParasolOrder", status: 500, times: null });
    expect((await textOf(linkOf(other), choiceOf(other))).status).toBe(503);
    shop.faults.clear();
    expect((await rowsOf(order)).length + (await rowsOf(other)).length).toBe(0);
  });

  it("is slowed down after thirty requests in a minute", async () => {
    const order = await bought();
    const answers: number[] = [];
    for (let times = 0; times < 31; times++) answers.push((await send(`${linkOf(order)}x`)).status);
    expect(new Set(answers)).toEqual(new Set([404]));
    const statuses: number[] = [];
    for (let times = 0; times < 31; times++)
      statuses.push((await send(linkOf(order), { item: "1-1", category: "x" })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("no quote is made", () => {
  it("of a product without an offer, of an unknown formula, or of nothing", async () => {
    const none = await bought([kettle]);
    expect((await textOf(linkOf(none))).text).toContain("There is nothing left to insure");
    await send(linkOf(none), choiceOf(none));
    const order = await bought();
    expect((await textOf(linkOf(order), choiceOf(order, "Vélo"))).status).toBe(400);
    expect((await textOf(linkOf(order), { item: "1", category: PHONES })).status).toBe(400);
    expect((await textOf(linkOf(order), {})).text).toContain("Choose one of the covers.");
    expect([await rowsOf(none), await rowsOf(order)]).toEqual([[], []]);
  });

  it("of an unknown formula for a further item of a line", async () => {
    const order = buy([{ variantId: phone.id, quantity: 2 }], { billingAddress: customer });
    const further = (category: string) => ({ item: `${order.lines[0]?.id ?? ""}-2`, category });
    const others = await db.category.findFirstOrThrow({
      where: { shop: domain, state: "offered", NOT: { categoryId: PHONES } },
    });
    for (const category of ["Vélo", others.categoryId]) {
      const { status, text } = await textOf(linkOf(order), further(category));
      expect(status).toBe(400);
      expect(text).toContain("Choose one of the covers.");
    }
    expect(await rowsOf(order)).toEqual([]);
    await eventually(async () => expect((await send(linkOf(order), further(PHONES))).status).toBe(303));
    expect(await rowsOf(order)).toMatchObject([{ state: "open", itemNumber: 2, categoryId: PHONES }]);
  });

  it("of a product that the page does not list, because its documents are missing", async () => {
    const order = await bought();
    const where = { shop: domain, categoryId: PHONES };
    const { legal } = await db.category.findFirstOrThrow({ where });
    await db.category.updateMany({ where, data: { legal: { conditionsUrl: "", ipidUrl: "" } } });
    onTestFinished(async () => {
      await db.category.updateMany({ where, data: { legal: legal ?? {} } });
    });
    expect((await textOf(linkOf(order))).text).toContain("There is nothing left to insure");
    for (const category of [PHONES, "Vélo"])
      expect((await send(linkOf(order), choiceOf(order, category))).status).toBe(303);
    expect(await rowsOf(order)).toEqual([]);
  });

  it("while the insurer is down, and the customer can try again without loss", async () => {
    const order = await bought();
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 429, times: 20 });
    const { status, text } = await textOf(linkOf(order), choiceOf(order));
    expect(status).toBe(503);
    expect(text).toContain("Nothing is lost: try again in a few minutes.");
    expect(text).toContain("Get my quote");
    expect(await rowsOf(order)).toEqual([]);
    insurance.faults.clear();
    await eventually(async () => expect((await send(linkOf(order), choiceOf(order))).status).toBe(303));
    expect(await madeFor(order)).toBe(1);
  });

  it("a second time after a lost answer: the page says whom to ask", async () => {
    const order = await bought();
    insurance.faults.add({ operation: "leads.create", kind: "reset_after" });
    expect((await send(linkOf(order), choiceOf(order))).status).toBe(303);
    expect(await rowsOf(order)).toMatchObject([{ state: "unknown" }]);
    expect((await textOf(linkOf(order))).text).toContain("has not confirmed this quote");
    await send(linkOf(order), choiceOf(order));
    expect(await madeFor(order)).toBe(1);
  });

  it("that the insurer refuses: the page says so", async () => {
    const order = await bought();
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 422 });
    expect((await textOf(linkOf(order), choiceOf(order))).text).toContain("makes no quote for this product");
  });
});

describe("the ways to the page", () => {
  const find = (query: Record<string, string>, name = domain) => {
    const request = new Request(`http://app.test/insure/${name}?${new URLSearchParams(query).toString()}`);
    return responseOf(search({ request, params: { shop: name }, context: {} }));
  };

  it("from the thank-you page and the order's page are the token of the order's own checkout", async () => {
    const order = await bought();
    const found = await find({ checkout: order.checkoutToken ?? "", from: "checkout" });
    expect([found.status, found.headers.get("location")]).toEqual([
      303,
      `${insureLink(domain, order.id, "checkout")}?language=en`,
    ]);
    const location = found.headers.get("location") ?? "";
    expect((await send(location, choiceOf(order))).status).toBe(303);
    expect(await rowsOf(order)).toMatchObject([{ touchpoint: "checkout" }]);
  });

  it("are none for an invented token, for another shop's, and for no touchpoint of these pages", async () => {
    const order = await bought();
    const token = order.checkoutToken ?? "";
    expect((await find({ checkout: "0".repeat(32), from: "checkout" })).status).toBe(404);
    expect((await find({ checkout: token, from: "checkout" }, otherShop.shopDomain)).status).toBe(404);
    expect((await find({ checkout: `${token} OR id:1`, from: "checkout" })).status).toBe(404);
    expect((await find({ checkout: token, from: "product_page" })).status).toBe(404);
  });

  it("are copied by the merchant for mails of the shop, as long as there is something to insure", async () => {
    const order = await bought();
    const params = { orderId: order.id };
    const shown = await ask(orderPage, `/app/orders/${order.id}`, { params });
    expect(shown.order.insureLink).toBe(insureLink(domain, order.id, "post_purchase_email"));
    const none = await bought([kettle]);
    const other = await ask(orderPage, `/app/orders/${none.id}`, { params: { orderId: none.id } });
    expect(other.order.insureLink).toBeNull();
  });
});
