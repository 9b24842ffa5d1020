/** The admin's own pages; what App Bridge does with the app is in test/flows. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import { openBrowser } from "#test/browser.ts";
import { openShop, product } from "./client.ts";

const shop = await openShop();

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  return () => page.close();
});

describe("the orders of the admin", () => {
  const order = () =>
    createPaidOrder(shop.state, {
      lines: [{ variantId: product(shop).variants[0]?.id ?? "", quantity: 2 }],
      email: "ines@example.fr",
    });
  const orders = `${new URL(shop.adminUrl).origin}/store/parasol-demo/orders`;

  it("can be refunded in part, then cancelled", async () => {
    const made = order();
    await page.goto(orders);
    await page.getByRole("link", { name: made.name }).click();
    await page.getByLabel("Rembourser: Velin One").fill("1");
    await page.getByRole("button", { name: "Rembourser" }).click();
    await page.getByText("Remboursée en partie").waitFor();
    expect(made.lines[0]?.currentQuantity).toBe(1);
    await page.getByRole("button", { name: "Annuler la commande" }).click();
    await page.getByText("Annulée").waitFor();
    expect(made).toMatchObject({ financialStatus: "refunded", cancelReason: "customer" });
    expect(await page.getByRole("button", { name: "Annuler la commande" }).isDisabled()).toBe(true);
  });

  it("say why a refund is refused", async () => {
    const made = order();
    await page.goto(`${orders}/${made.id}`);
    await page.getByLabel(/^Montant/).fill("5000");
    await page.getByRole("button", { name: "Rembourser" }).click();
    await page.getByRole("alert").waitFor();
    expect(made.refunds).toEqual([]);
  });

  it.each([
    ["orders", orders],
    ["an order", ""],
  ])("fit a phone: %s", async (_name, url) => {
    await page.setViewportSize({ width: 375, height: 720 });
    await page.goto(url === "" ? `${orders}/${order().id}` : url);
    await page.locator("main").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    const cut = await page.$$eval(
      ".card",
      (cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length,
    );
    expect(cut).toBe(0);
    expect(await page.locator("nav").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await page.locator("nav").isVisible()).toBe(true);
  });
});
