/** The budgets of bytes and requests. test/bench/storefront.ts measures times. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { themeCheck } from "#test/theme-check.ts";
import { buildScripts } from "../../extensions/storefront-scripts/build.ts";
import { openTestShop } from "./shop.ts";
import { visit } from "./visit.ts";
import {
  asset,
  embeddedCatalogue,
  gzipped,
  scriptBytes,
  lazyScripts,
  scripts,
  styleBytes,
  thirtyReferences,
  layoutShift,
} from "./weight.ts";

describe("the extension's files", () => {
  it("are what the sources build to: run `npm run build:storefront` where this fails", async () => {
    for (const [name, code] of await buildScripts()) expect([name, await asset(name)]).toEqual([name, code]);
  });

  it("keep their budgets: 7 KB of script on the product page, 16 KB in all with what loads when needed, 4 KB of style", async () => {
    expect(await scriptBytes(["parasol-product.js"])).toBeLessThanOrEqual(7_000);
    expect(await scriptBytes([...scripts, ...lazyScripts])).toBeLessThanOrEqual(16_000);
    expect(await styleBytes()).toBeLessThanOrEqual(4_000);
  });

  it("embed 30 references in at most 4 KB", async () => {
    const shop = await openTestShop({ catalogue: thirtyReferences });
    const embedded = await embeddedCatalogue(shop);
    expect(embedded.match(/SMA-CV-/g)).toHaveLength(30);
    expect(gzipped(embedded)).toBeLessThanOrEqual(4_000);
    await shop.close();
  });

  it.each(["en.default", "fr"])("name the blocks in fewer than 25 characters: %s", async (language) => {
    const file = join(
      import.meta.dirname,
      `../../extensions/parasol-storefront/locales/${language}.schema.json`,
    );
    const texts = z
      .record(z.string(), z.looseObject({ name: z.string() }))
      .parse(JSON.parse(await readFile(file, "utf8")));
    for (const { name } of Object.values(texts)) expect(name.length, name).toBeLessThan(25);
  });

  it("have no Theme Check offense", async () => {
    expect(await themeCheck()).toEqual([]);
  });
});

describe("the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** The page has loaded: its scripts have run, their changes are drawn, and deferred work is done. */
  const settled = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          // A busy machine may be without idle time for minutes.
          requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 5_000 }));
        }),
    );

  it("loads one script once the offer is shown, another where the drawer is on, and none where all is off", async () => {
    const shop = await openTestShop();
    const ours = async (path: string) => {
      const { page, requests, close } = await visit(browser, shop, path);
      await settled(page);
      const requested = requests
        .map((request) => new URL(request.url()).pathname)
        .filter((each) => /extensions|apps|cart/.test(each));
      await close();
      return requested
        .map((each) => each.split("/").at(-1))
        .filter((name) => name?.includes("parasol") ?? false);
    };
    expect((await ours("/products/lumo-x2")).sort()).toEqual(["parasol-cart.js", "parasol-product.js"]);
    shop.state.theme.embeds = {};
    expect(await ours("/products/lumo-x2")).toEqual(["parasol-product.js"]);
    expect(await ours("/products/coque-lumo")).toEqual([]);
    expect(await ours("/collections/all")).toEqual([]);
    expect(await ours("/cart")).toEqual(["parasol-cart.js"]);
    shop.state.theme.blocks = {};
    expect(await ours("/products/lumo-x2")).toEqual([]);
    await shop.close();
  });

  it("does not move: no layout shift from the first paint through another variant to a choice", async () => {
    const shop = await openTestShop();
    const { page, close } = await visit(browser, shop, "/");
    // While the page arrives, the theme's own header shifts. The measurement starts with the whole page, when the
    // scripts run.
    const painted = Promise.withResolvers<undefined>();
    await page.route(/parasol-[a-z]+\.js/, async (route) => {
      await painted.promise;
      await route.continue();
    });
    await page.goto(`${shop.origin}/products/lumo-x2`, { waitUntil: "commit" });
    await page.waitForFunction(() => document.readyState === "interactive");
    const since = await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))),
        ),
    );
    painted.resolve(undefined);
    await page.getByText("512 Go", { exact: true }).click();
    await page.getByText("128,00 €").filter({ visible: true }).waitFor();
    await page.getByRole("radio", { name: "24 mois" }).check();
    await settled(page);
    expect(await layoutShift(page, since)).toBe(0);
    await close();
    await shop.close();
  });

  it("would be seen to move: the measure sees a shift", async () => {
    const shop = await openTestShop();
    const { page, close } = await visit(browser, shop, "/products/lumo-x2");
    await page.evaluate(() =>
      document.body.insertAdjacentHTML("afterbegin", '<div style="height:300px"></div>'),
    );
    await eventually(async () => expect(await layoutShift(page)).toBeGreaterThan(0));
    await close();
    await shop.close();
  });
});
