import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import { openBrowser } from "#test/browser.ts";
import { openShop, product } from "./client.ts";
import { startEmbeddedApp } from "./embedded-app.ts";

const shop = await openShop();
const app = await startEmbeddedApp(() => shop);
shop.setAppUrl(app.url);

let browser: Browser;
let page: Page;
/** What the browser's console and the pages complained about. */
let complaints: string[];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  complaints = [];

  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("401")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return async () => {
    await page.close();
    expect(complaints).toEqual([]);
  };
});

const open = async (path = ""): Promise<Frame> => {
  await page.goto(shop.adminUrl + path);
  await page.frameLocator("#app-frame").locator("h1").waitFor();
  const frame = page.frame("app-iframe");
  if (frame === null) throw new Error("no iframe");
  return frame;
};
const said = (text: string) =>
  page.frameLocator("#app-frame").locator("#said").getByText(text, { exact: true }).waitFor();

describe("the app in the admin", () => {
  it("opens at the address of the admin, with what the platform adds", async () => {
    const frame = await open("/catalogue?page=2");
    const url = new URL(frame.url());
    expect(`${url.origin}${url.pathname}`).toBe(`${app.url}/catalogue`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      page: "2",
      embedded: "1",
      shop: shop.shopDomain,
      locale: "fr",
      host: expect.any(String) as string,
      hmac: expect.any(String) as string,
      session: expect.any(String) as string,
    });
  });

  it("shows the app's navigation beside it, and follows it", async () => {
    await open();
    expect(await page.locator("#app-nav a").allTextContents()).toEqual(["Catalogue", "Orders"]);
    await page.locator("#app-nav").getByText("Orders").click();
    await page.frameLocator("#app-frame").getByRole("heading", { name: "/orders" }).waitFor();
    await page.waitForURL(`${shop.adminUrl}/orders`);
    expect(await page.locator("#app-nav a[aria-current]").allTextContents()).toEqual(["Orders"]);
  });

  it("keeps its address in step with the app's own navigation", async () => {
    const frame = await open();
    await frame.evaluate(() => history.pushState(null, "", "/orders/7?tab=plans"));
    await page.waitForURL(`${shop.adminUrl}/orders/7?tab=plans`);
  });

  it("gives a page without a token a new one: the bounce page comes back", async () => {
    const frame = await open();
    await frame.evaluate(
      (url) => location.assign(url),
      `/catalogue?embedded=1&shop=${shop.shopDomain}&host=x`,
    );
    await page.frameLocator("#app-frame").getByRole("heading", { name: "/catalogue" }).waitFor();
    expect(new URL(frame.url()).searchParams.get("id_token")).not.toBeNull();
  });

  it("sends a session token with the app's calls, and a fresh one when it is refused", async () => {
    const frame = await open();
    await frame.click("#api");
    await said("called");
    app.refuseNext = 1;
    await frame.evaluate(() => document.getElementById("said")?.replaceChildren());
    await frame.click("#api");
    await said("called");
    expect(app.calls).toEqual([true, true]);
  });

  it("sends no token to other origins", async () => {
    const frame = await open();
    const url = `${shop.origin}/app-bridge.js`;
    const sent = page.waitForRequest((request) => request.url() === url);
    // With a token the browser would send a preflight first, and this address does not allow it.
    expect(await frame.evaluate((address) => fetch(address).then(({ status }) => status), url)).toBe(200);
    expect((await sent).headers()["authorization"]).toBeUndefined();
  });

  it("shows the title bar and passes its buttons on", async () => {
    await open("/orders");
    expect(await page.locator("#app-title").textContent()).toBe("Page /orders");
    await page.locator("#app-buttons").getByText("Do it").click();
    await said("primary");
  });

  it("offers to save a form that was changed, and saves or discards it", async () => {
    const frame = await open();
    const bar = page.locator("#save-bar");
    expect(await bar.isVisible()).toBe(false);
    await frame.fill("input[name=name]", "after");
    await bar.waitFor();
    await page.click("#save");
    await said("saved after");
    await bar.waitFor({ state: "hidden" });
    await frame.fill("input[name=name]", "never");
    await page.click("#discard");
    await bar.waitFor({ state: "hidden" });
    expect(await frame.inputValue("input[name=name]")).toBe("before");
  });

  it("shows toasts, with their action", async () => {
    const frame = await open();
    await frame.click("#error");
    await page.getByRole("alert").getByText("Went wrong").waitFor();
    await frame.click("#toast");
    await page.getByRole("status").getByText("Undo").click();
    await said("undone");
  });

  it("picks products", async () => {
    const frame = await open();
    await frame.click("#pick");
    await page.getByLabel("Velin One Plus").check();
    await page.getByLabel("Velin Pro 12", { exact: true }).check();
    await page.getByRole("button", { name: "Choisir" }).click();
    await said("Velin One Plus,Velin Pro 12");
    await frame.click("#pick");
    await page.getByRole("button", { name: "Annuler" }).click();
    await said("none");
  });

  it("opens modals", async () => {
    const frame = await open();
    await frame.click("#modal");
    const dialog = page.frameLocator("#app-frame").getByRole("dialog");
    await dialog.getByText("Are you sure?").waitFor();
    await dialog.getByRole("button", { name: "Yes" }).click();
    await said("sure");
    await dialog.waitFor({ state: "hidden" });
  });

  it("leads to the admin's own pages", async () => {
    const frame = await open();
    await frame.click("#leave");
    await page.waitForURL(/\/store\/parasol-demo\/products$/);
    await page.getByRole("heading", { name: "Produits" }).waitFor();
  });

  it("knows who is logged in", async () => {
    const frame = await open();
    await frame.click("#who");
    await said("Camille Martin");
  });

  it("needs the merchant's consent before it installs the app", async () => {
    shop.uninstall();
    await page.goto(shop.adminUrl);
    await page.getByText("read_orders", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Installer" }).click();
    await page.frameLocator("#app-frame").locator("h1").waitFor();
    expect(shop.state.installation?.scopes).toEqual(shop.app.scopes);
  });
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
    complaints = complaints.filter((text) => !text.includes("409"));
  });

  it.each([
    ["orders", orders],
    ["an order", ""],
    ["products", orders.replace(/orders$/, "products")],
    ["webhooks", orders.replace(/orders$/, "webhooks")],
    ["the app", shop.adminUrl],
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
