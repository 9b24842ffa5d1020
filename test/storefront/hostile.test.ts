/** No text of the insurer becomes HTML, a script or a dangerous link: hostile marketing data in a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompactCatalogue } from "#app/catalogue/sync/compact-catalogue.ts";
import { productFormats } from "#app/offers/storefront-choices.ts";
import { openBrowser } from "#test/browser.ts";
import { openTestShop } from "./shop.ts";
import { visit } from "./visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const attack = `"><img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>{{ shop.name }}'\u2028`;

function poisoned(made: CompactCatalogue): CompactCatalogue {
  const texts = Object.fromEntries(Object.keys(made.texts).map((name) => [name, `${name} ${attack}`]));
  return {
    ...made,
    category: attack,
    bands: made.bands.map(({ offers, ...band }) => ({
      ...band,
      offers: offers.map((offer) => ({ ...offer, reference: `R${attack}` })),
    })),
    texts: {
      ...made.texts,
      ...texts,
      bullets: [attack, attack],
      image: "javascript:window.hacked=1",
      logo: `https://x.example/"onerror="window.hacked=1`,
      page: "data:text/html,x",
    },
    cg: `https://x.example/"onclick="window.hacked=1`,
    ipid: "https://x.example/<script>",
  };
}

describe("hostile marketing data", () => {
  it.each([...productFormats])(
    "stays text in the format %s, in the cart and in the drawer",
    async (format) => {
      const shop = await openTestShop({ catalogue: poisoned });
      shop.state.theme.blocks["product"] = [{ id: "offer", handle: "product-offer", settings: { format } }];
      const { page, close } = await visit(browser, shop, "/products/lumo-x2");
      const hacked = () => page.evaluate(() => "hacked" in window);
      const unsafe = () =>
        page.evaluate(() =>
          [...document.querySelectorAll(".parasol a, .parasol img")]
            .map((each) => each.getAttribute("href") ?? each.getAttribute("src") ?? "")
            .filter((address) => !address.startsWith("https://")),
        );
      const elements = () =>
        page.evaluate(
          () =>
            document.querySelectorAll(
              // Parasol's own pictures vanish where they cannot be loaded.
              ".parasol script, .parasol img[src=x], .parasol [onclick], .parasol [onerror]:not([onerror='this.remove()'])",
            ).length,
        );
      expect(await page.locator("parasol-offer").innerText()).toContain(
        format === "modal" ? "" : "<img src=x",
      );
      for (const storage of ["512 Go", "128 Go"]) await page.getByText(storage, { exact: true }).click();
      await page
        .getByText("dès 32,00 €")
        .or(page.getByText("32,00 €"))
        .first()
        .waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Ajouter au panier" }).click();
      if (format === "modal") await page.keyboard.press("Escape");
      await page.locator("parasol-cart [data-lines] li").waitFor();
      expect([await hacked(), await unsafe(), await elements()]).toEqual([false, [], 0]);
      await page.goto(`${shop.origin}/cart`);
      expect(await page.getByRole("main").locator("parasol-cart").innerText()).toContain("<img src=x");
      expect([await hacked(), await unsafe(), await elements()]).toEqual([false, [], 0]);
      await close();
      await shop.close();
    },
  );

  it.each(["javascript:alert(1)", "http://assurance.example/cg.pdf", ""])(
    "offers nothing where a legal document is %j",
    async (link) => {
      for (const document of [{ cg: link }, { ipid: link }]) {
        const shop = await openTestShop({ catalogue: (made) => ({ ...made, ...document }) });
        const { page, close } = await visit(browser, shop, "/products/lumo-x2");
        expect(await page.locator("parasol-offer").count()).toBe(0);
        await page.getByRole("button", { name: "Ajouter au panier" }).click();
        await page.getByRole("dialog").getByText("Lumo X2").first().waitFor();
        await page.goto(`${shop.origin}/cart`);
        expect(await page.locator("parasol-cart [data-lines] li").count()).toBe(0);
        await close();
        await shop.close();
      }
    },
  );
});
