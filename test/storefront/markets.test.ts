/**
 * A market whose price list changes all prices in the shop's own currency: the charged price differs from the shown
 * one.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { findByHandle } from "#test/sandbox/shop/products.ts";
import type { PriceList } from "#test/sandbox/shop/state.ts";
import { openTestShop, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The shop with the market `belgique`, where everything costs 5 per cent more. */
async function openShopWithMarket(theme: string): Promise<{ shop: TestShop; prices: PriceList }> {
  const shop = await openTestShop({ theme });
  const prices: PriceList = { id: "1", adjustment: 5, fixedPrices: new Map() };
  const market = { id: "1", name: "Belgique", currency: "EUR", localCurrencies: false, active: true };
  shop.state.markets.push({ ...market, priceList: prices });
  return { shop, prices };
}

describe.each(["dawn-like", "horizon-like"])("in the %s theme", (theme) => {
  let shop: TestShop;
  let prices: PriceList;
  beforeAll(async () => {
    ({ shop, prices } = await openShopWithMarket(theme));
  });
  afterAll(() => shop.close());
  beforeEach(() => prices.fixedPrices.clear());
  const settle = () => prices.fixedPrices.set(shop.planVariant("SMA-200-24"), 3_200);

  it("removes a plan that costs another price than the shown one, and notifies the shopper", async () => {
    const { page, cartBecomes, requests, close } = await visit(
      browser,
      shop,
      "/products/lumo-mini?market=belgique",
    );
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await page.getByText("L’assurance n’a pas pu être ajoutée").waitFor({ state: "attached" });
    const items = await cartBecomes(({ length }) => length === 1);
    expect(items.map(({ product_title, quantity }) => [product_title, quantity])).toEqual([["Lumo Mini", 1]]);
    // The theme shows its product, as in the cart.
    await page.getByRole("dialog").getByText("Lumo Mini").first().waitFor();
    const added = requests.filter((request) => request.url().endsWith("/cart/add.js"));
    expect(added).toHaveLength(1);
    await close();
  });

  it("sells the plan where the market has a fixed price for it", async () => {
    settle();
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-mini?market=belgique");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const items = await cartBecomes(({ length }) => length === 2);
    expect(plansIn(items)).toEqual([["SMA-200-24", 1]]);
    await close();
  });

  it("adds none from the cart either, and says so", async () => {
    const { page, cart, close } = await visit(browser, shop, "/products/lumo-mini?market=belgique");
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await page.getByRole("dialog").getByText("Lumo Mini").first().waitFor();
    await page.goto(`${shop.origin}/cart`);
    const block = page.getByRole("main").getByRole("region", { name: "Protégez vos achats" });
    await block.getByText("Protégez votre smartphone").first().click();
    await block.getByRole("radio", { name: "24 mois" }).check();
    await block.getByRole("button", { name: "Ajouter l'assurance" }).click();
    const said = page.locator(".parasol__live", { hasText: "L’assurance n’a pas pu être ajoutée" });
    await said.waitFor({ state: "attached" });
    expect(plansIn((await cart()).items)).toEqual([]);
    // The focus moves to the offer.
    await block.locator("summary:focus").waitFor();
    await close();
  });

  it("takes a plan out that was chosen at the shop's own price, and proposes none", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-mini");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await cartBecomes(({ length }) => length === 2);
    await page.goto(`${shop.origin}/cart?market=belgique`);
    await cartBecomes(({ length }) => length === 1);
    const block = page.getByRole("main").getByRole("region", { name: "Protégez vos achats" });
    await block.getByText("Le prix a changé").first().waitFor();
    expect(await block.getByRole("button", { name: /Assurer à nouveau/ }).count()).toBe(0);
    await close();
  });
});

it("charges the market's prices in cart, checkout and order, the plan's too", async () => {
  const { shop, prices } = await openShopWithMarket("dawn-like");
  const plan = shop.planVariant("SMA-200-24");
  const product = findByHandle(shop.state, "lumo-mini")?.variants[0]?.id ?? "";
  const opened = await fetch(`${shop.origin}/cart/${product}:1,${plan}:1?market=belgique`, {
    redirect: "manual",
  });
  const cookie = opened.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  expect(cookie).toContain("market=belgique");
  const { total_price: total } = (await (
    await fetch(`${shop.origin}/cart.js`, { headers: { cookie } })
  ).json()) as {
    total_price: number;
  };
  expect(total).toBe(Math.round(24_900 * 1.05) + 3_360);
  const pay = async () => {
    const paid = await fetch(`${shop.origin}/checkout`, {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams({
        email: "lea@example.com",
        last_name: "Martin",
        address1: "1 rue de la Paix",
        zip: "1000",
        city: "Bruxelles",
      }),
      redirect: "manual",
    });
    expect(paid.status).toBe(303);
    return [...shop.state.orders.values()].at(-1)?.lines.map(({ price }) => price);
  };
  expect(await pay()).toEqual([26_145, 3_360]);
  prices.fixedPrices.set(plan, 3_200);
  await fetch(`${shop.origin}/cart/${product}:1,${plan}:1`, { headers: { cookie }, redirect: "manual" });
  expect(await pay()).toEqual([26_145, 3_200]);
  await shop.close();
});

it("offers nothing in a market whose catalogue leaves the plans out, and sells the product", async () => {
  const isIn = { markets: ["1"], companies: false };
  const shop = await openTestShop({ catalogue: (made) => ({ ...made, closed: isIn }) });
  const { state } = shop;
  state.markets.push({ id: "1", name: "Belgique", currency: "EUR", localCurrencies: false, active: true });
  const catalogue = { type: "MARKET" as const, marketIds: ["1"] };
  state.publications.set("9", { id: "9", name: "Belgique", appHandle: "", autoPublish: false, catalogue });
  const phone = findByHandle(state, "lumo-x2");
  if (phone) phone.publishedOn = new Set([...phone.publishedOn, "9"]);
  const { page, cart, close } = await visit(browser, shop, "/products/lumo-x2");
  await page.locator("parasol-offer").first().waitFor({ state: "attached" });
  await page.goto(`${shop.origin}/products/lumo-x2?market=belgique`);
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await page.getByRole("dialog").getByText("Lumo X2").first().waitFor();
  expect(await page.locator("parasol-offer").count()).toBe(0);
  await page.goto(`${shop.origin}/cart`);
  await page.getByRole("main").getByText("Lumo X2").first().waitFor();
  expect(await page.getByText("Protégez votre smartphone").count()).toBe(0);
  expect((await cart()).items).toHaveLength(1);
  await close();
  await shop.close();
});
