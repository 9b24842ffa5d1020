/** Insurance on the cart page and in the theme's drawer, in both themes, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { violations } from "./axe.ts";
import { handleOf } from "#app/catalogue/sync/plan-products.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield, removeMetafield } from "#test/sandbox/shop/metafields.ts";
import { openTestShop, PHONES, type TestShop } from "./shop.ts";
import { plansIn, type Visit, visit } from "./visit.ts";

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

  const variant = (handle: string, index = 0) =>
    [...shop.state.products.values()].find((product) => product.handle === handle)?.variants[index]?.id ?? "";

  /** A visit with a cart: lines as `[handle, variant index, quantity, plan or null]`. */
  const withCart = async (
    lines: [string, number, number, string | null][],
    path = "/cart",
  ): Promise<Visit> => {
    const made = await visit(browser, shop, "/collections/all");
    for (const [handle, index, quantity, reference] of lines) {
      const id = variant(handle, index);
      const pair = { _parasol_pair: id };
      const plan = {
        id: shop.planVariant(reference ?? ""),
        quantity,
        parent_id: id,
        properties: {
          ...pair,
          _parasol_variant: id,
          _parasol_reference: reference,
          _parasol_touchpoint: "product_page",
          _parasol_consent: "1 2026-11-21T10:00:00.000Z",
        },
      };
      const items = [
        { id, quantity, ...(reference === null ? {} : { properties: pair }) },
        ...(reference === null ? [] : [plan]),
      ];
      const response = await made.page.request.post(`${shop.origin}/cart/add.js`, { data: { items } });
      expect(response.status()).toBe(200);
    }
    await made.page.goto(shop.origin + path);
    return made;
  };
  const block = (page: Page) => page.getByRole("main").getByRole("region", { name: "Protégez vos achats" });
  /** The text that a screen reader announces. */
  const said = (page: Page, text: string) =>
    page.locator(".parasol__live", { hasText: text }).waitFor({ state: "attached" });
  const quantityOf = (page: Page, title: string) =>
    page.getByRole("main").getByLabel(`Quantité: ${title}`).first();

  it("offers on the cart page what is missing and shows what is insured, before any script", async () => {
    const made = await withCart([
      ["lumo-x2", 0, 1, "SMA-400-24"],
      ["lumo-mini", 0, 1, null],
      ["coque-lumo", 0, 1, null],
    ]);
    const { page } = await visit(browser, shop, "/cart", {
      javaScriptEnabled: false,
      storageState: await made.page.context().storageState(),
    });
    const text = (await block(page).innerText()).replaceAll(/\s+/g, " ");
    // Without the price band, which is the plan's other option.
    expect(text).toMatch(/Lumo X2 - 128 Go · Assurance Smartphone casse et vol, 24 mois(?! \/)/);
    expect(text).toContain("Lumo Mini Protégez votre smartphone · dès 16,00 €");
    expect(text).not.toContain("Coque");
    await page.context().close();
    await made.close();
  });

  it("adds the chosen plan under its line, notifies the theme, and moves the focus to the insured line", async () => {
    const { page, cartBecomes, problems, close } = await withCart([["lumo-mini", 0, 2, null]]);
    await block(page).getByText("Protégez votre smartphone").first().click();
    const add = block(page).getByRole("button", { name: "Ajouter l'assurance" });
    // Screen readers announce no region that is filled while it appears, nor a hidden one. Dawn and Horizon hide empty
    // paragraphs.
    await page.addStyleTag({ content: "p:empty { display: none }" });
    expect(await page.getByRole("status").allInnerTexts()).toEqual([""]);
    expect(await add.isDisabled()).toBe(true);
    await block(page).getByLabel("24 mois").check();
    await add.click();
    const items = await cartBecomes((lines) => plansIn(lines).length === 1);
    expect(plansIn(items)).toEqual([["SMA-200-24", 2]]);
    expect(items[1]?.parent_relationship?.parent_key).toBe(items[0]?.key);
    expect(items[0]?.properties["_parasol_pair"]).toBe(items[1]?.properties["_parasol_pair"]);
    expect(items[1]?.properties["_parasol_touchpoint"]).toBe("cart");
    await quantityOf(page, "Assurance Smartphone casse et vol").waitFor();
    await page
      .getByRole("main")
      .getByText(/562,00/)
      .waitFor();
    const insured = page.locator("[data-insured]:focus");
    expect(await insured.innerText()).toBe("Assurance Smartphone casse et vol, 24 mois");
    await said(page, "Assurance ajoutée.");
    expect(problems).toEqual([]);
    await close();
  });

  it("raises no plan when the product's quantity grows: it offers the missing cover with its price, for one click", async () => {
    const { page, cart, cartBecomes, problems, close } = await withCart([["lumo-x2", 0, 1, "SMA-400-24"]]);
    await quantityOf(page, "Lumo X2").fill("3");
    await quantityOf(page, "Lumo X2").blur();
    const more = block(page).getByRole("button", {
      name: /^Assurer 2 de plus : 24 mois 128,00 € en une fois, soit 5,33 € par mois \(64,00 € × 2\)$/,
    });
    await more.waitFor();
    await block(page)
      .getByText(/✓ Lumo X2.*\(1\/3\)/)
      .waitFor();
    await said(page, "ne sont pas encore assurés");
    expect(plansIn((await cart()).items)).toEqual([["SMA-400-24", 1]]);
    expect(await violations(page)).toEqual([]);
    // One button, whose label names the added plan, also after a change of term.
    await block(page).getByLabel("36 mois").check();
    expect(await block(page).getByRole("button").allInnerTexts()).toEqual([
      "Ajouter l'assurance",
      "Sans assurance",
    ]);
    // Liquid renders it, too: it shows on the next page.
    await page.reload();
    const requested = new Date();
    await more.click();
    const items = await cartBecomes((lines) => plansIn(lines).length === 2);
    expect(plansIn(items).sort(([, a], [, b]) => a - b)).toEqual([
      ["SMA-400-24", 1],
      ["SMA-400-24", 2],
    ]);
    const added = items.find(({ sku, quantity }) => sku === "SMA-400-24" && quantity === 2);
    expect(added?.parent_relationship?.parent_key).toBe(items[0]?.key);
    const [, consentedAt = ""] = added?.properties["_parasol_consent"]?.split(" ") ?? [];
    expect(new Date(consentedAt).getTime()).toBeGreaterThanOrEqual(requested.getTime());
    await more.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await close();
  });

  it("says once, below all products, what the law and the insurer want said, as soon as an offer is open", async () => {
    const { page, close } = await withCart([
      ["lumo-x2", 0, 1, null],
      ["lumo-mini", 0, 1, null],
    ]);
    const texts = ["Vérifiez d’abord", "Contrat souscrit auprès de l'assureur"];
    for (const text of texts) expect(await block(page).getByText(text).isVisible()).toBe(false);
    for (const summary of await block(page).locator("summary").all()) await summary.click();
    for (const text of texts) expect(await block(page).getByText(text).count()).toBe(1);
    expect(
      await block(page)
        .getByText(texts[0] ?? "")
        .isVisible(),
    ).toBe(true);
    // The documents are beside the choice because they belong to the category.
    expect(await block(page).getByRole("link", { name: "Conditions" }).count()).toBe(2);
    await close();
  });

  it("cuts the plan when the product's quantity shrinks, and says so", async () => {
    const { page, cartBecomes, problems, close } = await withCart([["lumo-x2", 0, 3, "SMA-400-24"]]);
    await quantityOf(page, "Lumo X2").fill("2");
    await quantityOf(page, "Lumo X2").blur();
    const items = await cartBecomes((lines) => plansIn(lines)[0]?.[1] === 2);
    expect(items[0]?.quantity).toBe(2);
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll<HTMLInputElement>('main input[name="updates[]"]')]
          .map(({ value }) => value)
          .join() === "2,2",
    );
    await said(page, "ajustée");
    // Visible, too, and after the theme has redrawn its cart.
    await block(page).getByText("L’assurance du panier a été ajustée").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("does not say that insurance was chosen once the shopper has taken out the plan that came with its product", async () => {
    // Without the drawer's panel the cart page shows the plan first.
    shop.state.theme.embeds = {};
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-mini");
    await page.getByRole("radio", { name: "12 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const [, plan] = await cartBecomes(({ length }) => length === 2);
    await page.goto(`${shop.origin}/cart`);
    await block(page)
      .getByText(/✓ Lumo Mini/)
      .waitFor();
    await page.request.post(`${shop.origin}/cart/change.js`, { data: { id: plan?.key, quantity: 0 } });
    await page.reload();
    await block(page).getByText("Protégez votre smartphone").first().waitFor();
    expect(await block(page).getByText("Vous avez choisi").count()).toBe(0);
    shop.state.theme.embeds = { "cart-drawer": { on: true, settings: {} } };
    await close();
  });

  it("is of a plan that is nested under its product, and goes with it", async () => {
    const { page, cartBecomes, problems, close } = await withCart([
      ["lumo-x2", 0, 1, "SMA-400-24"],
      ["lumo-mini", 0, 1, "SMA-200-24"],
    ]);
    const main = page.getByRole("main");
    // Horizon's rows name the row of their product; Dawn's only look nested.
    if (theme === "horizon-like") {
      const [product, plan] = await main.locator("tr[data-key]").all();
      expect(await plan?.getAttribute("data-parent-key")).toBe(await product?.getAttribute("data-key"));
      expect(await product?.getAttribute("data-parent-key")).toBe("");
    }
    await quantityOf(page, "Lumo X2").fill("0");
    await quantityOf(page, "Lumo X2").blur();
    const items = await cartBecomes((lines) => lines.length === 2);
    expect(plansIn(items)).toEqual([["SMA-200-24", 1]]);
    await block(page)
      .getByText(/✓ Lumo Mini/)
      .waitFor();
    await quantityOf(page, "Lumo X2").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await close();
  });

  it("says no longer that insurance was added once the shopper has taken it out", async () => {
    const { page, cartBecomes, problems, close } = await withCart([["lumo-mini", 0, 1, null]]);
    await block(page).getByText("Protégez votre smartphone").first().click();
    await block(page).getByLabel("12 mois").check();
    await block(page).getByRole("button", { name: "Ajouter l'assurance" }).click();
    const shown = block(page).getByText("Assurance ajoutée.");
    await shown.waitFor();
    // In one step: the row disappears as soon as its field loses the focus, and the panel may take the focus before.
    await quantityOf(page, "Assurance Smartphone casse et vol").evaluate((input) => {
      Object.assign(input, { value: "0" });
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await cartBecomes(({ length }) => length === 1);
    await shown.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await close();
  });

  it("offers nothing for a product that is nested under another: a plan could not be nested under it", async () => {
    const { page, close } = await withCart([["lumo-mini", 0, 1, null]], "/collections/all");
    const nested = [
      { id: variant("coque-lumo") },
      { id: variant("lumo-x2"), parent_id: variant("coque-lumo") },
    ];
    await page.request.post(`${shop.origin}/cart/add.js`, { data: { items: nested } });
    for (const javaScriptEnabled of [false, true]) {
      const storageState = await page.context().storageState();
      const cart = await visit(browser, shop, "/cart", { javaScriptEnabled, storageState });
      // The script enables the choice.
      if (javaScriptEnabled)
        await block(cart.page).locator("fieldset:enabled").first().waitFor({ state: "attached" });
      expect(await block(cart.page).locator("li").count()).toBe(1);
      expect(await block(cart.page).locator("li").innerText()).toContain("Lumo Mini");
      await cart.close();
    }
    await close();
  });

  it("ends in one state after rapid clicking", async () => {
    const { page, cartBecomes, close } = await withCart([
      ["lumo-x2", 0, 9, "SMA-400-24"],
      ["lumo-mini", 0, 1, "SMA-200-12"],
    ]);
    await quantityOf(page, "Lumo X2").evaluate((input) => {
      for (const quantity of ["7", "5", "4"]) {
        Object.assign(input, { value: quantity });
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    const items = await cartBecomes(
      (lines) =>
        lines.find((line) => line.product_title === "Lumo X2")?.quantity === 4 &&
        plansIn(lines).some(([reference, count]) => reference === "SMA-400-24" && count === 4),
    );
    expect(plansIn(items)).toContainEqual(["SMA-200-12", 1]);
    await close();
  });

  it("quotes from a plan's title in the cart back to what it insures, and takes out a plan that was added alone", async () => {
    const { page, cartBecomes, problems, close } = await withCart([["lumo-x2", 0, 1, "SMA-400-24"]]);
    await page.getByRole("main").getByRole("link", { name: "Assurance Smartphone" }).click();
    const main = page.getByRole("main");
    await main.getByText("Cette assurance s’achète avec le produit").waitFor();
    // No choice and no button here.
    expect(await main.getByRole("button").filter({ visible: true }).count()).toBe(0);
    expect(await main.locator("input, select").filter({ visible: true }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await main.getByRole("link", { name: /^Lumo X2/ }).click();
    await page.waitForURL("**/products/lumo-x2*");
    // Outside of a page: by URL, or another app. No page is open whose scripts would see the change and request offers.
    await page.goto("about:blank");
    const alone = { id: shop.planVariant("SMA-200-12"), quantity: 1 };
    // A merchant's own service for sunshades, "parasols" in French.
    const own = [...shop.state.products.values()].find(({ handle }) => handle === "coque-lumo");
    const service = own?.variants[0];
    if (!service) throw new Error("The shop has no accessory");
    Object.assign(own, { handle: "parasol-montage-20250115", productType: "Assurance" });
    service.requiresShipping = false;
    const added = [alone, { id: service.id, quantity: 1 }];
    await page.request.post(`${shop.origin}/cart/add.js`, { data: { items: added } });
    await page.goto(`${shop.origin}/cart`);
    const items = await cartBecomes((lines) => lines.every(({ sku }) => sku !== "SMA-200-12"));
    Object.assign(own, { handle: "coque-lumo", productType: "Accessoire" });
    service.requiresShipping = true;
    expect(plansIn(items)).toEqual([["SMA-400-24", 1]]);
    expect(items.map(({ product_title }) => product_title)).toContain("Coque Lumo");
    await page.request.post(`${shop.origin}/cart/clear.js`, { data: {} });
    await page.goto(page.url().replace("/cart", `/products/${handleOf(PHONES, "production", 1)}`));
    await main.getByText("L’assurance ne se vend pas seule").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("keeps a plan that an agent has nested under its product without properties, and takes out one for another price", async () => {
    const { page, cartBecomes, close } = await withCart(
      [
        ["lumo-x2", 0, 1, null],
        ["lumo-mini", 0, 1, null],
      ],
      "/collections/all",
    );
    const nested = [
      ["lumo-x2", "SMA-400-24"],
      ["lumo-mini", "SMA-400-12"],
    ].map(([handle = "", reference = ""]) => ({
      id: shop.planVariant(reference),
      quantity: 1,
      parent_id: variant(handle),
    }));
    await page.request.post(`${shop.origin}/cart/add.js`, { data: { items: nested } });
    await page.goto(`${shop.origin}/cart`);
    const items = await cartBecomes(({ length }) => length < 4);
    expect(items.flatMap(({ sku }) => sku ?? [])).toEqual(["SMA-400-24"]);
    await block(page)
      .getByText(/✓ Lumo X2/)
      .waitFor();
    await close();
  });

  it("repairs at once a cart that another tab or another app left out of step", async () => {
    const { page, cart, cartBecomes, close } = await withCart(
      [["lumo-x2", 0, 2, "SMA-400-24"]],
      "/collections/all",
    );
    const [product] = (await cart()).items;
    await page.request.post(`${shop.origin}/cart/change.js`, { data: { id: product?.key, quantity: 1 } });
    await page.goto(`${shop.origin}/cart`);
    expect(plansIn(await cartBecomes((lines) => plansIn(lines)[0]?.[1] === 1))).toEqual([["SMA-400-24", 1]]);
    await close();
  });

  it("takes the plan out when the product's price has changed, and puts the right one in when the shopper agrees to its price", async () => {
    const { page, cartBecomes, problems, close } = await withCart(
      [["lumo-x2", 1, 1, "SMA-600-12"]],
      "/collections/all",
    );
    const phone = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-x2")?.variants[1];
    if (phone) phone.price = 85_000;
    await page.goto(`${shop.origin}/cart`);
    await cartBecomes((lines) => lines.length === 1);
    await block(page).getByText("Le prix a changé").waitFor();
    await said(page, "a été retirée");
    // It shows on the next page, too, and nothing is added to the cart without a click.
    await page.reload();
    const again = block(page).getByRole("button", {
      name: /Assurer à nouveau : 12 mois 64,00 € en une fois, soit 5,33 € par mois$/,
    });
    await again.waitFor();
    expect(await block(page).locator("input:checked").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    const requested = new Date();
    await again.click();
    const items = await cartBecomes((lines) => plansIn(lines)[0]?.[0] === "SMA-800-12");
    expect(items).toHaveLength(2);
    expect(items[1]?.parent_relationship?.parent_key).toBe(items[0]?.key);
    const [, consentedAt = ""] = items[1]?.properties["_parasol_consent"]?.split(" ") ?? [];
    expect(new Date(consentedAt).getTime()).toBeGreaterThanOrEqual(requested.getTime());
    await block(page)
      .getByText(/✓ Lumo X2/)
      .waitFor();
    expect(await block(page).getByText("Le prix a changé").count()).toBe(0);
    expect(problems).toEqual([]);
    if (phone) phone.price = 69_900;
    await close();
  });

  it("says no longer that the price has changed once the product was insured again", async () => {
    const { page, cart, cartBecomes, close } = await withCart(
      [["lumo-x2", 1, 1, "SMA-600-12"]],
      "/collections/all",
    );
    const phone = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-x2")?.variants[1];
    if (phone) phone.price = 85_000;
    await page.goto(`${shop.origin}/cart`);
    await block(page).getByText("Le prix a changé").waitFor();
    const [product] = (await cart()).items;
    const id = variant("lumo-x2", 1);
    const properties = { _parasol_pair: id, _parasol_variant: id, _parasol_reference: "SMA-800-24" };
    const plan = {
      id: shop.planVariant("SMA-800-24"),
      quantity: 1,
      properties,
      parent_line_key: product?.key,
    };
    await page.request.post(`${shop.origin}/cart/add.js`, { data: { items: [plan] } });
    await page.reload();
    await block(page)
      .getByText(/✓ Lumo X2/)
      .waitFor();
    const [, added] = await cartBecomes(({ length }) => length === 2);
    await page.request.post(`${shop.origin}/cart/change.js`, { data: { id: added?.key, quantity: 0 } });
    await page.reload();
    // The script enables the choice.
    await block(page).locator("fieldset:enabled").first().waitFor({ state: "attached" });
    expect(await block(page).getByText("Le prix a changé").count()).toBe(0);
    if (phone) phone.price = 69_900;
    await close();
  });

  it("says where a plan was removed and none fits the new price", async () => {
    const { page, cartBecomes, close } = await withCart(
      [["lumo-x2", 1, 1, "SMA-600-12"]],
      "/collections/all",
    );
    const phone = [...shop.state.products.values()].find(({ handle }) => handle === "lumo-x2")?.variants[1];
    if (phone) phone.price = 150_000;
    await page.goto(`${shop.origin}/cart`);
    await cartBecomes((lines) => lines.length === 1);
    await block(page)
      .getByText(/Lumo X2.* · Le prix a changé/)
      .waitFor();
    expect(await block(page).getByRole("button").count()).toBe(0);
    if (phone) phone.price = 69_900;
    await close();
  });

  it("can still be chosen from after the theme has patched its cart with a fresh rendering", async () => {
    const { page, close } = await withCart([["lumo-mini", 0, 1, null]]);
    await block(page).getByText("Protégez votre smartphone").first().click();
    const term = block(page).getByLabel("24 mois");
    await term.check();
    // Horizon's morph resets the attributes to Liquid's and keeps the elements.
    await block(page)
      .locator("fieldset")
      .evaluate((set) => set.setAttribute("disabled", ""));
    await page.waitForFunction(() => !document.querySelector("main parasol-cart fieldset:disabled"));
    expect(await term.isChecked()).toBe(true);
    await close();
  });

  it("notes in the cart where an offer was seen, once and without touching the lines", async () => {
    const { page, cart, cartBecomes, requests, close } = await withCart([
      ["lumo-mini", 0, 1, null],
      ["coque-lumo", 0, 1, null],
    ]);
    const before = (await cart()).items.map(({ key }) => key);
    const noted = () => requests.filter((request) => request.postData()?.includes("_parasol_offered")).length;
    await eventually(async () =>
      expect((await cart()).attributes).toEqual({ _parasol_offered: `${variant("lumo-mini")}=cart` }),
    );
    expect(noted()).toBe(1);
    expect((await cart()).items.map(({ key }) => key)).toEqual(before);
    await page.reload();
    await block(page).getByText("Protégez votre smartphone").first().click();
    await block(page).getByLabel("24 mois").check();
    await block(page).getByRole("button", { name: "Ajouter l'assurance" }).click();
    await cartBecomes((lines) => plansIn(lines).length === 1);
    expect(noted()).toBe(1);
    await close();
  });

  it("takes out what may not be sold to this shopper any more, and says so where it was", async () => {
    const { page, cartBecomes, close } = await withCart([["lumo-x2", 0, 1, "SMA-400-24"]]);
    const app = gid("AppInstallation", shop.state.installation?.id ?? "");
    putMetafield(shop.state, app, "settings", "storefront", "json", JSON.stringify({ countries: ["FR"] }));
    await page.goto(`${shop.origin}/cart?country=BE`);
    await cartBecomes(({ length }) => length === 1);
    const text = "L’assurance n’est pas disponible pour cette commande";
    await said(page, text);
    await block(page).getByText(text).waitFor();
    expect(await violations(page)).toEqual([]);
    removeMetafield(shop.state, app, "settings", "storefront");
    await close();
  });

  it("leaves the cart consistent when a call fails, and says so", async () => {
    const { page, cart, close } = await withCart([["lumo-mini", 0, 1, null]]);
    await page.route("**/cart/add.js?parasol", (route) => route.abort());
    await block(page).getByText("Protégez votre smartphone").first().click();
    await block(page).getByLabel("12 mois").check();
    await block(page).getByRole("button", { name: "Ajouter l'assurance" }).click();
    await said(page, "Réessayez");
    expect(plansIn((await cart()).items)).toEqual([]);
    await page.unroute("**/cart/add.js?parasol");
    await block(page)
      .getByRole("button", { name: "Ajouter l'assurance" })
      .and(page.locator(":focus"))
      .click();
    await said(page, "ajoutée");
    expect(plansIn((await cart()).items)).toEqual([["SMA-200-12", 1]]);
    await close();
  });

  it.each([
    ["answers HTML", { contentType: "text/html", body: "<p>Lumo</p>" }],
    ["fails", { status: 500, contentType: "application/json", body: '{"message":"no"}' }],
    ["has no such section", { contentType: "application/json", body: "{}" }],
  ])("says that insurance was added where the page's request for its sections %s", async (_, answer) => {
    const { page, cart, problems, close } = await withCart([["lumo-mini", 0, 2, null]]);
    await page.route(/[?&]sections?=/, (route) => route.fulfill(answer));
    await block(page).getByText("Protégez votre smartphone").first().click();
    await block(page).getByLabel("24 mois").check();
    await block(page).getByRole("button", { name: "Ajouter l'assurance" }).click();
    await said(page, "Assurance ajoutée.");
    expect(plansIn((await cart()).items)).toEqual([["SMA-200-24", 2]]);
    await block(page)
      .getByText(/✓ Lumo Mini/)
      .waitFor();
    if (theme === "dawn-like")
      await page
        .getByRole("main")
        .getByText(/562,00/)
        .waitFor();
    expect(problems.filter((problem) => !problem.includes("500"))).toEqual([]);
    await close();
  });

  it.runIf(theme === "dawn-like")(
    "reloads a page whose cart the shop does not render again, and says there what it did",
    async () => {
      const { page, close } = await withCart([["lumo-mini", 0, 2, null]]);
      await page.route("**/cart*", async (route) =>
        route.request().resourceType() === "fetch" && route.request().method() === "GET"
          ? route.fulfill({ contentType: "text/html", body: "<p>Lumo</p>" })
          : route.continue(),
      );
      await page.route("**/cart.js*", (route) => route.continue());
      await block(page).getByText("Protégez votre smartphone").first().click();
      await block(page).getByLabel("24 mois").check();
      const reloaded = page.waitForEvent("load");
      await block(page).getByRole("button", { name: "Ajouter l'assurance" }).click();
      await reloaded;
      await said(page, "Assurance ajoutée.");
      await block(page)
        .getByText(/✓ Lumo Mini/)
        .waitFor();
      await close();
    },
  );

  it("insures the line whose button is pressed, also at a second try, not another one of its variant", async () => {
    const { page, cart, cartBecomes, close } = await withCart(
      [["lumo-mini", 0, 1, null]],
      "/collections/all",
    );
    const engraved = { items: [{ id: variant("lumo-mini"), quantity: 1, properties: { Gravure: "Léa" } }] };
    await page.request.post(`${shop.origin}/cart/add.js`, { data: engraved });
    await page.goto(`${shop.origin}/cart`);
    const [, second] = (await cart()).items;
    await page.route("**/cart/add.js?parasol", (route) => route.abort());
    const row = block(page).locator(`li[data-key="${second?.key ?? ""}"]`);
    await row.locator("summary").click();
    await row.getByLabel("12 mois").check();
    await row.getByRole("button", { name: "Ajouter l'assurance" }).click();
    await said(page, "Réessayez");
    await page.unroute("**/cart/add.js?parasol");
    await row.getByRole("button", { name: "Ajouter l'assurance" }).click();
    const items = await cartBecomes((lines) => plansIn(lines).length === 1);
    const plan = items.find(({ properties }) => properties["_parasol_reference"] !== undefined);
    const parent = items.find(({ key }) => key === plan?.parent_relationship?.parent_key);
    expect(parent?.properties["Gravure"]).toBe(second?.properties["Gravure"]);
    await close();
  });

  it("shows as insured what another tab has insured, and insures it no second time", async () => {
    const { page, cart, problems, close } = await withCart([["lumo-mini", 0, 1, null]]);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    for (const each of [tab, page]) {
      await block(each).getByText("Protégez votre smartphone").first().click();
      await block(each).getByLabel("12 mois").check();
    }
    for (const each of [tab, page]) {
      await block(each).getByRole("button", { name: "Ajouter l'assurance" }).click();
      await block(each)
        .getByText(/✓ Lumo Mini/)
        .waitFor();
    }
    expect(plansIn((await cart()).items)).toEqual([["SMA-200-12", 1]]);
    expect(problems).toEqual([]);
    await close();
  });

  it("offers in the theme's drawer after the theme has added a product there", async () => {
    const { page, cart, cartBecomes, problems, requests, close } = await visit(
      browser,
      shop,
      "/products/lumo-x2",
    );
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("Protégez vos achats").waitFor();
    const term = drawer.getByLabel("36 mois");
    // Until its last redraw, the theme's drawer closes opened parts and resets the choice.
    await eventually(async () => {
      if (!(await term.isVisible()))
        await drawer.getByText("Protégez votre smartphone").first().click({ timeout: 5_000 });
      await term.check({ timeout: 5_000 });
      await drawer.getByRole("button", { name: "Ajouter l'assurance" }).click({ timeout: 5_000 });
    });
    const items = await cartBecomes((lines) => plansIn(lines).length === 1);
    expect(plansIn(items)).toEqual([["SMA-400-36", 1]]);
    expect(items[1]?.properties["_parasol_touchpoint"]).toBe("mini_cart");
    // The product page showed it first.
    const attributes = { _parasol_offered: `${variant("lumo-x2")}=product_page` };
    await eventually(async () => expect((await cart()).attributes).toEqual(attributes));
    await drawer.getByText("Assurance Smartphone casse et vol").first().waitFor();
    await drawer.getByText(/✓ Lumo X2/).waitFor();
    // Screen readers skip everything behind an open dialog.
    await said(page, "Assurance ajoutée.");
    expect(
      await page
        .locator(".parasol__live")
        .evaluate((region) => document.querySelector("dialog[open]")?.contains(region) ?? true),
    ).toBe(true);
    expect(requests.filter((request) => request.url().includes("/apps/parasol"))).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("shows no panel in the page where the theme's checkout button is in a notification without lines", async () => {
    const id = variant("lumo-mini");
    const { page, close } = await withCart([["lumo-mini", 0, 1, null]], "/collections/all");
    await page.evaluate(
      (id) => sessionStorage.setItem("parasol-chosen", JSON.stringify({ [id]: "SMA-200-12" })),
      id,
    );
    // As in Dawn without its drawer: in the header's section, whose menu may link to a product.
    await page.route("**/collections/all", async (route) => {
      const response = await route.fetch();
      const notification = `<div class="shopify-section"><a href="/products/lumo-x2">X2</a><cart-notification><form action="/cart"><button name="checkout">Payer</button></form></cart-notification></div>`;
      const html = (await response.text()).replace(/<(cart|theme)-drawer[^]*<\/\1-drawer>/, notification);
      await route.fulfill({ response, body: html });
    });
    await page.goto(`${shop.origin}/collections/all`);
    // The script draws this button.
    const button = page.locator("parasol-cart li [data-add]:enabled");
    await button.waitFor({ state: "attached" });
    expect(await button.isVisible()).toBe(false);
    await close();
  });

  it("shows the drawer's panel again after the theme has redrawn its drawer", async () => {
    const { page, cart, cartBecomes, close } = await withCart(
      [
        ["lumo-x2", 0, 1, null],
        ["lumo-mini", 0, 1, null],
      ],
      "/collections/all",
    );
    // A shopper has not seen a closed drawer.
    await page.locator("parasol-cart li").first().waitFor({ state: "attached" });
    expect((await cart()).attributes).toEqual({});
    await page.getByRole("link", { name: /Panier/ }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("Protégez vos achats").waitFor();
    const seen = [variant("lumo-mini"), variant("lumo-x2")].map((id) => `${id}=mini_cart`);
    await eventually(async () => {
      const { attributes } = await cart();
      expect(attributes["_parasol_offered"]?.split(" ").sort()).toEqual(seen.sort());
    });
    const row = drawer.locator("parasol-cart li", { hasText: "Lumo Mini" });
    await row.locator("summary").click();
    const term = row.locator("[data-terms] label").first();
    const priceOfOne = await term.innerText();
    const quantity = drawer.getByLabel("Quantité: Lumo Mini");
    await quantity.fill("2");
    await quantity.blur();
    await cartBecomes((lines) => lines.some((line) => line.quantity === 2));
    await drawer.getByText("Protégez vos achats").waitFor();
    // A part that the shopper opened stays open, with the price of both.
    await eventually(async () => expect(await term.innerText()).not.toBe(priceOfOne));
    expect(await term.isVisible()).toBe(true);
    await close();
  });
});
