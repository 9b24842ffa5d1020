/**
 * Features of Dawn and Horizon that can break an offer: their own forms, styles and listeners, and redrawn sections.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { openTestShop, type TestShop } from "./shop.ts";
import { plansIn, visit } from "./visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const add = { name: "Ajouter au panier" };

/** Each theme redraws the product's section in its own way. */
function redraw(page: Page): Promise<void> {
  return page
    .locator("product-info, variant-picker")
    .evaluate((element: Element & { redraw?: () => Promise<void> }) => element.redraw?.());
}

describe.each(["dawn-like", "horizon-like"])("in the %s theme", (theme) => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop({ theme });
  });
  afterAll(() => shop.close());

  const place = (format: string) => {
    shop.state.theme.blocks["product"] = [{ id: "offer", handle: "product-offer", settings: { format } }];
  };
  const pick = async (page: Page, storage: string) => {
    if (theme === "dawn-like") await page.getByText(storage, { exact: true }).click();
    else await page.getByLabel("Stockage").selectOption(storage);
  };

  it("chooses a term that is pressed right after a quantity was typed, at the price of all items", async () => {
    place("radio");
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    const quantity = page.getByLabel("Quantité").first();
    await quantity.click();
    await quantity.press("ControlOrMeta+A");
    await quantity.pressSequentially("3");
    // At once, without leaving the field first.
    await page.getByText("24 mois", { exact: true }).filter({ visible: true }).click();
    expect(await page.getByRole("radio", { name: "24 mois" }).isChecked()).toBe(true);
    expect(await page.locator("label:visible", { hasText: "24 mois" }).innerText()).toContain("192,00 €");
    await page.getByRole("button", add).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-24", 3]]);
    await close();
  });

  it("keeps the row that is being pressed while the quantity changes, and chooses it", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByText("24 mois", { exact: true }).filter({ visible: true }).hover();
    await page.mouse.down();
    await page.evaluate(() => {
      const quantity = document.querySelector<HTMLInputElement>("main [name=quantity]");
      Object.assign(quantity ?? {}, { value: "2" });
      quantity?.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.getByText("128,00 €").filter({ visible: true }).waitFor();
    await page.mouse.up();
    expect(await page.getByRole("radio", { name: "24 mois" }).isChecked()).toBe(true);
    await close();
  });

  it("draws whole rows, and radios whose mark stays in them", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
      viewport: { width: 375, height: 812 },
    });
    const widths = await page
      .locator("parasol-offer fieldset:enabled")
      .first()
      .evaluate((set) =>
        [set, ...set.querySelectorAll("label")].map((each) => Math.round(each.getBoundingClientRect().width)),
      );
    expect(new Set(widths).size).toBe(1);
    await page.getByRole("radio", { name: "24 mois" }).check();
    const mark = await page
      .getByRole("radio", { name: "24 mois" })
      .evaluate((input) => getComputedStyle(input).position);
    expect(mark).toBe("relative");
    await close();
  });

  it("writes nothing smaller than 12 px, and lightens no text of the theme's, where the theme's text is small", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.addStyleTag({
      content: "body, main * { font-size: 13px } parasol-offer * { font-size: revert-layer }",
    });
    await page.getByRole("radio", { name: "24 mois" }).check();
    const [sizes, opacities] = await page.locator("parasol-offer > section").evaluate((box) => {
      const styles = [...box.querySelectorAll("*:not(svg, svg *)")].map((each) => getComputedStyle(each));
      return [styles.map(({ fontSize }) => parseFloat(fontSize)), styles.map(({ opacity }) => opacity)];
    });
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
    expect(new Set(opacities)).toEqual(new Set(["1"]));
    await close();
  });

  it("shows its radios where the theme draws none", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.addStyleTag({ content: "input { appearance: none; border: 0; background: none }" });
    const radio = page.getByRole("radio", { name: "24 mois" });
    expect(await radio.evaluate((input) => getComputedStyle(input).appearance)).toBe("auto");
    await close();
  });

  it("draws rows and buttons that a finger can press, whatever the theme makes of a rem", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
      viewport: { width: 375, height: 812 },
      hasTouch: true,
    });
    const heights = (where: string) =>
      page.locator(where).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    for (const height of await heights("parasol-offer section label"))
      expect(height).toBeGreaterThanOrEqual(44);
    // The link is a line of text; a finger that lands above it or below it meets it as well.
    const more = page.getByRole("button", { name: "En savoir plus" });
    await more.scrollIntoViewIfNeeded();
    const box = await more.boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) / 2 + 20);
    await page.getByRole("dialog").waitFor();
    for (const height of await heights("dialog.parasol label")) expect(height).toBeGreaterThanOrEqual(44);
    for (const height of await heights("dialog.parasol button")) expect(height).toBeGreaterThanOrEqual(44);
    // It is also as wide as the phone allows.
    expect((await page.getByRole("dialog").boundingBox())?.width).toBeGreaterThan(330);
    await close();
  });

  it("gives the buttons with and without insurance the same look and size", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", { name: "En savoir plus" }).click();
    // Both can be pressed then.
    await page.getByRole("dialog").getByLabel("12 mois").check();
    const look = (name: string) =>
      page.getByRole("button", { name }).evaluate((each) => {
        const { color, backgroundColor, borderColor, fontSize, fontWeight, opacity } = getComputedStyle(each);
        const { width, height } = each.getBoundingClientRect();
        return { color, backgroundColor, borderColor, fontSize, fontWeight, opacity, width, height };
      });
    expect(await look("Non merci")).toEqual(await look("Assurer mon smartphone"));
    await close();
  });

  it.runIf(theme === "horizon-like")(
    "offers above Check out on a phone, where the theme has its place for apps below",
    async () => {
      const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2", {
        viewport: { width: 375, height: 667 },
      });
      await page.getByRole("button", add).click();
      await cartBecomes(({ length }) => length === 1);
      for (const width of [375, 1200]) {
        await page.setViewportSize({ width, height: 667 });
        await page.goto(`${shop.origin}/cart`);
        const [items, offer, checkout] = await Promise.all(
          [".cart-page__items", "main parasol-cart", "main [name=checkout]"].map((each) =>
            page.locator(each).boundingBox(),
          ),
        );
        expect(offer?.y).toBeGreaterThan(items?.y ?? Infinity);
        if (width === 375) expect(offer?.y).toBeLessThan(checkout?.y ?? 0);
        else expect(offer?.x).toBe(items?.x);
      }
      await close();
    },
  );

  it("shows that the cart's offer can be opened, and what it costs, on the product's own row", async () => {
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", add).click();
    const summary = page.getByRole("dialog").locator("parasol-cart summary");
    await summary.waitFor();
    const choose = summary.getByText("Choisir");
    expect(await summary.innerText()).toBe(
      "Lumo X2 - 128 Go\nProtégez votre smartphone · dès 32,00 €\nChoisir",
    );
    // The theme may redraw its drawer.
    await eventually(async () => {
      if (await choose.isVisible()) await choose.click({ timeout: 5_000 });
      expect(await choose.isVisible()).toBe(false);
      expect(await page.getByRole("dialog").getByRole("radio", { name: "12 mois" }).isVisible()).toBe(true);
    });
    await close();
  });

  it.each(["nine insurable lines", "an offer open"])(
    "keeps lines and Check out in reach in the drawer of a small phone: %s",
    async (state) => {
      place("radio");
      const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
        viewport: { width: 375, height: 667 },
      });
      const [x2, mini] = ["Lumo X2", "Lumo Mini"].map((title) =>
        [...shop.state.products.values()].find((product) => product.title === title),
      );
      const items = [
        ...[...(x2?.variants.slice(1) ?? []), ...(mini?.variants ?? [])].map(({ id }) => ({
          id,
          quantity: 1,
        })),
        ...["A", "B", "C", "D", "E"].map((Gravure) => ({
          id: x2?.variants[0]?.id,
          quantity: 1,
          properties: { Gravure },
        })),
      ];
      if (state === "nine insurable lines")
        await page.request.post(`${shop.origin}/cart/add.js`, { data: { items } });
      await page.reload();
      await page.getByRole("button", add).click();
      const drawer = page.getByRole("dialog");
      const panel = drawer.locator("parasol-cart");
      const lines = state === "an offer open" ? 1 : 9;
      await eventually(async () => expect(await panel.locator("summary").count()).toBe(lines));
      if (state === "an offer open")
        await eventually(async () => {
          const terms = panel.locator("fieldset:enabled");
          if (!(await terms.isVisible())) await panel.locator("summary").click({ timeout: 5_000 });
          expect(await terms.isVisible()).toBe(true);
        });
      // A point that a shopper can press: visible, and not covered.
      const button = drawer.locator("[name=checkout]");
      const inReach = (element: Element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      };
      expect(await button.evaluate(inReach)).toBe(true);
      const [line, offer] = await Promise.all([
        drawer.locator("a[href*='/products/']:not(parasol-cart *)").first().boundingBox(),
        panel.boundingBox(),
      ]);
      expect(offer?.x).toBeCloseTo(line?.x ?? 0, 0);
      for (const each of [drawer.locator("[name='updates[]']").first(), panel.locator("summary").last()]) {
        await each.scrollIntoViewIfNeeded();
        expect(await each.evaluate(inReach)).toBe(true);
        expect(await button.evaluate(inReach)).toBe(true);
      }
      await close();
    },
  );

  it("shows the choice and the price of all items again where the theme redraws its section", async () => {
    place("radio");
    const { page, problems, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByLabel("Quantité").first().fill("2");
    await page.getByText("128,00 €").filter({ visible: true }).waitFor();
    await redraw(page);
    // The theme's quantity is 1 again.
    await page.getByText("64,00 €", { exact: true }).filter({ visible: true }).waitFor();
    expect(await page.getByRole("radio", { name: "24 mois" }).isChecked()).toBe(true);
    expect(await page.getByRole("button", { name: "Acheter maintenant" }).isVisible()).toBe(false);
    await page.getByRole("radio", { name: "12 mois" }).check();
    await page.getByRole("button", add).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-12", 1]]);
    expect(problems).toEqual([]);
    await close();
  });

  it("says above the terms that a choice has ended, and no more once there is a new one", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("radio", { name: "24 mois" }).check();
    await pick(page, "512 Go");
    const status = page.locator("parasol-offer [role=status]");
    await status.getByText("Choisissez à nouveau").waitFor();
    const [above, terms] = await Promise.all([
      status.boundingBox(),
      page.getByRole("radio", { name: "12 mois" }).boundingBox(),
    ]);
    expect(above?.y).toBeLessThan(terms?.y ?? 0);
    await page.getByRole("radio", { name: "12 mois" }).check();
    expect(await status.innerText()).toBe("");
    await close();
  });

  it("hides its one checkbox for a variant without an offer, and shows it again for the next one", async () => {
    place("checkbox");
    const dearest = [...shop.state.products.values()].find(({ title }) => title === "Lumo X2")?.variants[2];
    if (!dearest) throw new Error("The shop has no third variant");
    const { price } = dearest;
    dearest.price = 150_000;
    const { page, problems, close } = await visit(browser, shop, "/products/lumo-x2");
    dearest.price = price;
    await pick(page, "512 Go");
    await page.locator("parasol-offer").waitFor({ state: "hidden" });
    await pick(page, "256 Go");
    await page.getByRole("checkbox", { name: "Ajouter l’assurance · 12 mois 48,00 €" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("shows one checkbox that says what it does, and the other durations in a window", async () => {
    place("checkbox");
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    const boxes = page.locator("parasol-offer [type=checkbox]:visible");
    expect(await boxes.count()).toBe(1);
    await page.getByRole("checkbox", { name: "Ajouter l’assurance · 12 mois" }).check();
    await page.getByRole("button", { name: "Autres durées" }).click();
    const dialog = page.getByRole("dialog");
    // The choice made outside shows inside.
    expect(await dialog.getByLabel("12 mois").isChecked()).toBe(true);
    await dialog.getByLabel("36 mois").check();
    await dialog.getByRole("button", { name: "Assurer mon smartphone" }).click();
    await page.getByRole("checkbox", { name: "Ajouter l’assurance · 36 mois", checked: true }).waitFor();
    expect(await boxes.count()).toBe(1);
    await page.getByRole("button", add).click();
    expect(plansIn(await cartBecomes(({ length }) => length === 2))).toEqual([["SMA-400-36", 1]]);
    await close();
  });

  it("sells nothing on a plan's own page, nor from the theme's bar", async () => {
    const plan = [...shop.state.products.values()].find(({ status }) => status === "UNLISTED");
    const { page, close } = await visit(browser, shop, `/products/${plan?.handle ?? ""}`);
    await page.getByText("L’assurance ne se vend pas seule").waitFor();
    await page.addStyleTag({ content: "body { min-height: 300vh }" });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    if (theme === "horizon-like") await page.locator("[data-stuck=true]").waitFor({ state: "attached" });
    expect(await page.getByRole("button", { name: /Ajouter/ }).count()).toBe(0);
    await close();
  });

  it("opens before adding and then adds once, the product and the plan; that ends the choice", async () => {
    place("modal");
    const { page, requests, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.getByRole("button", add).click();
    const dialog = page.getByRole("dialog", { name: "Votre smartphone couvert, partout" });
    await dialog.getByLabel("36 mois").check();
    expect(requests.filter((request) => request.url().includes("/cart/add"))).toEqual([]);
    await dialog.getByRole("button", { name: "Assurer mon smartphone" }).click();
    const items = await cartBecomes(({ length }) => length === 2);
    expect(items.map(({ quantity }) => quantity)).toEqual([1, 1]);
    expect(plansIn(items)).toEqual([["SMA-400-36", 1]]);
    await page.getByRole("dialog").getByText("Lumo X2").first().waitFor();
    expect(await page.locator("parasol-offer[data-chosen]").count()).toBe(0);
    await close();
  });

  it.each(["floating", "sticky"])(
    "lets the shopper close the %s format, for the whole visit",
    async (format) => {
      place(format);
      const { page, close } = await visit(browser, shop, "/products/lumo-x2");
      const offer = page.locator("parasol-offer section");
      await offer.getByRole("button", { name: "Fermer" }).click();
      await offer.waitFor({ state: "hidden" });
      for (const path of ["/products/lumo-mini", "/products/lumo-x2"]) {
        await page.goto(shop.origin + path);
        await page.locator("parasol-offer fieldset:enabled").first().waitFor({ state: "attached" });
        expect(await offer.isVisible()).toBe(false);
      }
      await close();
    },
  );

  it.each(["floating", "sticky"])(
    "keeps the %s format in a phone's window, where the theme's column slides in, and leaves a chat's button free",
    async (format) => {
      place(format);
      const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
        viewport: { width: 375, height: 812 },
        reducedMotion: "no-preference",
      });
      const offer = page.locator("parasol-offer section");
      await offer.locator("button").first().waitFor();
      const chat = { left: 375 - 16 - 56, top: 812 - 16 - 56 };
      for (const button of await offer.getByRole("button").all()) {
        const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        expect(height).toBeGreaterThanOrEqual(44);
        expect(width).toBeGreaterThanOrEqual(44);
        expect(y + height).toBeLessThanOrEqual(812);
        expect(y + height <= chat.top || x + width <= chat.left).toBe(true);
      }
      await close();
    },
  );

  it("keeps the page behind its window where it is", async () => {
    place("radio");
    const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
      viewport: { width: 375, height: 500 },
      hasTouch: true,
    });
    await page.getByRole("button", { name: "En savoir plus" }).click();
    const position = await page.evaluate(() => window.scrollY);
    await page.mouse.move(4, 100);
    await page.mouse.wheel(0, 300);
    // The window scrolls: the wheel has been handled by then.
    await page.mouse.move(180, 250);
    await page.mouse.wheel(0, 60);
    await page.waitForFunction(() =>
      [...document.querySelectorAll("dialog[open], dialog[open] *")].some((part) => part.scrollTop > 0),
    );
    expect(await page.evaluate(() => window.scrollY)).toBe(position);
    await close();
  });

  it.runIf(theme === "horizon-like").each(["floating", "sticky"])(
    "leaves the theme's own bar uncovered: %s",
    async (format) => {
      place(format);
      const { page, close } = await visit(browser, shop, "/products/lumo-x2", {
        viewport: { width: 375, height: 667 },
      });
      const offer = page.locator("parasol-offer section");
      await offer.waitFor();
      await page.addStyleTag({ content: "body { min-height: 300vh }" });
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.locator(".sticky-add-to-cart__bar[data-stuck=true]").waitFor();
      expect(await offer.isVisible()).toBe(false);
      await close();
    },
  );

  it.each([
    ["is cut off", "abort"],
    ["is answered by something else than the shop", "<html>"],
    ["never ends", ""],
  ])(
    "shows the product in the cart, and says that it is not insured, where the plan's request %s",
    async (_, end) => {
      place("radio");
      const { page, cart, problems, close } = await visit(browser, shop, "/products/lumo-x2");
      // The request's timeout elapses at once.
      if (!end)
        await page.evaluate(() => {
          const signals = [AbortSignal.abort()];
          AbortSignal.timeout = () => signals.pop() ?? new AbortController().signal;
        });
      await page.route(/cart\/add\.js$/, (route) =>
        end === "abort" ? route.abort() : route.fulfill({ contentType: "text/html", body: end }),
      );
      await page.getByRole("radio", { name: "24 mois" }).check();
      await page.getByRole("button", add).click();
      const drawer = page.getByRole("dialog");
      await drawer.locator("[name='updates[]']").waitFor();
      const said = page.getByText("Votre produit est dans le panier sans assurance.");
      await eventually(async () => expect(await said.first().textContent()).not.toBe(""));
      const { items } = await cart();
      expect(items.map(({ quantity }) => quantity)).toEqual([1]);
      // The browser logs the aborted request, and nothing else.
      expect(problems.map((problem) => /ERR_FAILED/.test(problem))).toEqual(end === "abort" ? [true] : []);
      await close();
    },
  );

  it("does not say that the plan is missing where the shop has added it and its answer alone is lost", async () => {
    place("radio");
    const { page, cart, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.route(/cart\/add\.js$/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("radio", { name: "24 mois" }).check();
    await page.getByRole("button", add).click();
    await page.getByRole("dialog").getByText("Assurance Smartphone casse et vol").first().waitFor();
    expect(await page.locator("parasol-offer [role=status]").innerText()).toBe("");
    expect(plansIn((await cart()).items)).toEqual([["SMA-400-24", 1]]);
    await close();
  });

  it("does not ask where the theme does not show the block", async () => {
    place("modal");
    const { page, cartBecomes, close } = await visit(browser, shop, "/products/lumo-x2");
    // As Horizon's quick-add window does.
    await page.addStyleTag({ content: ".shopify-app-block { display: none !important }" });
    await page.getByRole("button", add).click();
    await cartBecomes(({ length }) => length === 1);
    expect(await page.locator("parasol-offer dialog[open]").count()).toBe(0);
    await close();
  });
});
