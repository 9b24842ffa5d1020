/** The choice of a formula, then of its term, wherever an offer shows. */
import { Hono } from "hono";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { violations } from "./axe.ts";
import { categoryKey, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import type { OffersResponse, OfferView } from "#app/offers/offers-response.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield } from "#test/sandbox/shop/metafields.ts";
import { openApp, openTestShop, PHONES, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

const FORMULAS = ["Casse", "Casse et vol", "Intégrale", "Intégrale monde"];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const formula = (page: Page, name: string) => page.getByRole("radio", { name: new RegExp(`^${name} dès`) });
const term = (page: Page, name: string, months: number) =>
  page.getByRole("radio", { name: new RegExp(`^${name} · ${months} mois`) });
const add = (page: Page) => page.getByRole("button", { name: "Ajouter au panier" }).click();

describe.each(["dawn-like", "horizon-like"])("in the %s theme", (theme) => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop({ theme, formulas: FORMULAS });
  });
  afterAll(() => shop.close());

  it("three formulas show with their lowest prices, nothing chosen, the others behind a button", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    const shown = () =>
      page
        .locator("parasol-offer .parasol__formula:visible")
        .evaluateAll((labels) => labels.map((label) => label.textContent.replace(/\s+/g, " ").trim()));
    expect(await shown()).toEqual(["Casse dès 32,00 €", "Casse et vol dès 64,00 €", "Intégrale dès 96,00 €"]);
    expect(await page.getByRole("radio", { checked: true, name: /dès|mois/ }).count()).toBe(0);
    expect(await page.getByRole("radio", { name: /mois/ }).count()).toBe(0);
    await page.getByText("Autres formules").filter({ visible: true }).click();
    expect(await shown()).toHaveLength(4);
    expect(await violations(page)).toEqual([]);
    await close();
  });

  it("a formula and a term are chosen with two clicks, and that plan is bought", async () => {
    const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    await formula(page, "Casse et vol").check();
    await term(page, "Casse et vol", 24).check();
    expect(await violations(page)).toEqual([]);
    await add(page);
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24-2", 1]]);
    expect(problems).toEqual([]);
    await close();
  });

  it("another formula ends the choice that was made in the one before it", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    await formula(page, "Casse").check();
    await term(page, "Casse", 12).check();
    await formula(page, "Intégrale").check();
    expect(await page.getByRole("radio", { checked: true, name: /mois/ }).count()).toBe(0);
    await formula(page, "Casse").check();
    expect(await page.getByRole("radio", { checked: true, name: /mois/ }).count()).toBe(0);
    await add(page);
    expect(plansIn(await cartBecomes(({ length }) => length === 1))).toEqual([]);
    await close();
  });

  it("the formula stays open where another variant of the product has other plans", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    await formula(page, "Intégrale").check();
    if (theme === "dawn-like") await page.getByText("512 Go", { exact: true }).click();
    else await page.getByLabel("Stockage").selectOption("512 Go");
    await page.getByText("dès 192,00 €").filter({ visible: true }).waitFor();
    await term(page, "Intégrale", 36).check();
    await add(page);
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-800-36-3", 1]]);
    await close();
  });

  it("the keyboard alone chooses: arrows in each group, a tab between them", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    await formula(page, "Casse").focus();
    await page.keyboard.press("ArrowDown");
    expect(await formula(page, "Casse et vol").isChecked()).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await term(page, "Casse et vol", 12).isChecked()).toBe(true);
    await add(page);
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-12-2", 1]]);
    await close();
  });

  it("the cart offers a formula, then its term", async () => {
    const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    await add(page);
    await cartBecomes(({ length }) => length === 1);
    await page.goto(`${shop.origin}/cart?locale=fr`);
    await page.locator("parasol-cart:not([data-drawer]) summary").first().click();
    const button = page.locator("parasol-cart:not([data-drawer]) button[data-add]");
    await formula(page, "Casse et vol").check();
    expect(await button.isDisabled()).toBe(true);
    await term(page, "Casse et vol", 36).check();
    expect(await violations(page)).toEqual([]);
    await button.click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-36-2", 1]]);
    expect(problems).toEqual([]);
    await close();
  });
});

describe("the merchant's words about formulas", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop({ formulas: FORMULAS });
    const of = (name: string) => coverKey(PHONES, name);
    const covers = {
      en: {
        [of("Casse")]: { name: "Breakage", bullets: ["Breakage"] },
        // A formula with the same name as another, and with text that would close the script element.
        [of("Casse et vol")]: { name: "Casse", bullets: ["Breakage", "Theft"], exclusions: ["Loss"] },
        [of("Intégrale")]: { name: `</script>"]`, bullets: ["Breakage", "Theft", "Oxidation"] },
        [of("Intégrale monde")]: { bullets: ["Breakage", "Theft", "Oxidation"] },
      },
    };
    const app = gid("AppInstallation", shop.state.installation?.id ?? "");
    putMetafield(shop.state, app, "settings", "storefront", "json", JSON.stringify({ covers }));
  });
  afterAll(() => shop.close());

  const names = (page: Page, within: string) =>
    page
      .locator(`${within} .parasol__formula > span:first-of-type`)
      .evaluateAll((spans) => spans.map(({ textContent }) => textContent));
  const NAMES = ["Breakage", "Casse", `</script>"]`, "Intégrale monde"];

  it("name them in the shopper's language, before and after the script draws them, on the page and in the cart", async () => {
    const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2?locale=en");
    expect(await names(page, "parasol-offer section")).toEqual(NAMES);
    await page.getByText("512 Go", { exact: true }).click();
    await page.getByText("from 192,00 €").filter({ visible: true }).waitFor();
    expect(await names(page, "parasol-offer section")).toEqual(NAMES);
    await page.getByRole("radio", { name: /^Casse from/ }).check();
    await page.getByRole("radio", { name: /^Casse · 24 months/ }).check();
    await page.getByRole("button", { name: "Add to cart" }).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-800-24-2", 1]]);
    await page.goto(`${shop.origin}/products/lumo-mini?locale=en`);
    await page.getByRole("button", { name: "Add to cart" }).click();
    await cartBecomes(({ length }) => length === 3);
    await page.goto(`${shop.origin}/cart?locale=en`);
    await page.locator("parasol-cart:not([data-drawer]) summary").first().click();
    expect(await names(page, "parasol-cart:not([data-drawer]) li")).toEqual(NAMES);
    expect(problems).toEqual([]);
    await close();
  });

  it("are compared in the window: a table with what each covers, whole at 320 px", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2?locale=en", {
      viewport: { width: 320, height: 640 },
    });
    await page.locator("[value=open]:visible").first().click();
    const table = page.getByRole("dialog").getByRole("table", { name: "What is covered" });
    expect(await table.getByRole("columnheader").allTextContents()).toEqual(NAMES);
    const ticks = await table
      .locator("tbody")
      .evaluateAll((points) =>
        points.map((point) =>
          (point instanceof HTMLElement ? point.innerText : "").replaceAll(/\s+/g, " ").trim(),
        ),
      );
    expect(ticks).toEqual(["Breakage ✓ ✓ ✓ ✓", "Theft – ✓ ✓ ✓", "Oxidation – – ✓ ✓"]);
    expect(await table.getByRole("img", { name: "Not covered" }).count()).toBe(3);
    expect(await page.getByRole("dialog").getByRole("list").allTextContents()).toEqual(["Loss"]);
    const cut = await page
      .locator("dialog .parasol__body")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(cut).toBe(0);
    expect(await violations(page)).toEqual([]);
    await close();
  });

  it("are not compared where the formulas have one list: it is shown once", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    await page.locator("[value=open]:visible").first().click();
    expect(await page.getByRole("dialog").getByRole("table").count()).toBe(0);
    expect(await page.getByRole("dialog").getByText("Vol par effraction").count()).toBe(1);
    await close();
  });
});

it("a universe of which one category alone sells shows that one's cover, on the page and in the cart", async () => {
  const shop = await openTestShop({
    catalogue: (made) => ({
      ...made,
      formulas: [{ name: "Vol", bullets: [], cg: made.cg, ipid: made.ipid, key: "theft" }],
    }),
  });
  const covers = {
    fr: { [categoryKey(PHONES)]: { bullets: ["Écran"] }, theft: { bullets: ["Vol par effraction"] } },
  };
  const app = gid("AppInstallation", shop.state.installation?.id ?? "");
  putMetafield(shop.state, app, "settings", "storefront", "json", JSON.stringify({ covers }));
  const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
  const words = (within: string) => page.locator(within).first().textContent();
  expect(await words("parasol-offer section")).toContain("Vol par effraction");
  expect(await words("parasol-offer section")).not.toContain("Écran");
  await add(page);
  await cartBecomes(({ length }) => length === 1);
  await page.goto(`${shop.origin}/cart?locale=fr`);
  expect(await words("parasol-cart:not([data-drawer]) section")).toContain("Vol par effraction");
  expect(await words("parasol-cart:not([data-drawer]) section")).not.toContain("Écran");
  await close();
  await shop.close();
});

it("a product that only the app knows shows no formula's cover above all formulas in the cart", async () => {
  const shop = await openTestShop({ formulas: FORMULAS });
  const key = categoryKey(PHONES);
  const settings = { covers: { fr: { [key]: { bullets: ["Casse"] } } } };
  const installation = gid("AppInstallation", shop.state.installation?.id ?? "");
  putMetafield(shop.state, installation, "settings", "storefront", "json", JSON.stringify(settings));
  const app = new Hono();
  app.get("/proxy/offers", (c) => {
    const [variant_id = ""] = (c.req.query("variants") ?? "").split(",");
    const offers = FORMULAS.slice(0, 2).map((formula, at): OfferView => {
      const reference_id = at === 0 ? "SMA-200-12" : `SMA-200-12-${at + 1}`;
      const plan_variant_id = shop.planVariant(reference_id);
      const price = 1_600 * (at + 1);
      const billing = "annually";
      return {
        reference_id,
        plan_variant_id,
        term: 12,
        price,
        billing,
        title: "",
        formula,
        formula_name: null,
      };
    });
    const texts = { headline: "", cover: "", legal: "", cart_button: "" };
    const documents = [{ name: "", cg: "https://a.example/cg", ipid: "https://a.example/ipid" }];
    return c.json<OffersResponse>({
      currency: "EUR",
      registration_number: null,
      products: [{ variant_id, category: key, offers, reason: null }],
      categories: { [key]: { documents, texts } },
    });
  });
  const closeApp = await openApp(shop, app);
  const { page, close } = await visit(browser, shop, "/collections/all?locale=fr");
  const mini = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-mini");
  await page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch("/cart/add.js", { method: "POST", headers, body: JSON.stringify({ items: [{ id }] }) });
  }, mini?.variants[0]?.id);
  const row = page.locator("parasol-cart li");
  await row.waitFor({ state: "attached" });
  expect(await row.locator(".parasol__formula > span:first-of-type").allTextContents()).toEqual(
    FORMULAS.slice(0, 2),
  );
  expect(await row.locator("[data-cover]").allTextContents()).toEqual([""]);
  await close();
  await closeApp();
  await shop.close();
});

it("the tabs open formulas by click, arrow keys, Home and End, and choose nothing", async () => {
  const shop = await openTestShop({ formulas: FORMULAS });
  shop.state.theme.blocks["product"] = [
    { id: "offer", handle: "product-offer", settings: { format: "tabs" } },
  ];
  const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
  const tabs = page.getByRole("tablist", { name: "Protégez votre smartphone" }).getByRole("tab");
  const selected = () => page.getByRole("tab", { selected: true }).allInnerTexts();
  const panel = page.getByRole("tabpanel");
  expect(await tabs.allInnerTexts()).toEqual([
    "Casse\ndès 32,00 €",
    "Casse et vol\ndès 64,00 €",
    "Intégrale\ndès 96,00 €",
    "Intégrale monde\ndès 128,00 €",
  ]);
  expect(await selected()).toEqual(["Casse\ndès 32,00 €"]);
  expect(await panel.getAttribute("id")).toBe(await tabs.first().getAttribute("aria-controls"));
  await tabs.nth(0).focus();
  for (const [key, name] of [
    ["ArrowRight", "Casse et vol"],
    ["End", "Intégrale monde"],
    ["ArrowRight", "Casse"],
    ["ArrowLeft", "Intégrale monde"],
    ["Home", "Casse"],
  ] as const) {
    await page.keyboard.press(key);
    expect((await selected()).map((text) => text.split("\n")[0])).toEqual([name]);
    expect(await page.evaluate(() => document.activeElement?.textContent.split("\n")[0]?.trim())).toBe(name);
    expect(await panel.getByRole("radio").count()).toBe(3);
    await panel.getByRole("radio", { name: `${name} · 12 mois` }).waitFor();
  }
  expect(await page.getByRole("radio", { checked: true, name: /mois/ }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await tabs.nth(2).click();
  // The list's single tab stop, then the panel's terms.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  expect(await term(page, "Intégrale", 12).isChecked()).toBe(true);
  await page.getByText("512 Go", { exact: true }).click();
  await page.getByText("dès 192,00 €").filter({ visible: true }).waitFor();
  expect((await selected()).map((text) => text.split("\n")[0])).toEqual(["Intégrale"]);
  await term(page, "Intégrale", 24).check();
  await add(page);
  expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-800-24-3", 1]]);
  expect(problems).toEqual([]);
  await close();
  await shop.close();
});

describe.each(["banner", "modal", "floating", "sticky", "checkbox", "tabs"])("the format %s", (format) => {
  it("sells the formula and the term that are chosen in its window", async () => {
    const shop = await openTestShop({ formulas: FORMULAS });
    shop.state.theme.blocks["product"] = [{ id: "offer", handle: "product-offer", settings: { format } }];
    const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
    if (format === "modal") await add(page);
    else await page.locator("[value=open]:visible").first().click();
    const buy = page.getByRole("button", { name: "Assurer mon smartphone" });
    const dialog = page.locator("dialog[open]");
    await dialog.getByRole("radio", { name: /^Intégrale dès/ }).check();
    expect(await buy.isDisabled()).toBe(true);
    await dialog.getByRole("radio", { name: /^Intégrale · 24 mois/ }).check();
    await dialog.getByRole("radio", { name: /^Casse dès/ }).check();
    expect(await buy.isDisabled()).toBe(true);
    await dialog.getByRole("radio", { name: /^Casse · 24 mois/ }).check();
    expect(await violations(page)).toEqual([]);
    await buy.click();
    if (format !== "modal") {
      const section = page.locator("parasol-offer section");
      expect((await section.innerText()).replaceAll(/\s+/g, " ")).toContain("Casse");
      await add(page);
    }
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24", 1]]);
    expect(problems).toEqual([]);
    await close();
    await shop.close();
  });
});
