/** Products whose offers only the app knows: one request to the proxy, none of it in the way of the sale. */
import { Hono } from "hono";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OffersResponse } from "#app/offers/offers-response.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { openBrowser } from "#test/browser.ts";
import { openApp, openTestShop, PHONES, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

let browser: Browser;
let shop: TestShop;
let closeApp: () => void;
const asked: string[] = [];
/** a status: there are no offers */
let answer: (variants: string[]) => OffersResponse | 429 | 500;

beforeAll(async () => {
  browser = await openBrowser();
  shop = await openTestShop({ catalogue: (made) => ({ ...made, live: true, bands: [] }) });
  const app = new Hono();
  app.get("/proxy/offers", (c) => {
    const variants = (c.req.query("variants") ?? "").split(",");
    asked.push(...variants);
    const body = answer(variants);
    return typeof body === "number" ? c.json({ error: "no offers" }, body) : c.json(body);
  });
  closeApp = await openApp(shop, app);
});
afterAll(async () => {
  closeApp();
  await browser.close();
  await shop.close();
});

const offering =
  (currency: string) =>
  (variants: string[]): OffersResponse => ({
    currency,
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
        },
      ],
    })),
    categories: {
      [categoryKey(PHONES)]: {
        cg: "https://a.example/cg",
        ipid: "https://a.example/ipid",
        texts: { headline: "Protégez-le", legal: "", cart_button: "" },
      },
    },
  });

it("asks once per shown variant and sells what the app answers", async () => {
  answer = offering("EUR");
  const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2");
  await page.getByLabel("24 mois").check();
  expect((await page.locator("[data-terms]").innerText()).replaceAll(/\s+/g, " ")).toContain(
    "64,00 € facturation mensuelle",
  );
  const variants =
    [...shop.state.products.values()]
      .find(({ handle }) => handle === "lumo-x2")
      ?.variants.map(({ id }) => id) ?? [];
  expect(asked).toEqual([variants[0]]);
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24", 1]]);
  expect(problems).toEqual([]);
  await close();
});

it("offers in the cart what the app answers", async () => {
  answer = offering("EUR");
  const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-mini");
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("Lumo Mini · Protégez").click();
  await drawer.getByLabel("24 mois").check();
  await drawer.getByRole("button", { name: "Ajouter l'assurance" }).click();
  expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24", 1]]);
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
  await page.locator("parasol-offer").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await cartBecomes(({ length }) => length === 1);
  await page.getByRole("dialog").getByText("Lumo X2").first().waitFor();
  expect(await page.locator("parasol-cart [data-lines] li").count()).toBe(0);
  await close();
});
