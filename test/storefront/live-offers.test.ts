/** Products whose offers only the app knows: one request to the proxy, which never blocks the sale. */
import { Hono } from "hono";
import type { Browser, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OffersResponse } from "#app/offers/offers-response.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { openBrowser } from "#test/browser.ts";
import { nextId } from "#test/sandbox/shop/ids.ts";
import { putProduct } from "#test/sandbox/shop/products.ts";
import { openApp, openTestShop, PHONES, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

let browser: Browser;
let shop: TestShop;
let closeApp: () => Promise<void>;
const requested: string[] = [];
/** a status: no offers */
let answer: (variants: string[]) => OffersResponse | 429 | 500;

beforeAll(async () => {
  browser = await openBrowser();
  shop = await openTestShop({ catalogue: (made) => ({ ...made, live: true, bands: [] }) });
  const app = new Hono();
  app.get("/proxy/offers", (c) => {
    const variants = (c.req.query("variants") ?? "").split(",");
    requested.push(...variants);
    const body = answer(variants);
    return typeof body === "number" ? c.json({ error: "no offers" }, body) : c.json(body);
  });
  closeApp = await openApp(shop, app);
});
afterAll(async () => {
  await closeApp();
  await browser.close();
  await shop.close();
});

const offering =
  (currency: string) =>
  (variants: string[]): OffersResponse => ({
    currency,
    registration_number: null,
    products: variants.map((variant_id) => ({
      variant_id,
      category: categoryKey(PHONES),
      reason: null,
      offers: [
        {
          reference_id: "SMA-400-24",
          plan_variant_id: shop.planVariant("SMA-400-24"),
          term: 24,
          price: 6_400,
          billing: "monthly",
          title: "",
          formula: null,
          formula_name: null,
        },
      ],
    })),
    categories: {
      [categoryKey(PHONES)]: {
        documents: [{ name: "", cg: "https://a.example/cg", ipid: "https://a.example/ipid" }],
        texts: { headline: "Protégez-le", cover: "", legal: "", cart_button: "" },
      },
    },
  });

it("shows no other variant's price while it requests a variant that Liquid does not know", async () => {
  const big = await openTestShop();
  const phone = [...big.state.products.values()].find(({ handle }) => handle === "lumo-x2");
  const [first] = phone?.variants ?? [];
  if (!phone || !first) throw new Error("The shop has no phone");
  for (let count = phone.variants.length; count < 260; count += 1) {
    const id = nextId(big.state, "variant");
    const more = { ...first, id, title: `${count}`, optionValues: [`${count}`], price: 24_900 };
    phone.variants.push({ ...more, position: count + 1 });
  }
  putProduct(big.state, phone);
  const beyond = phone.variants[259]?.id ?? "";
  const released = Promise.withResolvers<null>();
  const app = new Hono();
  app.get("/proxy/offers", async (c) => {
    await released.promise;
    return c.json({ ...offering("EUR")([c.req.query("variants") ?? ""]), categories: {} });
  });
  const closeBig = await openApp(big, app);
  const { page, requests, problems, close } = await visit(browser, big, "/products/lumo-x2");
  const price = page.getByText(/[\d,]+ €/).and(page.locator("parasol-offer *"));
  expect(await price.first().isVisible()).toBe(true);
  await page.getByRole("radio", { name: "24 mois" }).check();
  await page.evaluate((id) => {
    const input = document.querySelector<HTMLInputElement>('main form:has([type=submit]) [name="id"]');
    if (!input) throw new Error("The page has no product form");
    input.value = id;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, beyond);
  await page.locator("parasol-offer[aria-busy]").waitFor({ state: "attached" });
  expect(await price.filter({ visible: true }).count()).toBe(0);
  released.resolve(null);
  await page.getByText("par mois, le premier payé maintenant").filter({ visible: true }).waitFor();
  // The same plan at the same price: the choice stays, for this variant.
  expect(await page.getByRole("radio", { name: "24 mois" }).isChecked()).toBe(true);
  // The page's first variant needs no request.
  const before = requests.length;
  await page.goto(`${big.origin}/products/lumo-x2?variant=${beyond}`);
  await page.getByText("16,00 €").first().waitFor();
  expect(requests.slice(before).filter((request) => request.url().includes("/apps/"))).toEqual([]);
  expect(problems).toEqual([]);
  await close();
  await closeBig();
  await big.close();
});

it("sends one request per shown variant and sells what the app answers", async () => {
  answer = offering("EUR");
  const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2");
  await page.getByRole("radio", { name: "24 mois" }).check();
  expect((await page.locator("[data-terms]:visible").innerText()).replaceAll(/\s+/g, " ")).toContain(
    "64,00 € par mois, le premier payé maintenant",
  );
  const variants =
    [...shop.state.products.values()]
      .find(({ handle }) => handle === "lumo-x2")
      ?.variants.map(({ id }) => id) ?? [];
  expect(requested).toEqual([variants[0]]);
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24", 1]]);
  expect(problems).toEqual([]);
  await close();
});

it("asks the app once, whatever quantity is picked, also while it answers, and keeps the choice", async () => {
  answer = offering("EUR");
  const { page, requests, close } = await visit(browser, shop, "/collections/all");
  const released = Promise.withResolvers<null>();
  await page.route("**/offers?*", async (route) => {
    await released.promise;
    await route.continue();
  });
  const sent = page.waitForRequest("**/offers?*");
  await page.goto(`${shop.origin}/products/lumo-x2`);
  await sent;
  const quantity = page.locator("main [name=quantity]").first();
  await quantity.fill("2");
  released.resolve(null);
  await page.getByText("128,00 €").filter({ visible: true }).waitFor();
  const term = page.getByRole("radio", { name: "24 mois" });
  await term.check();
  await quantity.fill("3");
  await page.getByText("192,00 €").filter({ visible: true }).waitFor();
  expect(await term.isChecked()).toBe(true);
  expect(requests.filter((request) => request.url().includes("/offers?"))).toHaveLength(1);
  await close();
});

/** A product in the cart whose offers the app returns, with one of its terms chosen in the theme's drawer. */
async function chosenInDrawer() {
  answer = offering("EUR");
  const visited = await visit(browser, shop, "/products/lumo-mini");
  await visited.page.getByRole("button", { name: "Ajouter au panier" }).click();
  const drawer = visited.page.getByRole("dialog");
  await drawer.locator("parasol-cart summary", { hasText: "Lumo Mini" }).click();
  await drawer.getByRole("radio", { name: "24 mois" }).check();
  return { ...visited, drawer };
}

it("insures as many items as the cart's row shows while the next row waits for the app", async () => {
  const { page, drawer, cartBecomes, close } = await chosenInDrawer();
  const released = Promise.withResolvers<null>();
  await page.route("**/offers?*", async (route) => {
    await released.promise;
    await route.continue();
  });
  const sent = page.waitForRequest("**/offers?*");
  const ids = ["lumo-mini", "lumo-x2"].map(
    (handle) => [...shop.state.products.values()].find((each) => each.handle === handle)?.variants[0]?.id,
  );
  // Another app's script, which redraws nothing.
  await page.evaluate(async (variants) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ items: variants.map((id) => ({ id, quantity: 1 })) });
    await fetch("/cart/add.js", { method: "POST", headers, body });
  }, ids);
  await sent;
  await drawer.getByRole("button", { name: "Ajouter l'assurance" }).click();
  released.resolve(null);
  expect(plansIn(await cartBecomes((items) => plansIn(items).length > 0))).toEqual([["SMA-400-24", 1]]);
  await close();
});

/** The first variant of a product. */
const variantIn = ({ state }: TestShop, handle: string) =>
  [...state.products.values()].find((each) => each.handle === handle)?.variants[0]?.id ?? "";

/** Another app's script, which redraws nothing. */
const postCart = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([to, sent]) => {
      await fetch(to, { method: "POST", headers: { "content-type": "application/json" }, body: sent });
    },
    [`/cart/${path}.js`, JSON.stringify(body)] as const,
  );

/**
 * The cart page with an insured product that Liquid knows. Another script then adds a product that it does not know.
 */
async function withUnknownProduct(answerOffers: (route: Route) => Promise<void>) {
  const known = await openTestShop();
  const visited = await visit(browser, known, "/products/lumo-x2");
  const { page, cartBecomes } = visited;
  await page.getByRole("radio", { name: "24 mois" }).check();
  await page.locator("main [name=quantity]").first().fill("2");
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  const [phone] = await cartBecomes(({ length }) => length === 2);
  await page.route("**/offers?*", answerOffers);
  await page.goto(`${known.origin}/cart`);
  const rows = page.getByRole("main").locator("parasol-cart li");
  await rows.getByText(/✓ Lumo X2/).waitFor();
  const requested = page.waitForRequest("**/offers?*");
  await postCart(page, "add", { items: [{ id: variantIn(known, "lumo-mini"), quantity: 1 }] });
  await requested;
  const close = async () => {
    await visited.close();
    await known.close();
  };
  return { ...visited, rows, phone: phone?.key, close };
}

it("cuts plans while the app has not answered yet", async () => {
  const { page, phone, cartBecomes, close } = await withUnknownProduct(async () => {});
  await postCart(page, "change", { id: phone, quantity: 1 });
  await cartBecomes((items) => plansIn(items)[0]?.[1] === 1);
  await close();
});

it("shows what it knows itself, and no error, where the app proxy answers with a page", async () => {
  const { page, rows, phone, cartBecomes, close } = await withUnknownProduct((route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Bientôt de retour</title>" }),
  );
  await postCart(page, "change", { id: phone, quantity: 3 });
  await cartBecomes((items) => items.some(({ quantity }) => quantity === 3));
  await rows.getByText(/✓ Lumo X2.*\(2\/3\)/).waitFor();
  expect(await page.getByText("Le panier n’a pas pu").count()).toBe(0);
  await close();
});

it("keeps the rows of the newest cart where the app's answer for an older one comes late", async () => {
  answer = offering("EUR");
  const { page, close } = await visit(browser, shop, "/collections/all");
  const [mini, phone] = ["lumo-mini", "lumo-x2"].map((handle) => variantIn(shop, handle));
  await postCart(page, "add", { items: [mini, phone].map((id) => ({ id, quantity: 1 })) });
  const released = Promise.withResolvers<null>();
  const isOlder = (address: string) => /\/offers\?/.test(address) && address.includes(mini ?? "");
  await page.route("**/offers?*", async (route) => {
    if (isOlder(route.request().url())) await released.promise;
    await route.continue();
  });
  const late = page.waitForResponse((response) => isOlder(response.url()));
  await page.goto(`${shop.origin}/cart`);
  await postCart(page, "update", { updates: { [mini ?? ""]: 0 } });
  const rows = page.getByRole("main").locator("parasol-cart li");
  await rows.getByText("Lumo X2").first().waitFor();
  released.resolve(null);
  await (await late).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await rows.getByText("Lumo Mini").count()).toBe(0);
  await close();
});

it("names in the cart what the app offers without a headline", async () => {
  answer = (variants) => {
    const offered = offering("EUR")(variants);
    for (const { texts } of Object.values(offered.categories)) texts.headline = "";
    return offered;
  };
  const mini = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-mini");
  // The page does not know the product: only the app knows its category.
  const { page, close } = await visit(browser, shop, "/collections/all");
  await page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch("/cart/add.js", { method: "POST", headers, body: JSON.stringify({ items: [{ id }] }) });
  }, mini?.variants[0]?.id);
  const headline = page.locator("parasol-cart li [data-headline]");
  await headline.waitFor({ state: "attached" });
  expect(await headline.textContent()).toBe("Assurance pour ce produit");
  await close();
});

it.each<[string, typeof answer]>([
  ["is away", () => 500],
  ["has too many requests", () => 429],
  [
    "has none",
    (variants) => ({
      ...offering("EUR")(variants),
      products: variants.map((variant_id) => ({
        variant_id,
        category: null,
        offers: [],
        reason: "no_offer_at_price",
      })),
    }),
  ],
  ["answers in another currency", offering("GBP")],
])("shows no offer and sells the product when the app %s", async (_name, given) => {
  answer = given;
  const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
  await page.locator("parasol-offer[hidden]").waitFor({ state: "attached" });
  const response = page.waitForResponse(/\/offers\?/);
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await cartBecomes(({ length }) => length === 1);
  await response;
  await page.getByRole("dialog").getByText("Lumo X2").first().waitFor();
  expect(await page.locator("parasol-cart [data-lines] li").count()).toBe(0);
  await close();
});

it.each([
  ["fr", "dès 2,90 € par mois", "dès 32,00 €"],
  ["en", "from 2,90 € per month", "from 32,00 €"],
])(
  "names the offer that costs least in all, per month where it is paid so: %s",
  async (language, monthly, once) => {
    const other = await openTestShop({
      // 12 months, or 24 at a month's price: 69.60 in all.
      catalogue: (made) => ({
        ...made,
        bands: made.bands.map(({ min, max, offers: [first, second] }) => {
          if (!first || !second) throw new Error("The catalogue has no two terms");
          const dear = min === 20_000 ? 9_900 : 3_200;
          const offers = [
            { ...first, term: 12, price: dear },
            { ...second, term: 24, price: 290, billing: "monthly" as const },
          ];
          return { min, max, offers };
        }),
      }),
    });
    const offer = { id: "offer", handle: "product-offer", settings: { format: "banner" } };
    other.state.theme.blocks = {
      product: [offer],
      cart: [{ id: "cart", handle: "cart-offers", settings: {} }],
    };
    const said = async (page: Page, where: string) =>
      (await page.locator(where).first().innerText()).replaceAll(/\s+/g, " ");
    for (const javaScriptEnabled of [false, true])
      for (const [handle, expected] of [
        ["lumo-mini", monthly],
        ["lumo-x2", once],
      ]) {
        const path = `/products/${handle ?? ""}?locale=${language}`;
        const { page, cartBecomes, close } = await visit(browser, other, path, { javaScriptEnabled });
        expect(await said(page, "parasol-offer span[data-unchosen]")).toBe(expected);
        if (!javaScriptEnabled) {
          await page.locator('main form[action*="/cart/add"] button').first().click();
          await cartBecomes(({ length }) => length === 1);
          await page.goto(`${other.origin}/cart?locale=${language}`);
          expect(await said(page, "main parasol-cart summary b")).toBe(expected);
        }
        await close();
      }
    await other.close();
  },
);

it.each([
  [
    "fr",
    "1 mois",
    "36 mois",
    "par mois, le premier payé maintenant, 208,80 € au total",
    "dès 5,80 € par mois",
  ],
  ["de", "1 Monat", "36 Monate", "pro Monat, der erste jetzt, insgesamt 208,80 €", "ab 5,80 € pro Monat"],
])(
  "says of an offer by the month what all items cost over its whole term, on the page and in the cart: %s",
  async (language, month, months, total, from) => {
    const other = await openTestShop({
      catalogue: (made) => ({
        ...made,
        bands: made.bands.map(({ min, max, offers: [first, second] }) => {
          if (!first || !second) throw new Error("The catalogue has no two terms");
          const offers = [
            { ...first, term: 1, price: 29_900 },
            { ...second, term: 36, price: 290, billing: "monthly" as const },
          ];
          return { min, max, offers };
        }),
      }),
    });
    other.state.theme.blocks = {
      product: [{ id: "offer", handle: "product-offer", settings: { format: "banner" } }],
      cart: [{ id: "cart", handle: "cart-offers", settings: {} }],
    };
    const { page, cartBecomes, close } = await visit(browser, other, `/products/lumo-x2?locale=${language}`);
    const expectRows = async (offer: Locator) => {
      const rows = (await offer.locator("label").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
      expect(rows.map((text) => text.trim())).toEqual([
        expect.stringContaining(`${month} 598,00 €`),
        `${months} 5,80 € ${total} (2,90 € × 2)`,
      ]);
    };
    await page.locator("main [name=quantity]").first().fill("2");
    await page.locator("main [name=quantity]").first().blur();
    const box = page.locator("parasol-offer");
    await box.getByText(from).waitFor();
    await box.locator("[value=open]").click();
    await expectRows(box.locator("dialog"));
    await page.keyboard.press("Escape");
    await page.locator("product-form button, product-form-component button").first().click();
    await cartBecomes(([line]) => line?.quantity === 2);
    for (const javaScriptEnabled of [true, false]) {
      const state = await page.context().storageState();
      const { page: cart, close: leave } = await visit(browser, other, `/cart?locale=${language}`, {
        javaScriptEnabled,
        storageState: state,
      });
      await cart.getByRole("main").getByText(from).click();
      await expectRows(cart.locator("main parasol-cart"));
      await leave();
    }
    await close();
    await other.close();
  },
);
