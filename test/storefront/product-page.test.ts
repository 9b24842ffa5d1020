/** The offer on the product page, in both themes, in a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield } from "#test/sandbox/shop/metafields.ts";
import { openTestShop, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

type Visit = Awaited<ReturnType<typeof visit>>;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each(["dawn-like", "horizon-like"])("in the %s theme", (theme) => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop({ theme });
  });
  afterAll(() => shop.close());

  const pick = async (page: Visit["page"], storage: string) => {
    if (theme === "dawn-like") await page.getByText(storage, { exact: true }).click();
    else await page.getByLabel("Stockage").selectOption(storage);
  };
  /** Selects another variant than the page's first: the page offers that variant's plan and adds it. */
  const insureAnother = async (page: Visit["page"], cartBecomes: Visit["cartBecomes"]) => {
    await pick(page, "512 Go");
    await page.getByText("192,00 €").filter({ visible: true }).waitFor();
    await page.getByRole("radio", { name: "12 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-800-12", 1]]);
  };
  /** A window of Lumo X2. Dawn and Horizon put it into the body, outside of all sections. */
  const openQuickAdd = async (page: Visit["page"]) => {
    await page.evaluate(async () => {
      const html = await (await fetch("/products/lumo-x2")).text();
      const product = new DOMParser()
        .parseFromString(html, "text/html")
        .querySelector("main > .shopify-section");
      const quickAdd = document.createElement("div");
      quickAdd.id = "quick-add";
      document.body.append(quickAdd);
      quickAdd.innerHTML = product?.innerHTML.replaceAll("template--product__main", "quick-add") ?? "";
    });
    return page.locator("#quick-add");
  };

  it("shows term, price, billing and documents without any script, with nothing chosen and nothing to choose", async () => {
    const { page, requests, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr", {
      javaScriptEnabled: false,
    });
    const offer = page.getByRole("region", { name: "Protégez votre smartphone" });
    await expect(offer.getByText("24 mois", { exact: true }).isVisible()).resolves.toBe(true);
    expect((await offer.innerText()).replaceAll(/\s+/g, " ")).toContain(
      "24 mois 64,00 € en une fois, soit 2,67 € par mois",
    );
    expect(await offer.getByRole("radio", { checked: true }).count()).toBe(0);
    expect(await offer.getByRole("radio", { disabled: true }).count()).toBe(4);
    expect(
      await offer.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual(["https://assurance.example/cg.pdf", "https://assurance.example/ipid.pdf"]);
    expect(requests.filter((request) => request.url().includes("parasol"))).toEqual([]);
    await close();
  });

  it("sells the product without insurance when the scripts do not load", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2", {
      javaScriptEnabled: false,
    });
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const items = await cartBecomes(({ length }) => length === 1);
    expect(items[0]?.properties).toEqual({});
    await close();
  });

  it("writes the total of several items and the price of one as the shop writes money, whatever the page's language", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2?locale=en");
    await page.getByLabel("Quantity").first().fill("2");
    await page.getByLabel("Quantity").first().blur();
    const more = page.locator("bdi").filter({ hasText: "(64,00 € × 2)", visible: true });
    expect((await more.innerText()).split("\n")).toEqual([
      "128,00 €",
      "once, that is 5,33 € a month (64,00 €\u00a0×\u00a02)",
    ]);
    await page.getByLabel("Quantity").first().fill("20");
    await page.getByLabel("Quantity").first().blur();
    await page.getByText("(64,00 € × 20)").filter({ visible: true }).waitFor();
    await page.getByText("1 280,00 €").filter({ visible: true }).waitFor();
    await close();
  });

  it("puts the plan into the cart after its product, nested and tied", async () => {
    const { page, requests, problems, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    const before = requests.length;
    const quantity = page.getByLabel("Quantité").first();
    await quantity.fill("2");
    await quantity.blur();
    await page.getByText("(64,00 € × 2)").filter({ visible: true }).waitFor();
    expect(await page.getByRole("radio", { name: "24 mois" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const [product, plan] = await cartBecomes(({ length }) => length === 2);
    const added = requests.slice(before).filter((request) => request.url().includes("/cart/add"));
    expect(added.map((request) => request.postData()?.includes("_parasol_reference"))).toEqual([false, true]);
    expect([product?.quantity, plan?.quantity]).toEqual([2, 2]);
    expect(plan?.parent_relationship?.parent_key).toBe(product?.key);
    expect(product?.properties).toEqual({ _parasol_pair: String(product?.variant_id) });
    expect(plan?.sku).toBe("SMA-400-24");
    expect(plan?.properties).toEqual({
      _parasol_pair: String(product?.variant_id),
      _parasol_variant: String(product?.variant_id),
      _parasol_reference: "SMA-400-24",
      _parasol_touchpoint: "product_page",
      _parasol_consent: expect.stringMatching(
        /^[\w-]{12} 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      ) as string,
    });
    // The theme shows its own drawer with both lines, as it does without insurance.
    await page.getByRole("dialog").getByText("Assurance Smartphone casse et vol").first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("puts the plan into the cart where the product's form has a field for a file, left empty", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.evaluate(() => {
      for (const form of document.querySelectorAll('main form[action*="/cart/add"]'))
        form.insertAdjacentHTML("beforeend", '<input type="file" name="properties[Photo]">');
    });
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const [product, plan] = await cartBecomes(({ length }) => length === 2);
    expect(product?.properties).toEqual({ _parasol_pair: String(product?.variant_id) });
    expect(plan?.sku).toBe("SMA-400-24");
    await close();
  });

  it("nests the plan under the line just added, though the variant is there already with other properties", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    const id = await page.locator('form [name="id"]').first().inputValue();
    const engraved = { items: [{ id, quantity: 1, properties: { Gravure: "Léa" } }] };
    await page.request.post(`${shop.origin}/cart/add.js`, { data: engraved });
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const items = await cartBecomes(({ length }) => length === 3);
    const plan = items.find(({ sku }) => sku === "SMA-400-24");
    const parent = items.find(({ key }) => key === plan?.parent_relationship?.parent_key);
    expect(parent?.properties).toEqual({ _parasol_pair: id });
    await close();
  });

  it("offers the chosen plan again in the cart where the theme adds with a synchronous request, and adds it when the shopper accepts", async () => {
    const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('main form[action*="/cart/add"]');
      if (!form) throw new Error("The page has no product form");
      const request = new XMLHttpRequest();
      request.open("POST", "/cart/add.js", false);
      request.send(new FormData(form));
      location.assign("/cart");
    });
    await page.waitForURL("**/cart");
    const block = page.getByRole("main").getByRole("region", { name: "Protégez vos achats" });
    await block.getByText("Vous avez choisi une assurance").waitFor();
    expect(plansIn(await cartBecomes(({ length }) => length === 1))).toEqual([]);
    const requested = new Date();
    await block
      .getByRole("button", { name: /^Assurer : 24 mois 64,00 € en une fois, soit 2,67 € par mois$/ })
      .click();
    const items = await cartBecomes(({ length }) => length === 2);
    expect(plansIn(items)).toEqual([["SMA-400-24", 1]]);
    const [, consentedAt = ""] = items[1]?.properties["_parasol_consent"]?.split(" ") ?? [];
    expect(new Date(consentedAt).getTime()).toBeGreaterThanOrEqual(requested.getTime());
    // After the shopper has removed it, it is not preselected again.
    await block.getByText("✓ Lumo X2").waitFor();
    await page.request.post(`${shop.origin}/cart/change.js`, { data: { id: items[1]?.key, quantity: 0 } });
    await page.reload();
    await block.getByText("Protégez votre smartphone").first().waitFor();
    expect(await block.getByRole("button", { name: /^Assurer :/ }).count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it("adds up when the same is added again: one product line, as many plans as products", async () => {
    const { page, cart, cartBecomes, close } = await visit(browser, shop, "/products/lumo-mini");
    for (const count of [1, 2]) {
      await page.goto(`${shop.origin}/products/lumo-mini`);
      await page.getByRole("radio", { name: "12 mois" }).check();
      await page.getByRole("button", { name: "Ajouter au panier" }).click();
      await cartBecomes((items) => items.reduce((sum, item) => sum + item.quantity, 0) === 2 * count);
    }
    const { items } = await cart();
    expect(items.filter(({ sku }) => sku === null).map(({ quantity }) => quantity)).toEqual([2]);
    expect(plansIn(items).reduce((sum, [, quantity]) => sum + quantity, 0)).toBe(2);
    await close();
  });

  it("adds the product alone when nothing or no insurance is chosen, with no property, so that it merges with its like", async () => {
    const { page, cart, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByLabel("Non merci").check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const items = await cartBecomes(({ length }) => length > 0);
    expect(items.map(({ properties }) => properties)).toEqual([{}]);
    const attributes = { _parasol_offered: `${items[0]?.variant_id}=product_page` };
    await eventually(async () => expect((await cart()).attributes).toEqual(attributes));
    await close();
  });

  it("follows the variant from the page's own catalogue, drops a choice at another price and says so", async () => {
    const { page, requests, problems, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await pick(page, "512 Go");
    await page.getByText("128,00 €").filter({ visible: true }).waitFor();
    expect(await page.getByRole("radio", { name: "24 mois" }).isChecked()).toBe(false);
    expect(await page.getByRole("status").first().innerText()).toContain("différente");
    expect(requests.filter((request) => request.url().includes("/apps/"))).toEqual([]);
    // The former variant was added without insurance, so nothing is chosen with it.
    await pick(page, "128 Go");
    await page.getByText("64,00 €").filter({ visible: true }).waitFor();
    await page.evaluate(() =>
      document.querySelector<HTMLFormElement>('main form[action*="/cart/add"]')?.submit(),
    );
    await page.waitForURL("**/cart");
    const block = page.getByRole("main").getByRole("region", { name: "Protégez vos achats" });
    await block.getByText("Protégez votre smartphone").first().waitFor();
    expect(await block.getByText("Vous avez choisi").count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it("follows a theme that turns the page into another product's in place, and drops the choice for the former one", async () => {
    const { page, problems, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    // Horizon's morph after an option that leads to another product: it keeps the elements.
    await page.evaluate(async () => {
      const html = await (await fetch("/products/lumo-mini")).text();
      const fresh = new DOMParser().parseFromString(html, "text/html");
      for (const part of ["parasol-offer > script", "parasol-offer [data-terms]"])
        document.querySelector(part)?.replaceChildren(...(fresh.querySelector(part)?.childNodes ?? []));
      const id = 'form[action*="/cart/add"] [name="id"]';
      const variant = fresh.querySelector<HTMLInputElement>(id)?.value ?? "";
      for (const input of document.querySelectorAll<HTMLInputElement>(id)) input.value = variant;
    });
    await page.getByText("16,00 €").first().waitFor();
    expect(await page.locator("parasol-offer :checked").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Acheter maintenant" }).isVisible()).toBe(true);
    expect(problems).toEqual([]);
    await page.getByRole("radio", { name: "12 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const items = await cartBecomes(({ length }) => length === 2);
    expect(items[0]?.product_title).toBe("Lumo Mini");
    expect(plansIn(items)).toEqual([["SMA-200-12", 1]]);
    await close();
  });

  it("follows the product's form from a section of its own, and insures the variant that is picked there", async () => {
    const before = shop.state.theme.blocks;
    shop.state.theme.blocks = { "product:below": before["product"] ?? [] };
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    shop.state.theme.blocks = before;
    await insureAnother(page, cartBecomes);
    await close();
  });

  it("follows its own product's form where the section around it sells another product", async () => {
    const before = shop.state.theme.blocks;
    const other = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-mini");
    const form = `<form action="/cart/add"><input name="id" value="${other?.variants[0]?.id}"></form>`;
    const { page, cartBecomes, close } = await visit(browser, shop, "/collections/all");
    await page.route("**/products/lumo-x2", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace("<parasol-offer", `${form}<parasol-offer`);
      await route.fulfill({ response, body });
    });
    shop.state.theme.blocks = { "product:below": before["product"] ?? [] };
    await page.goto(`${shop.origin}/products/lumo-x2`);
    shop.state.theme.blocks = before;
    await insureAnother(page, cartBecomes);
    await close();
  });

  it("follows its own form in a theme's quick-add window, not that of the page below", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-mini");
    const quickAdd = await openQuickAdd(page);
    await quickAdd.getByRole("radio", { name: "12 mois" }).check();
    await quickAdd.getByRole("button", { name: "Ajouter au panier" }).click();
    const items = await cartBecomes(({ length }) => length === 2);
    expect(items.map(({ product_title }) => product_title)).toContain("Lumo X2");
    expect(plansIn(items)).toEqual([["SMA-400-12", 1]]);
    await close();
  });

  it("shows the page's choice while another one is made in a quick-add window of another product", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-mini");
    const main = page.getByRole("main");
    await main.getByRole("radio", { name: "24 mois" }).check();
    await (await openQuickAdd(page)).getByRole("radio", { name: "12 mois" }).check();
    expect(await main.getByRole("radio", { name: "24 mois" }).isChecked()).toBe(true);
    await main.getByRole("button", { name: "Ajouter au panier" }).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-200-24", 1]]);
    await close();
  });

  it("leaves the plan in the cart where the shopper chooses again while it is being added", async () => {
    const { page, cart, close } = await visit(browser, shop, "/products/lumo-x2");
    const released = Promise.withResolvers<null>();
    await page.route("**/cart/add.js", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.getByRole("radio", { name: "24 mois" }).check();
    const sent = page.waitForRequest("**/cart/add.js");
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await sent;
    await page.getByRole("radio", { name: "36 mois" }).check();
    released.resolve(null);
    // The theme shows its cart once all requests are answered.
    await page.getByRole("dialog").getByText("Lumo X2").first().waitFor();
    expect(plansIn((await cart()).items)).toEqual([["SMA-400-24", 1]]);
    await close();
  });

  it("hides the way past the cart only while a plan is chosen", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    const buyNow = page.getByRole("button", { name: "Acheter maintenant" });
    expect(await buyNow.isVisible()).toBe(true);
    await page.getByRole("radio", { name: "36 mois" }).check();
    expect(await buyNow.isVisible()).toBe(false);
    await page.getByLabel("Non merci").check();
    expect(await buyNow.isVisible()).toBe(true);
    await close();
  });

  it("sells the product when the shop refuses the plan, and notifies the shopper", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    const plans = [...shop.state.products.values()].filter(({ status }) => status === "UNLISTED");
    const published = plans.map(({ publishedOn }) => publishedOn);
    await page.getByRole("radio", { name: "24 mois" }).check();
    for (const plan of plans) plan.publishedOn = new Set();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const items = await cartBecomes(({ length }) => length > 0);
    await page.getByText("L’assurance n’a pas pu être ajoutée").waitFor({ state: "attached" });
    for (const [index, plan] of plans.entries()) plan.publishedOn = published[index] ?? new Set();
    expect(items.map(({ sku, quantity }) => [sku, quantity])).toEqual([[null, 1]]);
    // The theme's drawer shows it: the theme received its requested sections.
    await page.getByRole("dialog").getByText("Lumo X2").first().waitFor();
    await close();
  });

  it("speaks the shopper's language and falls back to the default one", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2?locale=en");
    await page.getByRole("radio", { name: "24 months" }).waitFor();
    expect(
      await page
        .getByText(/^once, that is 2,67 € a month$/)
        .filter({ visible: true })
        .count(),
    ).toBe(3);
    await page.goto(`${shop.origin}/products/lumo-x2?locale=ar`);
    await page.getByRole("radio", { name: "24 months" }).waitFor();
    await close();
  });

  it("offers nothing for a sold-out variant, and offers again for the next one", async () => {
    const phone = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-x2");
    const soldOut = phone?.variants[1];
    if (!soldOut) throw new Error("The shop has no second variant");
    Object.assign(soldOut, { tracked: true, inventoryQuantity: 0, inventoryPolicy: "DENY" });
    // Also without any script.
    const html = await (await fetch(`${shop.origin}/products/lumo-x2?variant=${soldOut.id}`)).text();
    expect(html).toMatch(/<parasol-offer [^>]*hidden/);
    const { page, problems, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).waitFor();
    await page
      .locator(`main form:has([type=submit]) [name="id"]`)
      .first()
      .evaluate((input, id) => {
        Object.assign(input, { value: id });
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }, soldOut.id);
    await page.locator("parasol-offer").waitFor({ state: "hidden" });
    await pick(page, "512 Go");
    await page.getByText("128,00 €").filter({ visible: true }).waitFor();
    expect(problems).toEqual([]);
    Object.assign(soldOut, { tracked: false });
    await close();
  });

  it("offers nothing in another currency, for a gift card, for a product without insurance, above the highest price band or where all is sold out", async () => {
    for (const path of [
      "/products/lumo-x2?currency=GBP",
      "/products/carte-cadeau",
      "/products/coque-lumo",
      "/products/lumo-ultra",
      "/products/lumo-zero",
    ]) {
      const { page, close } = await visit(browser, shop, path);
      expect(await page.locator("parasol-offer").count()).toBe(0);
      await close();
    }
  });
});

describe("offering in a window when the product is added", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop();
    shop.state.theme.blocks["product"] = [
      { id: "offer", handle: "product-offer", settings: { format: "modal" } },
    ];
  });
  afterAll(() => shop.close());
  const add = { name: "Ajouter au panier" };

  it("stays open where a double click has opened it, and closes at a click beside it", async () => {
    const { page, cart, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", add).dblclick();
    const dialog = page.getByRole("dialog", { name: "Votre smartphone couvert, partout" });
    await dialog.getByLabel("36 mois").check();
    expect((await cart()).items).toEqual([]);
    await page.mouse.click(5, 5);
    expect(plansIn(await cartBecomes(({ length }) => length === 1))).toEqual([]);
    await close();
  });

  it("opens once per product and visit; a refusal adds the product at once", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", add).click();
    await page.keyboard.press("Escape");
    await cartBecomes((items) => items[0]?.quantity === 1);
    await page.goto(`${shop.origin}/products/lumo-x2`);
    await page.getByRole("button", add).click();
    expect(plansIn(await cartBecomes((items) => items[0]?.quantity === 2))).toEqual([]);
    await close();
  });

  it("gives up after two refusals, also in later visits", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    const window = page.getByRole("dialog", { name: "Votre smartphone couvert" });
    for (const quantity of [1, 2, 3]) {
      await page.getByRole("button", add).click();
      if (quantity < 3) await page.keyboard.press("Escape");
      await cartBecomes((items) => items[0]?.quantity === quantity);
      expect(await window.count()).toBe(0);
      // Another visit.
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(`${shop.origin}/products/lumo-x2`);
    }
    await close();
  });

  it("opens beside another format where the merchant wants it, once in a visit", async () => {
    const asking = await openTestShop();
    const app = gid("AppInstallation", asking.state.installation?.id ?? "");
    const touchpoints = { product_page: { on: true, format: "radio", asks: true } };
    putMetafield(asking.state, app, "settings", "storefront", "json", JSON.stringify({ touchpoints }));
    const { page, cart, cartBecomes, problems, close } = await visit(browser, asking, "/products/lumo-x2");
    const window = page.getByRole("dialog", { name: "Votre smartphone couvert, partout" });
    await page.getByRole("button", add).press("Enter");
    await window.waitFor();
    expect((await cart()).items).toEqual([]);
    await window.getByLabel("24 mois").check();
    await window.getByRole("button", { name: "Assurer mon smartphone" }).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24", 1]]);
    // Another product in the same visit.
    await page.goto(`${asking.origin}/products/lumo-mini`);
    await page.getByRole("button", add).click();
    await cartBecomes(({ length }) => length === 3);
    expect(await window.count()).toBe(0);
    // Another visit, in which the shopper says no in the list of terms.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${asking.origin}/products/lumo-x2`);
    await page.getByRole("radio", { name: "Non merci" }).check();
    await page.getByRole("button", add).click();
    await cartBecomes(({ length }) => length === 4);
    expect(await window.count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
    await asking.close();
  });
});

describe("a no", () => {
  it("is remembered for the visit: it stays chosen, and the cart states it without a price", async () => {
    const shop = await openTestShop();
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    const no = page.getByRole("radio", { name: "Non merci" });
    await no.check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await cartBecomes(({ length }) => length === 1);
    await page.goto(`${shop.origin}/products/lumo-x2`);
    await page.locator("parasol-offer fieldset:enabled").first().waitFor();
    expect(await no.isChecked()).toBe(true);
    await page.goto(`${shop.origin}/cart`);
    const row = page.getByRole("main").locator("[data-lines] li");
    await row.getByText("Sans assurance").first().waitFor();
    expect(await row.locator("summary").innerText()).not.toContain("€");
    // A change of mind: the offer is behind the same row.
    await row.locator("summary").click();
    await row.getByLabel("24 mois").check();
    await row.getByRole("button", { name: "Ajouter l'assurance" }).click();
    await cartBecomes(({ length }) => length === 2);
    await close();
    await shop.close();
  });

  it("in the cart folds the offer and states the no", async () => {
    const shop = await openTestShop();
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await cartBecomes(({ length }) => length === 1);
    await page.goto(`${shop.origin}/cart`);
    const row = page.getByRole("main").locator("[data-lines] li");
    await row.getByText("Protégez votre smartphone").click();
    await row.getByRole("button", { name: "Sans assurance" }).click();
    await row.locator("summary", { hasText: "Sans assurance" }).waitFor();
    expect(await row.locator("details[open]").count()).toBe(0);
    await close();
    await shop.close();
  });

  it("in the window of a button over the page puts the button away for the visit", async () => {
    const shop = await openTestShop();
    shop.state.theme.blocks["product"] = [
      { id: "offer", handle: "product-offer", settings: { format: "floating" } },
    ];
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.locator("[value=open]").click();
    await page.getByRole("dialog").getByRole("button", { name: "Non merci" }).click();
    await page.locator("parasol-offer[hidden]").waitFor({ state: "attached" });
    await page.goto(`${shop.origin}/products/lumo-mini`);
    await page.locator("parasol-offer[hidden]").waitFor({ state: "attached" });
    await close();
    await shop.close();
  });
});

describe("the box", () => {
  it.each(["dawn-like", "horizon-like"])(
    "is at most 340 px high on a phone with three terms and the insurer's name, in the %s theme",
    async (theme) => {
      const shop = await openTestShop({ theme });
      const app = gid("AppInstallation", shop.state.installation?.id ?? "");
      const settings = { insurer: "Assurance Exemple SA", withdrawal_days: 30 };
      putMetafield(shop.state, app, "settings", "storefront", "json", JSON.stringify(settings));
      const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
        viewport: { width: 375, height: 812 },
      });
      const box = page.locator("parasol-offer > section");
      expect((await box.boundingBox())?.height).toBeLessThanOrEqual(340);
      expect(await box.locator("li").allInnerTexts()).toHaveLength(3);
      await close();
      await shop.close();
    },
  );

  it("has nothing left of a picture that does not load", async () => {
    const shop = await openTestShop({
      catalogue: (made) => {
        const [image, logo] = ["https://assurance.example/image.svg", "https://assurance.example/logo.svg"];
        return { ...made, texts: { ...made.texts, image, logo } };
      },
    });
    const { page, close } = await visit(browser, shop, "/");
    await page.context().route(/assurance\.example/, (route) => route.abort());
    await page.goto(`${shop.origin}/products/lumo-x2`);
    await page.getByRole("button", { name: "En savoir plus" }).click();
    await page.locator("dialog[open] img").first().waitFor({ state: "detached" });
    await page.waitForFunction(() => !document.querySelector("dialog[open] img"));
    await close();
    await shop.close();
  });
});

describe("a theme without Ajax", () => {
  it("goes to the cart with product and plan, once where the shopper clicks twice", async () => {
    const shop = await openTestShop();
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    const clicked = Promise.withResolvers<null>();
    await page.route("**/cart/add.js*", async (route) => {
      await clicked.promise;
      await route.continue();
    });
    await page.evaluate(() => {
      // The theme's form, without the theme's script.
      const form = document.querySelector("product-form form");
      form?.replaceWith(form.cloneNode(true));
    });
    await page.getByRole("radio", { name: "12 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).dblclick();
    clicked.resolve(null);
    await page.waitForURL("**/cart");
    const items = await cartBecomes(({ length }) => length === 2);
    expect(items.map(({ quantity }) => quantity)).toEqual([1, 1]);
    expect(plansIn(items)).toEqual([["SMA-400-12", 1]]);
    await close();
    await shop.close();
  });
});

describe("under the address of a market", () => {
  it("keeps to it with every request: adding, the drawer, the cart page and the app proxy", async () => {
    const shop = await openTestShop();
    const { page, requests, problems, cartBecomes, close } = await visit(
      browser,
      shop,
      "/fr-be/products/lumo-x2",
    );
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await cartBecomes(({ length }) => length === 2);
    await page
      .getByRole("dialog")
      .getByText(/✓ Lumo X2/)
      .waitFor();
    await page.goto(`${shop.origin}/fr-be/cart`);
    const main = page.getByRole("main");
    const quantity = main.getByLabel("Quantité: Lumo X2").first();
    await quantity.fill("2");
    await quantity.blur();
    await main.getByRole("button", { name: /^Assurer 1 de plus/ }).click();
    const items = await cartBecomes((lines) => lines.reduce((sum, line) => sum + line.quantity, 0) === 4);
    expect(plansIn(items).map(([, count]) => count)).toEqual([1, 1]);
    // The app answers for products that Liquid does not know.
    await page.goto(`${shop.origin}/fr-be/products/lumo-x2`);
    const toTheApp = page.waitForRequest(/\/apps\/parasol\//);
    await page.evaluate(() => {
      const script = document.querySelector<HTMLScriptElement>("parasol-offer script");
      if (script) script.text = script.text.replace('"hasMore":false', '"hasMore":true');
      const input = document.querySelector<HTMLInputElement>('main form:has([type=submit]) [name="id"]');
      Object.assign(input ?? {}, { value: "404" });
      input?.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await toTheApp;
    // Without an answer there is no offer.
    await page.locator("parasol-offer[hidden]").waitFor({ state: "attached" });
    const paths = requests.map((request) => new URL(request.url()).pathname);
    const requested = paths.filter(
      (path) => /\/(cart|apps|products)\b/.test(path) && !path.startsWith("/cdn/"),
    );
    expect(requested).toContain("/fr-be/cart/add.js");
    expect(requested).toContain("/fr-be/apps/parasol/offers");
    expect(requested.filter((path) => !path.startsWith("/fr-be/"))).toEqual([]);
    // The stand-in's proxy has no app here.
    expect(problems.filter((problem) => !problem.includes("/apps/parasol/"))).toEqual([]);
    await close();
    await shop.close();
  });
});

it("finds the price band of a product among 60, with and without scripts, on its page and in the cart", async () => {
  const shop = await openTestShop({
    catalogue: (made) => ({
      ...made,
      bands: Array.from({ length: 60 }, (_, band) => ({
        min: band * 1_100,
        max: band * 1_100 + 1_099,
        offers: [
          { term: 12, price: 10_000 + band, billing: "annually", variant: "1", reference: `B-${band}` },
        ],
      })),
    }),
  });
  for (const javaScriptEnabled of [false, true]) {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2", { javaScriptEnabled });
    const variant = shop.state.products.values().find(({ title }) => title === "Lumo X2")?.variants[0]?.id;
    await page.getByText("100,54 €").filter({ visible: true }).waitFor();
    await page.request.post(`${shop.origin}/cart/add.js`, { data: { id: variant, quantity: 1 } });
    await page.goto(`${shop.origin}/cart`);
    await page.getByRole("main").getByText("dès 100,54 €").waitFor();
    await close();
  }
  await shop.close();
});
