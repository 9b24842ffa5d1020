/**
 * The offer at the checkout: its bundle runs in a real browser against the stand-in's Storefront API with the app's
 * data. The added plan is checked by the Function, paid, and read by the app.
 */
import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { categoryKey, compactCatalogue, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { category } from "#app/insurance/categories.ts";
import { checkoutCatalogue, checkoutSettings } from "#app/offers/checkout/checkout-data.ts";
import { consentVersion } from "#app/offers/consent-version.server.ts";
import { extensionTexts } from "#app/offers/extension-texts.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { checkOrder } from "#app/orders/book/sale-check.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { catalogue as samples } from "#test/orders/samples.ts";
import { turnOnCartRule } from "#test/sandbox/shop/functions/cart-validation.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield, putMetafield } from "#test/sandbox/shop/metafields.ts";
import { findByHandle, findVariant } from "#test/sandbox/shop/products.ts";
import { STOREFRONT_TOKEN } from "#test/sandbox/shop/storefront/storefront-api.ts";
import { bundle, readTexts, requireUiExtension } from "#test/sandbox/shop/ui-extensions/bundle.ts";
import { checkoutLines } from "#test/sandbox/shop/ui-extensions/frames.ts";
import { hostPage } from "#test/sandbox/shop/ui-extensions/page.ts";
import type { Given } from "#test/sandbox/shop/ui-extensions/page.ts";
import { orderPayload } from "#test/sandbox/shop/webhooks/order-payload.ts";
import { payCheckout } from "#test/storefront/pay-checkout.ts";
import { openTestShop, PHONES } from "#test/storefront/shop.ts";
import type { TestShop } from "#test/storefront/shop.ts";
import { gzipped } from "#test/storefront/weight.ts";
import storefrontEnglish from "../../extensions/parasol-storefront/locales/en.default.json" with { type: "json" };
import storefrontFrench from "../../extensions/parasol-storefront/locales/fr.json" with { type: "json" };

const target = "purchase.checkout.cart-line-item.render-after";
let browser: Browser;
let script: string;
let shop: TestShop;
/** The plan product of the phones, and the variant in the cart: 599 €. */
let planProduct: string;
let phone: string;

beforeAll(async () => {
  [browser, script, shop] = await Promise.all([openBrowser(), bundle(target), openTestShop()]);
  turnOnCartRule(shop.sandbox);
  phone = findByHandle(shop.state, "lumo-x2")?.variants[0]?.id ?? "";
  const plan = findVariant(shop.state, shop.planVariant("SMA-400-24"))?.product;
  planProduct = gid("Product", plan?.id ?? "");
  for (const { id, sku } of plan?.variants ?? []) {
    const min = Number(sku?.split("-")[1]) * 100;
    const band = JSON.stringify([min, min + 19_999, "EUR"]);
    putMetafield(shop.state, gid("ProductVariant", id), "$app", "band", "json", band);
  }
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});
beforeEach(() => offer());

/**
 * The category's offers, as the app writes them onto the plan product.
 * @param settings the merchant's
 * @param formulas names of the category's own formulas
 */
function offer(
  changes: object = {},
  { settings = {}, formulas = [] }: { settings?: object; formulas?: string[] } = {},
): void {
  const app = gid("AppInstallation", shop.state.installation?.id ?? "");
  const synced = findMetafield(shop.state, app, "catalogue", categoryKey(PHONES))?.value ?? "";
  const { currency, bands, cg, ipid, texts: words } = compactCatalogue.parse(JSON.parse(synced));
  const phones = category.parse({
    id: PHONES,
    marketing: {
      buttons: { headline: words.headline },
      modal: { bulletPoints: words.bullets, legalText: words.legal },
      cart: { buttonText: words.cart_button },
    },
    legal: { conditionsUrl: cg, ipidUrl: ipid },
  });
  const sold = { bands, formulas: new Map(formulas.map((name) => [name, coverKey(PHONES, name)])) };
  const written = checkoutCatalogue(phones, sold, storefrontSettings.parse(settings), {
    currency,
    others: [],
  });
  const content = { ...written, ...changes };
  putMetafield(shop.state, planProduct, "$app", "checkout", "json", JSON.stringify(content));
}

const WITHDRAWAL_PAGE = "https://app.example/withdrawals/lumo.myshopify.com";
const rights = z.object({ double_cover: z.string(), withdraw: z.string(), withdraw_link: z.string() });

const anywhere = { countries: [] as string[], companies: false, registrationNumber: "" };
const settingsOf = (given: object = {}, rule: Partial<typeof anywhere> = {}) =>
  checkoutSettings(storefrontSettings.parse({ touchpoints: { checkout: { on: true } }, ...given }), {
    rule: { ...anywhere, ...rule },
    withdrawal: { days: 30, page: WITHDRAWAL_PAGE },
    isOn: true,
    quotes: false,
    insure: null,
    cover: "https://app.example/covers/lumo.myshopify.com",
    plans: { [categoryKey(PHONES)]: planProduct },
  });

async function ask(query: string, variables: object): Promise<unknown> {
  const response = await fetch(`${shop.origin}/api/2026-07/graphql.json`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-shopify-storefront-access-token": STOREFRONT_TOKEN },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

const made = z.object({
  data: z.object({ cartCreate: z.object({ cart: z.object({ id: z.string(), checkoutUrl: z.string() }) }) }),
});

interface Cart {
  id: string;
  checkoutUrl: string;
  token: string;
}

async function fill(lines: { variant: string; quantity: number; attributes?: object[] }[]): Promise<Cart> {
  const answer = await ask(
    `mutation ($lines: [CartLineInput!]!) { cartCreate(input: { lines: $lines }) { cart { id checkoutUrl } } }`,
    {
      lines: lines.map(({ variant, ...line }) => ({
        merchandiseId: gid("ProductVariant", variant),
        ...line,
      })),
    },
  );
  const { cart } = made.parse(answer).data.cartCreate;
  return { ...cart, token: cart.id.slice(cart.id.lastIndexOf("/") + 1) };
}

/** The cart's lines, as the checkout passes them to an extension. */
const linesOf = ({ token }: Cart): CheckoutLine[] => {
  const cart = shop.state.carts.get(token);
  return cart === undefined ? [] : checkoutLines(shop.state, cart);
};
type CheckoutLine = ReturnType<typeof checkoutLines>[number];

const change = z.object({
  type: z.literal("addCartLine"),
  merchandiseId: z.string(),
  quantity: z.int(),
  attributes: z.array(z.object({ key: z.string(), value: z.string() })),
  parent: z.object({ lineId: z.string() }),
});

interface Shown {
  page: Page;
  errors: string[];
  /** number of requests to the Storefront API */
  queries: () => number;
}

interface Options {
  country?: string;
  language?: "en" | "fr";
  settings?: object | null;
  /** replaces the checkout's first line */
  line?: Partial<CheckoutLine>;
  signals?: Record<string, unknown>;
  /** response instead of the stand-in's Storefront API */
  query?: () => unknown;
  /** the checkout's answer to a change, instead of the stand-in's */
  refuses?: () => unknown;
}

/** The cart's first line with its offer. */
async function show(cart: Cart, options: Options = {}): Promise<Shown> {
  const { language = "en", settings = settingsOf() } = options;
  const given = () => linesOf(cart).map((line, index) => (index === 0 ? { ...line, ...options.line } : line));
  const [first] = given();
  const productMetafields = given().flatMap(({ merchandise: { product } }) => {
    const metafield = findMetafield(shop.state, product.id, "$app", "insurance_category");
    const { value = "" } = metafield ?? {};
    const shown = { namespace: "$app", key: "insurance_category", value };
    return metafield ? [{ target: { type: "product", id: product.id }, metafield: shown }] : [];
  });
  const shopMetafield = {
    target: { type: "shop", id: "gid://shopify/Shop/1" },
    metafield: { namespace: "$app", key: "checkout", value: JSON.stringify(settings) },
  };
  const host: Given = {
    target,
    language,
    country: options.country,
    signals: {
      target: first,
      lines: given(),
      instructions: { lines: { canAddCartLine: true, canRemoveCartLine: true, canUpdateCartLine: true } },
      appMetafields: [...(settings === null ? [] : [shopMetafield]), ...productMetafields],
      ...options.signals,
    },
  };
  const page = await browser.newPage({ viewport: { width: 375, height: 812 } });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  let queries = 0;
  await page.exposeFunction("storefrontQuery", (query: string, variables: object) => {
    queries += 1;
    return options.query ? options.query() : ask(query, variables);
  });
  await page.exposeFunction("cartLinesChange", async (requested: unknown) => {
    if (options.refuses) return { result: options.refuses(), lines: given() };
    const { merchandiseId, quantity, attributes, parent } = change.parse(requested);
    await ask(
      `mutation ($cart: ID!, $lines: [CartLineInput!]!) {
        cartLinesAdd(cartId: $cart, lines: $lines) { userErrors { message } } }`,
      { cart: cart.id, lines: [{ merchandiseId, quantity, attributes, parent }] },
    );
    return { result: { type: "success" }, lines: given() };
  });
  await page.setContent(await hostPage(host));
  await page.addScriptTag({ content: script });
  return { page, errors, queries: () => queries };
}

const textOf = (page: Page) => page.evaluate(() => document.body.innerText.trim());
const isFolded = ({ page }: Shown) =>
  eventually(async () => expect(await page.locator("s-choice").count()).toBeGreaterThan(0));
/** The offer is there; it and what is folded in it are opened. */
async function isOffered(shown: Shown): Promise<void> {
  await isFolded(shown);
  for (const fold of await shown.page.locator("s-summary").all()) await fold.click();
}
const published = z.array(z.object({ name: z.string(), data: z.record(z.string(), z.unknown()) }));
/** What the shop's pixels have been told. */
const publishedIn = async ({ page }: Shown) => published.parse(await page.evaluate<unknown>("published"));
/** All callbacks have run by now, and nothing shows. */
async function isSilent({ page, errors, queries }: Shown, requested: number): Promise<void> {
  await eventually(() => expect(queries()).toBe(requested));
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  expect(await textOf(page)).toBe("");
  expect(errors).toEqual([]);
}
/** Pictures of the states, for review by a person. */
async function picture({ page }: Shown, name: string): Promise<void> {
  const folder = process.env["CHECKOUT_PICTURES"];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
}

/** The order of the paid cart as the app reads it, with its checked items. */
function ledgerOf(paid: Response) {
  const order = shop.state.orders.get(paid.headers.get("location")?.split("/").at(-1) ?? "");
  if (order === undefined) throw new Error(`There is no order: ${paid.status}`);
  const payload = orderPayload(shop.state, order, { protectedCustomerData: true });
  const insurable = findVariant(shop.state, phone)?.product.id ?? "";
  const reference = {
    referenceId: "SMA-400-24",
    categoryId: PHONES,
    termMonths: 24,
    billing: "annually" as const,
    pricesMinor: [6_400],
    currency: "EUR",
    bandMinMinor: 40_000,
    bandMaxMinor: 59_999,
    productReferenceIds: [],
    isOfOtherAccount: false,
  };
  return checkOrder(parseOrderPayload(JSON.stringify(payload)), {
    ...samples,
    // The stand-in's payments are tests.
    isProduction: false,
    categories: new Map([[insurable, [PHONES]]]),
    references: new Map([[shop.planVariant("SMA-400-24"), reference]]),
  });
}

const twoPhones = () => fill([{ variant: phone, quantity: 2 }]);
const choose = async ({ page }: Shown) => {
  await page.locator("s-choice").nth(1).click();
  await page.locator("s-button").first().click();
};

describe("the offer at the checkout", () => {
  it.each([
    [
      "en",
      "Insurance for this product · from €32.00",
      "24 months · €128.00 once, that is €5.33 a month (€64.00\u00a0×\u00a02)",
      "The insurer's legal text, in its own language:",
    ],
    [
      "fr",
      "Protégez votre smartphone · dès 32,00\u00a0€",
      "24 mois · 128,00\u00a0€ en une fois, soit 5,33\u00a0€ par mois (64,00\u00a0€\u00a0×\u00a02)",
    ],
  ] as const)("says price, documents and consent, and chooses nothing: %s", async (language, ...parts) => {
    const shown = await show(await twoPhones(), { language });
    await isOffered(shown);
    const { page, errors } = shown;
    const text = await textOf(page);
    const ours = extensionTexts[language === "fr" ? "fr" : "en"];
    for (const part of [...parts, ours.consent, "Droit de renonciation de 30 jours."])
      expect(text).toContain(part);
    // The covered risks in the language of the insurer's texts; the right to withdraw, with the merchant's days.
    expect(text.includes("Casse accidentelle, écran compris")).toBe(language === "fr");
    const { double_cover, withdraw, withdraw_link } = rights.parse(
      JSON.parse(readTexts(requireUiExtension(target), language)),
    );
    expect(text).toContain(double_cover);
    expect(text).toContain(`${withdraw.replace("{{days}}", "30")} ${withdraw_link}`);
    expect(
      await page.locator("s-link").evaluateAll((all) => all.map((each) => each.getAttribute("href"))),
    ).toEqual([
      "https://assurance.example/cg.pdf",
      "https://assurance.example/ipid.pdf",
      "https://assurance.example/ipid.pdf",
      "https://assurance.example/cg.pdf",
      `${WITHDRAWAL_PAGE}?language=${language}`,
    ]);
    expect(await page.locator("s-choice").count()).toBe(3);
    expect(await page.locator("s-choice[selected], s-choice[default-selected], [checked]").count()).toBe(0);
    expect(await page.locator("s-button[disabled]").count()).toBe(1);
    await page.locator("s-button").first().click();
    expect(errors).toEqual([]);
    expect(await textOf(page)).toBe(text);
    await picture(shown, `offered-${language}`);
  });

  it("is one line until the buyer opens it", async () => {
    const shown = await show(await twoPhones());
    await isFolded(shown);
    expect(await textOf(shown.page)).toMatch(/^Insurance for this product · from €32\.00$/);
  });

  it("takes a no as it takes a yes, remembers it without a price, and lets the buyer change it", async () => {
    const shown = await show(await twoPhones());
    await isOffered(shown);
    const { page } = shown;
    const variants = await page
      .locator("s-button")
      .evaluateAll((all) => all.map((each) => each.getAttribute("variant")));
    expect(variants).toEqual(["secondary", "secondary"]);
    await page.getByRole("button", { name: "No insurance" }).click();
    await eventually(async () =>
      expect((await textOf(page)).split("\n")).toEqual([
        "Insurance for this product · No insurance",
        "Change",
      ]),
    );
    await page.getByRole("button", { name: "Change" }).click();
    await isOffered(shown);
    expect(shown.errors).toEqual([]);
  });

  it("tells the shop's pixels what the buyer does, with nothing personal", async () => {
    const shown = await show(await twoPhones());
    await isOffered(shown);
    await choose(shown);
    await eventually(async () => expect(await textOf(shown.page)).toBe("Insurance added."));
    const data = { touchpoint: "checkout", variant: phone };
    const chosen = { ...data, reference: "SMA-400-24" };
    expect(await publishedIn(shown)).toEqual([
      { name: "parasol_offer_viewed", data },
      { name: "parasol_offer_chosen", data: chosen },
      { name: "parasol_offer_added", data: chosen },
    ]);
    const declining = await show(await twoPhones());
    await isOffered(declining);
    await declining.page.getByRole("button", { name: "No insurance" }).click();
    await eventually(async () =>
      expect((await publishedIn(declining)).map(({ name }) => name)).toEqual([
        "parasol_offer_viewed",
        "parasol_offer_declined",
      ]),
    );
  });

  it("tells them nothing before the shop's consent settings allow it", async () => {
    const signals = { customerPrivacy: { allowedProcessing: { analytics: false } } };
    const shown = await show(await twoPhones(), { signals });
    await isOffered(shown);
    await shown.page.locator("s-choice").nth(1).click();
    await shown.page.evaluate(() => new Promise((done) => setTimeout(done)));
    expect(await publishedIn(shown)).toEqual([]);
    await shown.page.evaluate("shopify.customerPrivacy.value = { allowedProcessing: { analytics: true } }");
    expect((await publishedIn(shown)).map(({ name }) => name)).toEqual([
      "parasol_offer_viewed",
      "parasol_offer_chosen",
    ]);
  });

  it("adds a nested plan for each item, which the Function accepts and the paid order has insured", async () => {
    const cart = await twoPhones();
    const shown = await show(cart, { language: "fr" });
    await isOffered(shown);
    await choose(shown);
    await eventually(async () => expect(await textOf(shown.page)).toBe("Assurance ajoutée."));
    await picture(shown, "added-fr");
    const [product, plan] = shop.state.carts.get(cart.token)?.lines ?? [];
    expect(plan).toMatchObject({
      quantity: 2,
      parentLineId: product?.id,
      variantId: shop.planVariant("SMA-400-24"),
      properties: {
        _parasol_pair: phone,
        _parasol_variant: phone,
        _parasol_reference: "SMA-400-24",
        _parasol_touchpoint: "checkout",
      },
    });
    expect(product?.properties).toEqual({});
    // The same line in another window: every item is insured now.
    await isSilent(await show(cart), 1);
    const paid = await payCheckout(shop, cart.checkoutUrl);
    expect(paid.status).toBe(303);
    const { items, lines } = ledgerOf(paid);
    expect(
      items.map(({ finding, touchpoint, insured }) => [finding, touchpoint, insured?.variantId]),
    ).toEqual([
      [null, "checkout", phone],
      [null, "checkout", phone],
    ]);
    const [version, at = ""] = items[0]?.consent?.split(" ") ?? [];
    expect(version).toBe(consentVersion(extensionTexts.fr.consent));
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(600_000);
    expect(lines[0]).toMatchObject({ insuranceSelected: true });
  });

  it("shows the plan product's own name and picture", async () => {
    const plan = findVariant(shop.state, shop.planVariant("SMA-400-24"))?.product;
    if (plan === undefined) throw new Error("The shop has no plan");
    plan.images = [{ id: "1", url: "https://cdn.example/plan.png", alt: "" }];
    const shown = await show(await twoPhones());
    await isOffered(shown);
    expect(await textOf(shown.page)).toContain(plan.title);
    expect(await shown.page.locator("s-product-thumbnail").getAttribute("src")).toBe(plan.images[0]?.url);
  });

  it("offers nothing that the buyer's market charges another price for", async () => {
    const offered = shop.planVariant("SMA-400-12");
    const own = { id: "9001", name: "Belgique", currency: "EUR", localCurrencies: false, active: true };
    const fixedPrices = new Map([[phone, 59_900]]);
    const market = { ...own, countries: ["BE"], priceList: { id: "1", adjustment: 5, fixedPrices } };
    shop.state.markets.push(market);
    try {
      const cart = await twoPhones();
      const inBelgium: Options = { country: "BE" };
      await isSilent(await show(cart, inBelgium), 2);
      fixedPrices.set(offered, 3_200);
      const shown = await show(cart, inBelgium);
      await isOffered(shown);
      const values = await shown.page
        .locator("s-choice")
        .evaluateAll((all) => all.map((each) => each.getAttribute("value")));
      expect(values).toEqual([offered]);
      await isOffered(await show(cart));
    } finally {
      shop.state.markets.pop();
    }
  });

  it("insures of two lines of one variant the one that it is shown under, also in the order", async () => {
    const engraved = [{ key: "Gravure", value: "Léa" }];
    const cart = await fill([
      { variant: phone, quantity: 1, attributes: engraved },
      { variant: phone, quantity: 1 },
    ]);
    const [first, second] = linesOf(cart);
    for (const line of [first, second]) {
      const shown = await show(cart, { signals: { target: line } });
      await isOffered(shown);
      await choose(shown);
      await eventually(async () => expect(await textOf(shown.page)).toBe("Insurance added."));
    }
    const paid = await payCheckout(shop, cart.checkoutUrl);
    expect(paid.status).toBe(303);
    const { items } = ledgerOf(paid);
    expect(items.map(({ finding }) => finding)).toEqual([null, null]);
    expect(new Set(items.map(({ insured }) => insured?.lineId)).size).toBe(2);
  });

  it("offers cover for the items that have none, and does not take another line's pair", async () => {
    const pair = { key: "_parasol_pair", value: phone };
    const cart = await fill([
      { variant: phone, quantity: 1 },
      { variant: phone, quantity: 1, attributes: [pair] },
    ]);
    const shown = await show(cart);
    await isOffered(shown);
    await choose(shown);
    await eventually(async () => expect(await textOf(shown.page)).toBe("Insurance added."));
    const lines = shop.state.carts.get(cart.token)?.lines ?? [];
    const plan = lines.find(({ parentLineId }) => parentLineId !== null);
    expect(plan?.properties["_parasol_pair"]).toBe(`${phone}-2`);
    expect((await payCheckout(shop, cart.checkoutUrl)).status).toBe(303);
  });

  it("has the merchant's own texts, order of terms and consent with its version", async () => {
    const insurer = { insurer: "Voltigeur", insurer_address: "1 rue de la Paix", complaints: "+33 1 23 45" };
    const own = { headline: "House cover", consent: "I agree to all of it.", cart_button: "Insure it" };
    const cart = await fill([{ variant: phone, quantity: 1 }]);
    const shown = await show(cart, {
      settings: settingsOf(
        { terms: [24], ...insurer, texts: { en: own } },
        { countries: ["FR"], registrationNumber: "07 001 234" },
      ),
    });
    await isOffered(shown);
    const text = await textOf(shown.page);
    for (const part of [
      "House cover · from €32.00",
      "Insured by Voltigeur, 1 rue de la Paix",
      "Complaints: +33 1 23 45",
      "07 001 234",
      own.consent,
      own.cart_button,
    ])
      expect(text).toContain(part);
    expect(await shown.page.locator("s-choice").first().innerText()).toBe(
      "24 months · €64.00 once, that is €2.67 a month",
    );
    await shown.page.locator("s-choice").first().click();
    await shown.page.locator("s-button").first().click();
    await eventually(async () => expect(await textOf(shown.page)).toBe("Insurance added."));
    const [, plan] = shop.state.carts.get(cart.token)?.lines ?? [];
    expect(plan?.properties["_parasol_consent"]).toMatch(new RegExp(`^${consentVersion(own.consent)} 20`));
  });

  it("says what is covered in the merchant's words, where they are in the buyer's language", async () => {
    const covers = {
      en: { [categoryKey(PHONES)]: { bullets: ["Cracked screens", "Theft", "Water", "Sand"] } },
      fr: { [categoryKey(PHONES)]: { bullets: ["Écran cassé"] } },
    };
    const cart = await fill([{ variant: phone, quantity: 1 }]);
    const read = async (language: "en" | "fr") => {
      const shown = await show(cart, { language });
      await isOffered(shown);
      return textOf(shown.page);
    };
    offer({}, { settings: { covers } });
    expect((await read("en")).split("\n")).toEqual(
      expect.arrayContaining(["✓ Cracked screens", "✓ Theft", "✓ Water"]),
    );
    expect((await read("fr")).split("\n")).toContain("✓ Écran cassé");
    // Without the merchant's text: the insurer's, in its language alone.
    offer({}, { settings: { covers: { en: covers.en } } });
    expect(await read("fr")).toContain("Casse accidentelle, écran compris");
    offer({}, { settings: { covers: { fr: covers.fr } } });
    expect(await read("en")).not.toMatch(/Écran cassé|Casse accidentelle/);
  });

  it("says of no formula that it covers what its category lists", async () => {
    const [name, dearer] = ["Casse", "Casse et vol"];
    const plan = (term: number, price: number, formula: string) => {
      const reference = `SMA-400-${term}`;
      return { term, price, billing: "annually", variant: shop.planVariant(reference), reference, formula };
    };
    const bands = [{ min: 40_000, max: 59_999, offers: [plan(12, 3_200, name), plan(24, 6_400, dearer)] }];
    const bullets = ["Écran cassé"];
    offer(
      { bands },
      {
        settings: { covers: { fr: { [categoryKey(PHONES)]: { bullets } } } },
        formulas: [name, dearer],
      },
    );
    const shown = await show(await fill([{ variant: phone, quantity: 1 }]), { language: "fr" });
    await isOffered(shown);
    const text = await textOf(shown.page);
    expect(text).toContain(`${dearer} · dès 64,00`);
    expect(text).not.toMatch(/Écran cassé|Casse accidentelle/);
  });

  it("is for the price before discounts", async () => {
    const cart = await fill([{ variant: phone, quantity: 1 }]);
    const line = {
      cost: { totalAmount: { amount: 399, currencyCode: "EUR" } },
      discountAllocations: [{ discountedAmount: { amount: 200 } }],
    };
    const shown = await show(cart, { line });
    await isOffered(shown);
    expect(await textOf(shown.page)).toContain("12 months · €32.00 once, that is €2.67 a month");
    // The shop has no such price for this variant, with or without discounts.
    const odd = { ...line, discountAllocations: [{ discountedAmount: { amount: 20 } }] };
    await isSilent(await show(cart, { line: odd }), 1);
  });

  it("says of cover by the month what it costs over the whole term, and counts one month as one", async () => {
    const plan = (term: number, price: number, reference: string) => {
      return { term, price, billing: "monthly", variant: shop.planVariant(reference), reference };
    };
    const offers = [plan(36, 9_600, "SMA-400-36"), plan(1, 3_200, "SMA-400-12")];
    offer({ bands: [{ min: 40_000, max: 59_999, offers }] });
    const shown = await show(await twoPhones());
    await isOffered(shown);
    const text = await textOf(shown.page);
    const total = "€192.00 per month, the first paid now, €6,912.00 in total (€96.00\u00a0×\u00a02)";
    expect(text).toContain(`36 months · ${total}`);
    expect(text).toContain("1 month · €64.00");
  });

  it("says in words that it could not be added, and offers it again", async () => {
    const cart = await fill([{ variant: phone, quantity: 1 }]);
    let answer: () => unknown = () => ({ type: "error", message: "merchandise is out of stock <b>" });
    for (const language of ["en", "fr"] as const) {
      const shown = await show(cart, { language, refuses: () => answer() });
      await isOffered(shown);
      await choose(shown);
      const words = language === "en" ? "could not be added" : "n’a pas pu être ajoutée";
      await eventually(async () => expect(await textOf(shown.page)).toContain(words));
      expect(await textOf(shown.page)).not.toContain("out of stock");
      expect(await shown.page.locator("s-button[disabled]").count()).toBe(0);
      expect(shown.errors).toEqual([]);
      await picture(shown, `failed-${language}`);
      answer = () => {
        throw new Error("The network is gone");
      };
    }
  });

  it("is shown where the rule of sale allows it", async () => {
    const cart = await fill([{ variant: phone, quantity: 1 }]);
    const settings = settingsOf({}, { countries: ["BE"], companies: true });
    await isSilent(await show(cart, { settings }), 1);
    const signals = { company: { company: { id: "gid://shopify/Company/1" } } };
    await isOffered(await show(cart, { country: "BE", settings, signals }));
  });

  test.each<[name: string, requested: number, options: Options]>([
    ["the merchant has it off", 0, { settings: settingsOf({ touchpoints: { checkout: { on: false } } }) }],
    ["there are no settings", 0, { settings: null }],
    ["the settings cannot be read", 0, { settings: [] }],
    ["the cart takes no lines", 1, { signals: { instructions: { lines: { canAddCartLine: false } } } }],
    ["a company buys", 1, { signals: { company: { company: { id: "gid://shopify/Company/1" } } } }],
    ["the currency is another", 1, { line: { cost: { totalAmount: { amount: 599, currencyCode: "CHF" } } } }],
    ["it is a gift", 1, { line: { cost: { totalAmount: { amount: 0, currencyCode: "EUR" } } } }],
    ["no band fits", 1, { line: { cost: { totalAmount: { amount: 5_000, currencyCode: "EUR" } } } }],
    [
      "it is nested itself",
      1,
      { line: { parentRelationship: { parent: { id: "gid://shopify/CartLine/7" } } } },
    ],
    ["the Storefront API fails", 1, { query: () => Promise.reject(new Error("Network")) }],
    ["it answers errors", 1, { query: () => ({ errors: [{ message: "Throttled" }] }) }],
    ["it reads that nothing is there", 1, { query: () => ({ data: { product: null, node: null } }) }],
  ])("is not shown where %s", async (_name, requested, options) => {
    const cart = await fill([{ variant: phone, quantity: 1 }]);
    await isSilent(await show(cart, options), requested);
  });

  test.each<[name: string, changes: object]>([
    ["a document is missing", { documents: [{ name: "", cg: "https://insurer.example/cg", ipid: "" }] }],
    [
      "a document has no secure address",
      { documents: [{ name: "", cg: "javascript:alert(1)", ipid: "https://insurer.example/ipid" }] },
    ],
    [
      "an offer cannot be read",
      { bands: [{ min: 40_000, max: 59_999, offers: [{ term: 12, price: "3200" }] }] },
    ],
  ])("is not shown where %s", async (_name, changes) => {
    offer(changes);
    await isSilent(await show(await fill([{ variant: phone, quantity: 1 }])), 1);
  });

  it("is not shown for what has no category, for gift cards, nor under a plan", async () => {
    const case_ = findByHandle(shop.state, "coque-lumo")?.variants[0]?.id ?? "";
    await isSilent(await show(await fill([{ variant: case_, quantity: 1 }])), 0);
    await isSilent(await show(await fill([{ variant: shop.planVariant("SMA-400-24"), quantity: 1 }])), 0);
    const card = findByHandle(shop.state, "carte-cadeau");
    const owner = gid("Product", card?.id ?? "");
    putMetafield(
      shop.state,
      owner,
      "$app",
      "insurance_category",
      "single_line_text_field",
      categoryKey(PHONES),
    );
    await isSilent(await show(await fill([{ variant: card?.variants[0]?.id ?? "", quantity: 1 }])), 1);
  });
});

describe("the bundle of the checkout's offer", () => {
  it("is at most 16 KB, gzip", () => {
    expect(gzipped(script)).toBeLessThanOrEqual(16_384);
  });

  it.each([
    ["en", storefrontEnglish],
    ["fr", storefrontFrench],
  ] as const)("says what the storefront says, with the same consent: %s", (language, { offer: said }) => {
    const ours = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(readTexts(requireUiExtension(target), language)));
    for (const name of ["headline", "consent", "consent_version", "ipid", "conditions", "legal"] as const)
      expect([name, ours[name]]).toEqual([name, said[name]]);
    expect(ours["monthly"]).toBe(said.monthly);
    expect(ours["annually"]).toBe(said.annually_html.replace("{{ price }}", "{{price}}"));
    expect(ours["consent_version"]).toBe(consentVersion(said.consent));
  });
});
