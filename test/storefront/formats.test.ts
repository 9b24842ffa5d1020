/** Every format in both themes: accessible in every state, not cut at any width, usable by keyboard alone. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { categoryKey, type CompactCatalogue } from "#app/catalogue/sync/compact-catalogue.ts";
import { renderPreview } from "#app/offers/preview/preview.server.ts";
import { productFormats } from "#app/offers/storefront-choices.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { openBrowser } from "#test/browser.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield, removeMetafield } from "#test/sandbox/shop/metafields.ts";
import { violations } from "./axe.ts";
import { openTestShop, PHONES, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The formats without terms in the page. */
const inDialog = ["banner", "modal", "floating", "sticky"];

/** Opens the format's window by its own button, or by adding to the cart. */
async function open(page: Page, format: string): Promise<void> {
  if (format === "section") return;
  if (format === "modal") await page.getByRole("button", { name: "Ajouter au panier" }).press("Enter");
  else await page.locator("[value=open]:visible").first().press("Enter");
  await page.locator("parasol-offer dialog[open]").waitFor();
}

/** More coverage text than fits on a phone. */
async function lengthen(page: Page): Promise<void> {
  await page.locator("parasol-offer dialog ul").evaluate((list) => {
    for (let count = 0; count < 20; count += 1) list.append(list.children[0]?.cloneNode(true) ?? "");
  });
}

/** The names of the window's visible and uncovered buttons. */
function buttonsInView(page: Page): Promise<string[]> {
  return page.locator("parasol-offer dialog button").evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { top, bottom, left, width } = button.getBoundingClientRect();
        const shown = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && button.contains(shown);
      })
      .map((button) => button.ariaLabel ?? button.textContent),
  );
}

describe.each(["dawn-like", "horizon-like"] as const)("in the %s theme", (theme) => {
  let shop: TestShop;
  let catalogue: CompactCatalogue;
  beforeAll(async () => {
    shop = await openTestShop({
      theme,
      catalogue: (made) => {
        const { texts } = made;
        const [image, logo] = ["https://assurance.example/image.svg", "https://assurance.example/logo.svg"];
        return (catalogue = { ...made, texts: { ...texts, image, logo } });
      },
    });
  });
  afterAll(() => shop.close());

  describe.each([...productFormats])("the format %s", (format) => {
    beforeAll(() => {
      const place = format === "section" ? "product:below" : "product";
      shop.state.theme.blocks = { [place]: [{ id: "offer", handle: "product-offer", settings: { format } }] };
    });

    // One of the two per theme: the themes' differences do not depend on colours.
    it.each(theme === "dawn-like" ? ([["light", 1200]] as const) : ([["dark", 375]] as const))(
      "is accessible and whole in a %s theme at %i px, shut and open, its window's buttons in view without scrolling",
      async (colorScheme, width) => {
        const { page, problems, close } = await visit(browser, shop, "/products/lumo-x2", {
          viewport: { width, height: 812 },
          colorScheme,
        });
        if (format !== "section") await lengthen(page);
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await open(page, format);
        // No term is cut or needs horizontal scrolling.
        const cut = await page
          .locator("[data-terms]")
          .evaluateAll((lists) => lists.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
        expect(cut).toEqual([]);
        if (format !== "section")
          expect(await buttonsInView(page)).toEqual(["Fermer", "Assurer mon smartphone", "Non merci"]);
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(problems).toEqual([]);
        // The live region must exist before it announces, though Dawn and Horizon hide empty paragraphs.
        await page.addStyleTag({ content: "p:empty { display: none }" });
        const gaps = await page
          .locator("parasol-offer")
          .getByRole("status")
          .evaluateAll((all) =>
            all.map((status) => {
              const around = status.parentElement ?? status;
              const { height } = around.getBoundingClientRect();
              status.remove();
              return height - around.getBoundingClientRect().height;
            }),
          );
        expect(gaps).toEqual([0]);
        await close();
      },
    );

    it.runIf(format !== "section")("is chosen in its window and bought with the keyboard alone", async () => {
      const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
      const dialog = page.locator("parasol-offer dialog");
      await open(page, format);
      await page.keyboard.press("Tab");
      await dialog.getByRole("radio", { name: "12 mois" }).press("ArrowDown");
      await page.getByRole("button", { name: "Assurer mon smartphone" }).press("Enter");
      await dialog.waitFor({ state: "hidden" });
      if (inDialog.includes(format) && format !== "modal") {
        const opener = page.locator("[value=open]");
        expect(await page.locator("[data-picked]").innerText()).toBe(
          "24 mois 64,00 € en une fois, soit 2,67 € par mois",
        );
        if (format !== "floating") expect(await opener.innerText()).toBe("Modifier");
        // The window returns the focus to its previous element.
        expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
      }
      // The page shows the choice made in the window.
      if (!inDialog.includes(format))
        expect(
          await page
            .getByLabel(/24 mois/)
            .filter({ visible: true })
            .isChecked(),
        ).toBe(true);
      if (format !== "modal") await page.getByRole("button", { name: "Ajouter au panier" }).press("Enter");
      expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24", 1]]);
      await close();
    });

    it.runIf(!inDialog.includes(format))("is chosen in the page with the keyboard alone", async () => {
      const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
      if (format === "checkbox")
        await page.getByRole("checkbox", { name: /^Ajouter l’assurance · 12 mois/ }).press("Space");
      else await page.getByRole("radio", { name: "12 mois" }).press("ArrowDown");
      await page.getByRole("button", { name: "Ajouter au panier" }).press("Enter");
      expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([
        [format === "checkbox" ? "SMA-400-12" : "SMA-400-24", 1],
      ]);
      await close();
    });
  });

  /** Without blank lines: the preview has a paragraph before the window, for what a click would do. */
  const textOf = async (block: Locator) => (await block.innerText()).replaceAll(/\n+/g, "\n");

  /** The texts of a touchpoint in the admin's preview, for the product at 599 EUR. */
  async function previewText(touchpoint: StorefrontTouchpoint, language: string, product_page = {}) {
    const settings = storefrontSettings.parse({ touchpoints: { product_page } });
    const around = {
      title: "Lumo X2 - 128 Go",
      addToCart: "",
      afterClick: "",
      priceMinor: 59_900,
      withdrawalDays: 0,
      withdrawalPage: "",
    };
    const page = await browser.newPage();
    await page.setContent(renderPreview({ touchpoint, language, settings }, { ...around, catalogue }));
    const text = await textOf(page.locator("parasol-offer, parasol-cart"));
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
    await page.close();
    return text;
  }

  // The themes differ only around the offer.
  describe.runIf(theme === "dawn-like")("the admin's preview says what the shop says", () => {
    it.each([...productFormats])("in the format %s", async (format) => {
      shop.state.theme.blocks = { product: [{ id: "offer", handle: "product-offer", settings: { format } }] };
      for (const language of ["fr", "en"]) {
        const { page, close } = await visit(browser, shop, `/products/lumo-x2?locale=${language}`);
        const offer = page.locator("parasol-offer");
        // The preview shows the window, too.
        if (format !== "section")
          await offer.locator("dialog").evaluate((dialog: HTMLDialogElement) => dialog.showModal());
        await offer.locator("fieldset:disabled").waitFor({ state: "detached" });
        expect(await textOf(offer)).toBe(await previewText("product_page", language, { format }));
        await close();
      }
    });

    it("in the cart and its drawer", async () => {
      shop.state.theme.blocks = { cart: [{ id: "cart", handle: "cart-offers", settings: {} }] };
      const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2?locale=fr");
      await page.getByRole("button", { name: "Ajouter au panier" }).click();
      await cartBecomes(({ length }) => length === 1);
      const says = async (touchpoint: StorefrontTouchpoint, block: Locator) => {
        await block.locator("summary").click();
        await block.locator("fieldset:enabled").waitFor();
        expect(await textOf(block)).toBe(await previewText(touchpoint, "fr"));
      };
      await says("mini_cart", page.getByRole("dialog").locator("parasol-cart"));
      await page.goto(`${shop.origin}/cart?locale=fr`);
      await says("cart", page.locator("main parasol-cart"));
      await close();
    });
  });

  const longTexts: Record<typeof theme, [locale: string, long: string, cover: string]> = {
    "dawn-like": [
      "de",
      "Smartphone-Rundumschutzversicherung",
      "Versicherungsschutz inklusive Akkuverschleißabsicherung",
    ],
    "horizon-like": [
      "fr",
      "Protégez votre smartphone contre la casse accidentelle et le vol",
      "Dysfonctionnements électriques",
    ],
  };
  it.each([longTexts[theme]])(
    "keeps long texts of a language in their place at 320 px, in every format: %s",
    async (locale, long, cover) => {
      const covers = {
        [locale]: { [categoryKey(PHONES)]: { bullets: [cover, long, cover], exclusions: [long] } },
      };
      const texts = {
        [locale]: { headline: long, modal_headline: long, buy: long, decline: long, cart_button: long },
      };
      const own = { covers, texts, insurer: "Donaudampfschifffahrtsgesellschaftsversicherung" };
      const app = gid("AppInstallation", shop.state.installation?.id ?? "");
      const address = "https://app.example/withdrawals/lumo.myshopify.com";
      const withdrawal = { withdrawal_days: 30, withdrawal_page: address };
      const value = JSON.stringify({ ...storefrontSettings.parse(own), ...withdrawal });
      putMetafield(shop.state, app, "settings", "storefront", "json", value);
      /** Elements that overflow the page or their own box; legends are for screen readers alone. */
      const outside = (page: Page) =>
        page.locator(".parasol *:not(legend):visible").evaluateAll((all) =>
          all
            .filter((each) => {
              const { left, right, width } = each.getBoundingClientRect();
              return (
                width > 1 &&
                (left < 0 ||
                  right > innerWidth ||
                  (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1))
              );
            })
            .map((each) => each.outerHTML.slice(0, 120)),
        );
      for (const format of productFormats) {
        const settings = { format };
        shop.state.theme.blocks = {
          product: [{ id: "offer", handle: "product-offer", settings }],
          cart: [{ id: "cart", handle: "cart-offers", settings: {} }],
        };
        const { page, close } = await visit(browser, shop, `/products/lumo-x2?locale=${locale}`, {
          viewport: { width: 320, height: 640 },
        });
        expect([format, await outside(page)]).toEqual([format, []]);
        if (format !== "section") {
          await page
            .locator("parasol-offer dialog")
            .evaluate((dialog: HTMLDialogElement) => dialog.showModal());
          expect([format, await outside(page)]).toEqual([format, []]);
          expect(await buttonsInView(page)).toHaveLength(3);
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
        // An overlay leaves most of the page visible.
        if (format === "floating" || format === "sticky")
          expect((await page.locator(`.parasol--${format}`).boundingBox())?.height).toBeLessThanOrEqual(256);
        await close();
      }
      shop.state.theme.blocks["product"] = [];
      const { page, cartBecomes, close } = await visit(
        browser,
        shop,
        `/products/lumo-mini?locale=${locale}`,
        {
          viewport: { width: 320, height: 640 },
        },
      );
      await page.locator('main form[action*="/cart/add"] [type=submit]').first().click();
      await cartBecomes(({ length }) => length === 1);
      await page.getByRole("dialog").locator("parasol-cart summary").click();
      expect(await outside(page)).toEqual([]);
      await page.goto(`${shop.origin}/cart?locale=${locale}`);
      await page.locator("main parasol-cart summary").click();
      expect(await outside(page)).toEqual([]);
      await close();
      removeMetafield(shop.state, app, "settings", "storefront");
    },
  );

  it.each([
    ["right to left", "/products/lumo-x2?locale=ar", {}],
    [
      "at 320 px, as with 400% zoom",
      "/products/lumo-x2?locale=fr",
      { viewport: { width: 320, height: 640 } },
    ],
    ["with forced colours", "/products/lumo-x2?locale=fr", { forcedColors: "active" }],
  ] as const)("stays whole and accessible %s", async (_name, path, options) => {
    shop.state.theme.blocks = { product: [{ id: "offer", handle: "product-offer", settings: {} }] };
    const { page, close } = await visit(browser, shop, path, options);
    const width = page.viewportSize()?.width ?? 0;
    await page.locator("parasol-offer input").nth(1).check();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await violations(page)).toEqual([]);
    await page.locator("[value=open]").click();
    expect(await violations(page)).toEqual([]);
    await close();
  });

  it.each(["banner", "floating", "sticky"])(
    "takes a dark theme's own surface where the theme declares no colour scheme: %s",
    async (format) => {
      shop.state.theme.blocks = { product: [{ id: "offer", handle: "product-offer", settings: { format } }] };
      const { page, close } = await visit(browser, shop, "/products/lumo-x2", { colorScheme: "dark" });
      // The widget is inserted again, as when the theme redraws its section.
      await page.addStyleTag({ content: ":root { color-scheme: light !important }" });
      await page.evaluate(() =>
        document.querySelector("parasol-offer")?.replaceWith(...document.querySelectorAll("parasol-offer")),
      );
      await open(page, format);
      expect(await violations(page)).toEqual([]);
      const [page_, dialog] = await page.evaluate(() =>
        [document.body, document.querySelector("parasol-offer dialog") ?? document.body].map(
          (each) => getComputedStyle(each).backgroundColor,
        ),
      );
      expect(dialog).toBe(page_);
      await close();
    },
  );

  it("has a window that ×, backdrop and Escape close, which is no choice", async () => {
    const settings = { format: "banner" };
    shop.state.theme.blocks = { product: [{ id: "offer", handle: "product-offer", settings }] };
    const { page, problems, close } = await visit(browser, shop, "/products/lumo-x2", {
      viewport: { width: 375, height: 812 },
    });
    const dialog = page.locator("parasol-offer dialog");
    for (const leave of [
      () => dialog.getByRole("button", { name: "Fermer" }).click(),
      () => page.mouse.click(5, 400),
      () => page.keyboard.press("Escape"),
    ]) {
      await open(page, "banner");
      // In the corner, level with the first line.
      const [corner, cross] = [dialog, dialog.getByRole("button", { name: "Fermer" })].map((each) =>
        each.evaluate((element) => element.getBoundingClientRect().top),
      );
      expect(((await cross) ?? 0) - ((await corner) ?? 0)).toBeLessThan(6);
      await dialog.getByLabel("12 mois").check();
      await leave();
      await dialog.waitFor({ state: "hidden" });
      await dialog.locator("input:checked").waitFor({ state: "detached" });
      expect(await page.locator("parasol-offer[data-chosen]").count()).toBe(0);
    }
    expect(problems).toEqual([]);
    await close();
  });

  it("has nothing for axe to find in the cart and in the drawer", async () => {
    shop.state.theme.blocks = {
      product: [{ id: "offer", handle: "product-offer", settings: {} }],
      cart: [{ id: "cart", handle: "cart-offers", settings: {} }],
    };
    const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
      viewport: { width: 375, height: 740 },
    });
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.locator("parasol-cart summary").click();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${shop.origin}/cart`);
    await page.getByRole("main").locator("parasol-cart summary").click();
    await page.getByRole("main").getByRole("radio", { name: "24 mois" }).check();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("main").getByRole("button", { name: "Ajouter l'assurance" }).click();
    await page.getByRole("main").getByText("✓ Lumo X2").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    await close();
  });
});
