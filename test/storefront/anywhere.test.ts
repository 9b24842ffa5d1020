/**
 * Offers and panels where no app block reaches: page builders, quick views and drawers of other apps. They are imitated
 * from their public documentation: what they insert into the page, and when.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { openTestShop, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

let browser: Browser;
let shop: TestShop;
beforeAll(async () => {
  browser = await openBrowser();
  shop = await openTestShop();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});
afterEach(() => {
  shop.state.theme.embeds["cart-drawer"] = { on: true, settings: {} };
});

const idOf = (handle: string) =>
  [...shop.state.products.values()].find((product) => product.handle === handle)?.variants[0]?.id ?? "";

/** What a builder's page or a quick view has for a product: a form of its own, and the documented element. */
const quickView = (handle: string) => `<div class="quick-view">
  <form action="/cart/add" method="post"><input type="hidden" name="id" value="${idOf(handle)}">
  <button>Acheter</button></form><parasol-offer product="${handle}"></parasol-offer></div>`;

describe("an offer that someone has placed", () => {
  it("is filled in a builder's page, and its plan goes into the cart with the builder's form", async () => {
    const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/coque-lumo");
    await page.route(`${shop.origin}/`, async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      await route.fulfill({ response, body: html.replace("</main>", `${quickView("lumo-mini")}</main>`) });
    });
    await page.goto(`${shop.origin}/`);
    const offer = page.locator(".quick-view parasol-offer");
    await offer.getByRole("radio", { name: "24 mois" }).check();
    expect(await offer.innerText()).toContain("32,00 €");
    await page.getByRole("button", { name: "Acheter", exact: true }).click();
    await page.waitForURL(/\/cart$/);
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-200-24", 1]]);
    expect(problems).toEqual([]);
    await close();
  });

  it("is filled after Parasol.refresh() in a quick view that opens later", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/");
    await page.evaluate((html) => {
      document.querySelector("main")?.insertAdjacentHTML("beforeend", html);
      window.Parasol?.refresh();
    }, quickView("lumo-x2"));
    await page.locator(".quick-view").getByRole("radio", { name: "12 mois" }).check();
    await page.getByRole("button", { name: "Acheter", exact: true }).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-12", 1]]);
    await close();
  });

  it.each(["coque-lumo", "no-such-product"])("stays empty where there is none: %s", async (handle) => {
    const { page, close } = await visit(browser, shop, "/");
    const answered = page.waitForResponse(/\/products\//);
    await page.evaluate((product) => {
      document.body.insertAdjacentHTML("beforeend", `<parasol-offer product="${product}"></parasol-offer>`);
      window.Parasol?.refresh();
    }, handle);
    await (await answered).finished();
    expect(await page.locator("parasol-offer").innerText()).toBe("");
    await close();
  });
});

const line = '<a href="/products/lumo-x2">Lumo X2</a>';
/** Drawers of other apps, by what a script can find in them. */
const drawers = {
  "with a link to the checkout": `<div class="scroll" style="overflow:auto">${line}</div><a href="/checkout">Payer</a>`,
  "with a checkout button": `<div>${line}</div><footer><button name="checkout">Payer</button></footer>`,
  "without anything of the kind": `<ul class="their-lines"><li>Lumo X2</li></ul><button>Payer</button>`,
};

async function openDrawer(page: Page, content: string): Promise<void> {
  await page.evaluate((html) => {
    // The theme's own one gives way.
    document.querySelector("cart-drawer")?.remove();
    document.querySelector(".their-drawer")?.remove();
    const drawer = `<div class="their-drawer" style="position:fixed;inset:0 0 0 auto;width:400px">${html}</div>`;
    document.body.insertAdjacentHTML("beforeend", drawer);
  }, content);
}

describe("the panel in another app's drawer", () => {
  it.each(Object.entries(drawers))(
    "finds its place, and is put back when the app draws again: %s",
    async (name, html) => {
      const isNamed = name.startsWith("without");
      const settings = isNamed ? { drawer: ".their-lines" } : {};
      shop.state.theme.embeds["cart-drawer"] = { on: true, settings };
      const { page, problems, close } = await visit(browser, shop, "/products/coque-lumo");
      await page.request.post(`${shop.origin}/cart/add.js`, {
        data: { items: [{ id: idOf("lumo-x2"), quantity: 1 }] },
      });
      await page.reload();
      for (let time = 0; time < 2; time++) {
        await openDrawer(page, html);
        await page.locator(".their-drawer parasol-cart summary").waitFor();
      }
      const parent = await page
        .locator(".their-drawer parasol-cart")
        .evaluate((each) => each.parentElement?.className);
      expect(parent).toBe(
        isNamed ? "their-lines" : name.endsWith("link to the checkout") ? "scroll" : "their-drawer",
      );
      expect(problems).toEqual([]);
      await close();
    },
  );

  it("is found without the setting where the setting is no selector", async () => {
    shop.state.theme.embeds["cart-drawer"] = { on: true, settings: { drawer: "the drawer, please!" } };
    const { page, problems, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await page.getByRole("dialog").locator("parasol-cart summary").waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});

describe("what the shopper saw", () => {
  it.each([
    ["is recorded where the shop's banner allows statistics", "analytics=yes", true],
    ["is not where the shopper has refused", "analytics=no", false],
  ])("%s", async (_, cookie, isRecorded) => {
    const { page, cart, close } = await visit(browser, shop, "/products/coque-lumo");
    await page.evaluate((text) => (document.cookie = text), cookie);
    await page.goto(`${shop.origin}/products/lumo-x2`);
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await page.getByRole("dialog").locator("parasol-cart summary").waitFor();
    const stored = () => page.evaluate(() => Object.keys(sessionStorage).includes("parasol-shown"));
    const recorded = async () => !!(await cart()).attributes["_parasol_offered"];
    await eventually(async () =>
      expect([await stored(), await recorded()]).toEqual([isRecorded, isRecorded]),
    );
    if (!isRecorded) {
      // Shopify reports that the shopper has agreed after all.
      await page.evaluate(() => {
        document.cookie = "analytics=yes";
        document.dispatchEvent(new Event("visitorConsentCollected"));
      });
      await eventually(async () => expect(await recorded()).toBe(true));
    }
    await close();
  });
});

describe("what the shop's pixels are told", () => {
  const published = (page: Page): Promise<unknown> =>
    page.evaluate((): unknown =>
      JSON.parse(JSON.stringify(Reflect.get(window.Shopify?.analytics ?? {}, "replayQueue"))),
    );
  const told = (event: string, touchpoint: string, more: object = {}) => [
    `parasol_offer_${event}`,
    { touchpoint, variant: idOf("lumo-x2"), ...more },
  ];

  it("is that an offer was viewed, chosen and added, each once, and nothing of the shopper", async () => {
    const { page, cartBecomes, problems, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await cartBecomes(({ length }) => length === 2);
    await page.getByRole("dialog").locator("parasol-cart [data-insured]").waitFor();
    const reference = "SMA-400-24";
    await eventually(async () =>
      expect(await published(page)).toEqual([
        told("viewed", "product_page"),
        told("chosen", "product_page", { reference }),
        told("added", "product_page", { reference }),
      ]),
    );
    expect(problems).toEqual([]);
    await close();
  });

  it("is that the shopper said no", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "Non merci" }).check();
    await eventually(async () =>
      expect(await published(page)).toEqual([
        told("viewed", "product_page"),
        told("declined", "product_page"),
      ]),
    );
    await close();
  });

  it("is what the shopper did in the cart", async () => {
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await cartBecomes(({ length }) => length === 1);
    // The product page has told of its own offer, and the cart page tells of the cart's.
    await page.getByRole("dialog").locator("parasol-cart [data-lines] li").waitFor();
    await page.goto(`${shop.origin}/cart`);
    const row = page.getByRole("main").locator("[data-lines] li");
    await row.getByText("Protégez votre smartphone").click();
    await row.getByRole("button", { name: "Sans assurance" }).click();
    await row.locator("summary", { hasText: "Sans assurance" }).click();
    await row.getByRole("radio", { name: "24 mois" }).check();
    await row.getByRole("button", { name: "Ajouter l'assurance" }).click();
    await cartBecomes(({ length }) => length === 2);
    await eventually(async () =>
      expect(await published(page)).toEqual([
        told("viewed", "cart"),
        told("declined", "cart"),
        told("added", "cart", { reference: "SMA-400-24" }),
      ]),
    );
    await close();
  });

  it("is nothing where the shopper has refused statistics", async () => {
    const { page, close } = await visit(browser, shop, "/products/coque-lumo");
    await page.evaluate(() => (document.cookie = "analytics=no"));
    await page.goto(`${shop.origin}/products/lumo-x2`);
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.locator("parasol-offer[data-chosen]").waitFor();
    expect(await published(page)).toEqual([]);
    await close();
  });
});
