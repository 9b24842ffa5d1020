/** The merchant's other work in the admin: touchpoints, quotes, settings, connection. */
import { setTimeout as wait } from "node:timers/promises";
import type { Browser, Frame, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import goLive from "#app/locales/en/go-live.json" with { type: "json" };
import home from "#app/locales/en/home.json" with { type: "json" };
import quotes from "#app/locales/en/quotes.json" with { type: "json" };
import products from "#app/locales/en/products.json" with { type: "json" };
import touchpoints from "#app/locales/en/touchpoints.json" with { type: "json" };
import common from "#app/locales/en/common.json" with { type: "json" };
import settings from "#app/locales/en/settings.json" with { type: "json" };
import tasks from "#app/locales/en/tasks.json" with { type: "json" };
import { REFERENCE } from "#app/shopify/line-properties.ts";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { insurerTexts } from "#test/insurer-texts.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { appFrame, visit } from "#test/demo/visitors.ts";
import type { Visitor } from "#test/demo/visitors.ts";
import { customer } from "#test/orders/references.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import {
  fitsPhone,
  isToldByToast,
  merchantIn,
  openPage,
  pageDocument,
  sellInsurance,
  seriousIn,
} from "./admin.ts";

/** Timeout of a catalogue sync: after a failed first attempt it retries a minute later. */
const SYNC_MS = 400_000;

let stage: Stage;
let browser: Browser;
let merchant: Visitor;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage(), openBrowser()]);
  stage.shop.install();
  await sellInsurance(stage);
  merchant = await merchantIn(browser, stage, "en");
  await merchant.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

const app = () => appFrame(merchant.page);
/** The browser's Back. Not the driver's own, which waits for a page that may not load. */
const goBack = () => merchant.page.evaluate("void setTimeout(() => history.back())");
/** Answers the next dialog of the browser or the admin. @returns its kind */
const question = (answer: "accept" | "dismiss") =>
  new Promise<string>((resolve) => {
    merchant.page.once("dialog", (dialog) => {
      resolve(dialog.type());
      void (answer === "accept" ? dialog.accept() : dialog.dismiss());
    });
  });
const admin = (name: string) => merchant.page.getByRole("button", { name, exact: true });

/** Saves, and waits until the save bar closes, after the page shows the saved values. */
async function save(): Promise<void> {
  await admin("Save").click();
  await merchant.page.locator("#save-bar").waitFor({ state: "hidden" });
}

/** The first touchpoint's preview. */
const preview = (frame: Frame) => frame.locator('iframe[title^="Preview"]').first().contentFrame();

/** The theme extension's current settings. */
function storefront(): {
  touchpoints: Record<string, boolean>;
  texts: StorefrontSettings["texts"];
} {
  const metafields = [...stage.shop.state.metafields.values()];
  const settings = metafields.find(({ namespace, key }) => namespace === "settings" && key === "storefront");
  return {
    touchpoints: Object.fromEntries(
      metafields
        .filter(({ namespace }) => namespace === "touchpoints")
        .map(({ key, value }) => [key, value === "true"]),
    ),
    texts: storefrontSettings.parse(JSON.parse(settings?.value ?? "{}")).texts,
  };
}

describe("Touchpoints", () => {
  test("one that is switched off and on again is so in the storefront at once, with the merchant's words", async () => {
    const { frame } = await openPage(stage, merchant, "/app/touchpoints");
    const cart = frame.locator(".Polaris-ShadowBevel", { hasText: "A button for each product" });
    await frame.getByRole("link", { name: touchpoints.place.texts }).click();
    await frame.getByLabel("Headline", { exact: true }).fill("Cover it now");
    // The preview shows the texts before they are saved.
    await preview(frame).getByText("Cover it now").first().waitFor();
    // The other pages belong to the same form: the first page's input is saved together with theirs.
    await frame.getByRole("link", { name: touchpoints.place.cart }).click();
    // The theme editor's link can only put the block at the end of the cart's section.
    await cart.getByText("above the “Check out” button").waitFor();
    await cart.getByLabel("Offer insurance here").uncheck();
    await admin("Save").click();
    // The confirmation names the countries that lose the offer, and the app saves only after the answer.
    const dialog = app().getByRole("dialog");
    await dialog.getByText("Stop offering insurance: Cart page?").waitFor();
    expect(storefront().touchpoints["cart"]).not.toBe(false);
    await dialog.getByRole("button", { name: "Stop offering" }).click();
    await merchant.page.locator("#save-bar").waitFor({ state: "hidden" });
    expect(storefront().touchpoints).toMatchObject({ product_page: true, cart: false, mini_cart: true });
    expect(storefront().texts).toEqual({ en: { headline: "Cover it now" } });

    await cart.getByLabel("Offer insurance here").check();
    await save();
    expect(storefront().touchpoints["cart"]).toBe(true);

    // Home does not report a switched-off touchpoint as shown in the theme.
    await frame.getByRole("link", { name: touchpoints.place.product_page }).click();
    const productPage = frame.locator(".Polaris-ShadowBevel", {
      hasText: "Next to the “Add to cart” button",
    });
    await productPage.getByLabel("Offer insurance here").uncheck();
    await admin("Save").click();
    await dialog.getByRole("button", { name: "Stop offering" }).click();
    await merchant.page.locator("#save-bar").waitFor({ state: "hidden" });
    const { html } = await pageDocument(stage, "/app");
    expect(html).toContain(`>${home.health.switchedOff}`);
    // What stops the sale comes before what is only missing.
    expect(html.indexOf(home.permission.cover)).toBeGreaterThan(html.indexOf(home.health.switchedOff));
    expect(html).toContain(">2 things need you");
    await productPage.getByLabel("Offer insurance here").check();
    await save();
    expect((await pageDocument(stage, "/app")).html).not.toContain(`>${home.health.switchedOff}`);
    expect(await seriousIn(frame)).toEqual([]);
    expect(merchant.complaints).toEqual([]);
  });

  test("a link of Go live lands on the field or the part that it names, and Tab goes on from there", async () => {
    for (const [hash, action] of [
      ["insurer", goLive.insurer.action],
      ["orders", goLive.permissions.action],
    ] as const) {
      const { frame } = await openPage(stage, merchant, "/app/go-live");
      await frame.getByRole("link", { name: action }).first().click();
      await eventually(async () => {
        expect(await frame.evaluate<string>("document.activeElement.id")).toBe(hash);
      });
      const top = await frame.evaluate<number>("document.activeElement.getBoundingClientRect().top");
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(await frame.evaluate<number>("window.innerHeight"));
    }
    // The page of the texts says it at its fields.
    const { frame } = await openPage(stage, merchant, "/app/touchpoints?place=texts&language=fr");
    expect(await frame.getByText("shoppers read no cover there").count()).toBe(0);
  });

  test("the preview is as wide as a phone when a phone is chosen, and changes with the format", async () => {
    const { frame } = await openPage(stage, merchant, "/app/touchpoints");
    const width = async () => (await frame.getByTitle("Preview").boundingBox())?.width ?? 0;
    await preview(frame).getByRole("heading", { name: "Product" }).waitFor();
    // The page reports a failed preview and requests it again.
    const failed = frame.getByText(touchpoints.preview.failed);
    await merchant.page.route("**/app/touchpoints/preview", (route) => route.fulfill({ status: 503 }));
    await frame.getByRole("radio", { name: "Banner" }).check();
    await failed.waitFor();
    await merchant.page.unroute("**/app/touchpoints/preview");
    await frame.getByRole("button", { name: "Try again" }).click();
    await failed.waitFor({ state: "detached" });
    expect(merchant.complaints.splice(0).join()).toContain("503");
    const wide = await width();
    await frame.getByRole("button", { name: "Mobile" }).first().click();
    await eventually(async () => (await width()) < wide, "a narrow preview");
    expect(await width()).toBeLessThanOrEqual(375);
    await frame.getByRole("radio", { name: "Floating button" }).check();
    await admin("Discard").click();
    await eventually(
      () => frame.getByRole("radio", { name: "List of terms" }).isChecked(),
      "the format as it was",
    );
  });
});

test.each(["design_mode=1", "preview_theme=horizon-like"])(
  "a merchant who opens the theme (%s) gets from a product without an offer to the reason; a shopper sees nothing of it",
  async (opening) => {
    const { origin, state } = stage.shop;
    const product = [...state.products.values()].find(({ productType }) => productType === "Tablette");
    const address = `${origin}/products/${product?.handle ?? ""}`;
    // The catalogue's run writes the settings into the shop.
    await eventually(
      async () => (await (await fetch(`${address}?${opening}`)).text()).includes("data-parasol-why"),
      "the link",
    );
    const { page } = await visit(browser, stage);
    await page.goto(address);
    expect(await page.locator("[data-parasol-why]").count()).toBe(0);
    await page.goto(`${address}?${opening}`);
    const opened = page.context().waitForEvent("page");
    await page.locator("[data-parasol-why]").getByRole("link").click();
    const inspector = await opened;
    const frame = appFrame(inspector);
    await frame
      .getByText(product?.title ?? "")
      .first()
      .waitFor();
    await frame.getByText("No offer is shown").first().waitFor();
    expect(Object.fromEntries(new URL(inspector.url()).searchParams)).toMatchObject({
      variant: product?.variants[0]?.id,
      touchpoint: "product_page",
      currency: "EUR",
    });
    await page.context().close();
  },
);

describe("Quotes", () => {
  /** The form's required fields besides the first name. */
  async function fillQuote(frame: Frame): Promise<void> {
    const entries = {
      "Last name": "Marchand",
      Email: "zoe.marchand@example.com",
      Phone: "+33612345678",
      Address: "3 rue des Lilas",
      "Postal code": "75020",
      City: "Paris",
    };
    for (const [label, value] of Object.entries(entries))
      await frame.getByLabel(label, { exact: true }).fill(value);
    await frame.getByRole("button", { name: "Choose a product" }).click();
    const product = [...stage.shop.state.products.values()].find(
      ({ productType }) => productType === "Smartphone",
    );
    await merchant.page
      .getByRole("dialog")
      .getByText(product?.title ?? "no product")
      .first()
      .click();
    const confirm = merchant.page.getByRole("dialog").getByRole("button", { name: /^(Select|Add|Done)/ });
    if ((await confirm.count()) > 0) await confirm.first().click();
    await frame
      .getByText(product?.title ?? "no product")
      .first()
      .waitFor();
  }

  test("a quote whose form has gaps says which and keeps what was entered; complete, it has a link to copy", async () => {
    const { frame } = await openPage(stage, merchant, "/app/quotes/new");
    await frame.getByLabel("First name", { exact: true }).fill("Zoé");
    const dialog = question("dismiss");
    await merchant.page.locator("#app-nav").getByText("Tasks").click();
    expect(await dialog).toBe("confirm");
    await frame.getByLabel("Email").fill("zoe.marchand");
    await frame.getByRole("button", { name: "Create quote" }).click();
    // Submitting from the bottom moves the focus to the first missing field.
    await frame.locator("button:focus", { hasText: "Choose a product" }).waitFor();
    await frame.locator("[aria-invalid=true]").first().waitFor();
    expect(await frame.getByLabel("First name", { exact: true }).inputValue()).toBe("Zoé");
    expect(await seriousIn(frame)).toEqual([]);
    await fillQuote(frame);
    await frame.getByRole("button", { name: "Create quote" }).click();

    await app()
      .getByRole("heading", { name: /^Quote /, level: 1 })
      .waitFor();
    const link = app().getByLabel("Link for the customer");
    const address = await link.inputValue();
    expect(address).toMatch(/^https?:\/\//);
    await app()
      .getByText(/^Valid until /)
      .waitFor();
    await app().getByText("Active", { exact: true }).first().waitFor();
    await app().getByRole("button", { name: "Copy", exact: true }).click();
    await isToldByToast(merchant, "Copied to the clipboard");
    expect(await merchant.page.evaluate<string>("navigator.clipboard.readText()")).toBe(address);
    expect(await seriousIn(frame)).toEqual([]);
    await merchant.page.locator("#save-bar").waitFor({ state: "hidden" });
    expect(merchant.complaints).toEqual([]);
  });

  test("a quote that the insurer did not confirm can be sent again as it was entered, or deleted after a question", async () => {
    stage.insurance.faults.add({ operation: "leads.create", kind: "status", status: 500, times: null });
    const { frame } = await openPage(stage, merchant, "/app/quotes/new");
    await frame.getByLabel("First name", { exact: true }).fill("Noé");
    await fillQuote(frame);
    await frame.getByRole("button", { name: "Create quote" }).click();
    await app().getByRole("heading", { name: quotes.one.unconfirmed.title, level: 1 }).waitFor();
    stage.insurance.faults.clear();
    await app().getByText(quotes.state.unknown, { exact: true }).first().waitFor();
    expect(await seriousIn(frame)).toEqual([]);
    await fitsPhone(merchant, frame);

    await app().getByRole("link", { name: quotes.one.unconfirmed.again }).click();
    const firstName = app().getByLabel("First name", { exact: true });
    await firstName.waitFor();
    expect(await firstName.inputValue()).toBe("Noé");
    await merchant.page.goBack();

    await app().getByRole("button", { name: quotes.one.unconfirmed.drop }).click();
    const dialog = app().getByRole("dialog");
    await dialog.getByRole("button", { name: common.action.cancel }).click();
    await app().getByRole("button", { name: quotes.one.unconfirmed.drop }).click();
    await dialog.getByRole("button", { name: quotes.one.unconfirmed.drop }).click();
    await app().getByRole("link", { name: quotes.create }).first().waitFor();
    expect(await app().getByText(quotes.one.unconfirmed.title).count()).toBe(0);
  });
});

test("equal tasks of several orders are selected with the keyboard and answered at once, after a confirmation", async () => {
  const { state } = stage.shop;
  const variant = [...state.products.values()].find(({ status }) => status === "ACTIVE")?.variants[0];
  if (!variant) throw new Error("The demo shop is empty");
  variant.tracked = false;
  // A product that a shopper marks as a plan becomes a task for each item.
  const orders = [1, 2, 3].map((number) =>
    createPaidOrder(state, {
      email: `bulk${number}@example.com`,
      billingAddress: customer,
      lines: [
        {
          variantId: variant.id,
          quantity: 1,
          price: 100 * number,
          properties: [{ name: REFERENCE, value: "FORGED" }],
        },
      ],
    }),
  );
  const title = tasks.kind.line_left_out.title;
  const open = () => openPage(stage, merchant, "/app/tasks?group=decide");
  const cards = (frame: Frame) => frame.getByRole("heading", { name: title, level: 3 });
  const { frame } = await eventually(async () => {
    const page = await open();
    expect(await cards(page.frame).count()).toBe(3);
    return page;
  }, "a task for each order");

  const { keyboard } = merchant.page;
  await frame.getByRole("checkbox", { name: `Select: ${title} ${orders[0]?.name ?? ""}` }).focus();
  await keyboard.press("Space");
  await frame.getByRole("region", { name: "1 task selected" }).waitFor();
  await frame.getByRole("button", { name: "Select all 3 of this kind" }).focus();
  await keyboard.press("Enter");
  const bar = frame.getByRole("region", { name: "3 tasks selected" });
  await bar.getByText("3 tasks selected, €6.00").waitFor();
  // The focus stays in the bar after the button is disabled.
  await bar.locator("button:focus", { hasText: tasks.bulk.clear }).waitFor();
  expect(await frame.getByRole("checkbox", { checked: true }).count()).toBe(3);
  expect(await seriousIn(frame)).toEqual([]);
  await fitsPhone(merchant, frame);

  // Closing the confirmation answers no task and keeps the selection.
  const dialog = app().getByRole("dialog");
  await bar.getByRole("button", { name: tasks.action.dismiss }).focus();
  await keyboard.press("Enter");
  await dialog.getByText("Dismiss 3 tasks?").waitFor();
  await dialog.getByText("Customers paid €6.00 for this insurance.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await bar.waitFor();
  expect(await cards(frame).count()).toBe(3);

  await bar.getByRole("button", { name: tasks.action.dismiss }).click();
  await dialog.getByRole("button", { name: tasks.action.dismiss }).click();
  await isToldByToast(merchant, tasks.bulk.answered);
  await bar.waitFor({ state: "detached" });
  await cards(frame).first().waitFor({ state: "detached" });
  const closed = await openPage(stage, merchant, "/app/tasks?state=closed");
  expect(await cards(closed.frame).count()).toBe(3);

  // Beginning a quote from one of these orders would discard the earlier input.
  const begun = await openPage(stage, merchant, "/app/quotes/new");
  const firstName = begun.frame.getByLabel("First name", { exact: true });
  await firstName.fill("Zoé");
  const asked = question("dismiss");
  await begun.frame.getByRole("link", { name: "Use order" }).first().click();
  expect(await asked).toBe("confirm");
  expect(await firstName.inputValue()).toBe("Zoé");
  const leaving = question("accept");
  await begun.frame.getByRole("link", { name: "Use order" }).first().click();
  await leaving;
  await begun.frame.getByRole("link", { name: "Start from nothing" }).waitFor();
  expect(merchant.complaints).toEqual([]);
});

test("another account takes over once its catalogue is in the shop: until then every page says so, and the shop sells what it sold", async () => {
  const { insurance, shop } = stage;
  const sold = () =>
    new Set(
      [...shop.state.products.values()]
        .filter(({ status, tags }) => status === "UNLISTED" && tags.includes("parasol-insurance"))
        .map(({ handle }) => (/-test(-\d+)?$/.test(handle) ? "test" : "production")),
    );
  await openPage(stage, merchant, "/app/touchpoints?place=texts");
  for (const [id, text] of Object.entries(insurerTexts)) await app().locator(`#${id}`).fill(text);
  await merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  await isToldByToast(merchant, touchpoints.saved);
  await openPage(stage, merchant, "/app/connection");
  const production = app().getByRole("region", { name: "Production" });
  await production.getByRole("button", { name: "Connect your production account" }).click();
  await production.getByLabel("Store ID").fill(insurance.store_id);
  await production.getByLabel("Access token").fill(insurance.token_production);
  await production.getByRole("button", { name: "Connect" }).click();
  await production.getByRole("link", { name: "Go live" }).first().click();
  const release = shop.api.bulk.hold("QUERY");
  await app().getByRole("button", { name: "Go live" }).click();
  await app().getByRole("dialog").getByRole("button", { name: "Go live" }).click();
  await app().getByRole("heading", { name: "The production catalogue is being synced" }).waitFor();

  const testMode = app().getByRole("region", { name: common.selling.title });
  await merchant.page.locator("#app-nav").getByText("Settings").click();
  await app().getByRole("link", { name: "Connection", exact: true }).click();
  await production.getByText("In use once synced").waitFor();
  expect(await production.getByRole("button", { name: "Stop the switch" }).isEnabled()).toBe(true);
  await merchant.page.getByRole("link", { name: "Parasol", exact: true }).click();
  await app().getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await testMode.getByText("Your shop is going live. It sells test insurance until").waitFor();
  expect(sold()).toEqual(new Set(["test"]));

  // A failed poll leaves the page unchanged.
  const lost = /\/healthz|\/app\.data/;
  await merchant.page.route(lost, (route) => route.abort());
  await merchant.page.waitForRequest(lost);
  await merchant.page.waitForRequest(lost);
  expect(await app().getByRole("heading", { name: "Home", level: 1 }).isVisible()).toBe(true);
  await merchant.page.unroute(lost);

  // Each response takes longer than the interval between the page's requests.
  await merchant.page.route(/\/app\.data/, async (route) => {
    await wait(3_000);
    await route.continue();
  });
  release();
  // Home updates without a reload, and does not call real contracts test contracts.
  await testMode
    .getByText(common.testMode.title, { exact: true })
    .waitFor({ state: "detached", timeout: SYNC_MS });
  await merchant.page.unroute(/\/app\.data/);
  await eventually(() => expect(sold()).toEqual(new Set(["production"])), "production insurance alone", {
    withinMs: SYNC_MS,
  });
  // The browser logs the lost requests.
  expect(merchant.complaints.filter((each) => !/ERR_FAILED|Failed to fetch/.test(each))).toEqual([]);
  merchant.complaints.splice(0);
});

test("what the settings need of Shopify is requested in one place, all of it at once", async () => {
  const { frame } = await openPage(stage, merchant, "/app/settings");
  const allow = frame.getByRole("button", { name: "Allow in Shopify" });
  await allow.waitFor();
  expect(await allow.count()).toBe(1);
  const dialog = question("accept");
  await allow.click();
  expect(await dialog).toBe("confirm");
  await isToldByToast(merchant, "Permission granted");
  await allow.waitFor({ state: "detached" });
  const granted = stage.shop.state.installation?.scopes ?? [];
  expect(granted).toEqual(
    expect.arrayContaining(["write_orders", "write_merchant_managed_fulfillment_orders"]),
  );
  expect(await seriousIn(frame)).toEqual([]);
});

describe("what cannot be undone needs a confirmation", () => {
  test("personal data: nothing is saved while the merchant has not confirmed", async () => {
    await openPage(stage, merchant, "/app/settings?part=data");
    const retention = app().getByLabel("Delete customers’ personal data after");
    await retention.selectOption("6");
    await admin("Save").click();
    const dialog = app().getByRole("dialog");
    await dialog.getByText("Delete personal data older than 6 months?").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await openPage(stage, merchant, "/app/settings?part=data");
    expect(await retention.inputValue()).toBe("36");

    await retention.selectOption("24");
    await admin("Save").click();
    await dialog.getByRole("button", { name: "Save and delete" }).click();
    await isToldByToast(merchant, "Settings saved");
    await openPage(stage, merchant, "/app/settings?part=data");
    expect(await retention.inputValue()).toBe("24");
  });

  test("another store: a confirmation that was left does not come back with the form", async () => {
    const other = stage.insurance.stores.at(-1);
    if (!other) throw new Error("The stand-in has no other store");
    const { frame } = await openPage(stage, merchant, "/app/connection");
    const account = frame.getByRole("region", { name: "Test" });
    const dialog = app().getByRole("dialog");
    await account.getByRole("button", { name: "Change" }).click();
    const own = await account.getByLabel("Store ID").inputValue();
    await account.getByLabel("Store ID").fill(other.store_id);
    await account.getByLabel("Access token").fill(other.token_test);
    await account.getByLabel("This is the token of the test environment").check();
    await account.getByRole("button", { name: "Check and save" }).click();
    await dialog.getByText(/^Connect another store than/).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await account.getByRole("button", { name: "Cancel" }).click();
    await account.getByRole("button", { name: "Change" }).click();
    expect(await account.getByLabel("Store ID").inputValue()).toBe(own);
    expect(await dialog.count()).toBe(0);
    await account.getByRole("button", { name: "Cancel" }).click();
  });

  test("an account: it is disconnected after the confirmation, and not before", async () => {
    const { frame } = await openPage(stage, merchant, "/app/connection");
    const account = frame.getByRole("region", { name: "Test" });
    const dialog = app().getByRole("dialog");
    await account.getByRole("button", { name: "Disconnect" }).click();
    await dialog.getByText("The tokens are deleted from Parasol.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await account.getByText("Connected", { exact: true }).waitFor();
    await account.getByRole("button", { name: "Disconnect" }).click();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await account.getByText("Not connected", { exact: true }).waitFor();
  });
});

describe("what is not saved yet", () => {
  const keptFor = (frame: Frame) => frame.getByLabel("Delete customers’ personal data after");
  const showPart = async (frame: Frame, name: string) => {
    await frame.getByRole("link", { name, exact: true }).click();
    await frame.locator("a[aria-current]", { hasText: name }).waitFor();
  };

  test("needs a confirmation before a link, an entry of the menu, Back or a reload takes it away", async () => {
    const { frame } = await openPage(stage, merchant, "/app/history");
    await frame.getByRole("link", { name: "Data and reports", exact: true }).click();
    await keptFor(frame).selectOption("12");
    await merchant.page.locator("#save-bar").waitFor();
    const ways = {
      link: () => frame.getByRole("link", { name: "History", exact: true }).click(),
      menu: () => merchant.page.locator("#app-nav").getByText("Tasks").click(),
      back: goBack,
    };
    for (const go of Object.values(ways)) {
      const dialog = question("dismiss");
      await go();
      expect(await dialog).toBe("confirm");
      expect(await keptFor(frame).inputValue()).toBe("12");
    }
    const dialog = question("dismiss");
    // Not the driver's own reload, which waits for a page that does not load.
    await merchant.page.evaluate("void setTimeout(() => location.reload())");
    expect(await dialog).toBe("beforeunload");
    expect(await keptFor(frame).inputValue()).toBe("12");
    // A merchant who confirms leaves the page, and the bar closes.
    const leaving = question("accept");
    await ways.menu();
    expect(await leaving).toBe("confirm");
    await app().getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    await merchant.page.locator("#save-bar").waitFor({ state: "hidden" });
    await goBack();
    await frame.getByRole("link", { name: "Data and reports", exact: true }).waitFor();
    expect(await keptFor(frame).inputValue()).not.toBe("12");
    await keptFor(frame).selectOption("12");
    const goingBack = question("accept");
    await ways.back();
    expect(await goingBack).toBe("confirm");
    await frame.locator("a[aria-current]", { hasText: "History" }).waitFor();
    await merchant.page.locator("#save-bar").waitFor({ state: "hidden" });
    expect(merchant.complaints).toEqual([]);
  });

  test("stays while the merchant reads the other parts, and a save shows the part that has something wrong", async () => {
    const { frame } = await openPage(stage, merchant, "/app/settings?part=mails");
    await frame.getByLabel(settings.mail.replyTo).fill("no address");
    await showPart(frame, "Data and reports");
    await merchant.page.locator("#save-bar").waitFor();
    await admin("Save").click();
    await frame.locator("a[aria-current]", { hasText: "Emails" }).waitFor();
    await frame.getByText(settings.mail.replyToInvalid).waitFor();
    expect(await frame.getByLabel(settings.mail.replyTo).inputValue()).toBe("no address");
    await admin("Discard").click();
    expect(merchant.complaints).toEqual([]);
  });

  test("is also a rule that is still being written: it needs a confirmation, and Save finishes it or says what is missing", async () => {
    const { frame } = await openPage(stage, merchant, "/app/products");
    const add = frame.getByRole("button", { name: "Add rule" });
    await add.click();
    // The form takes the focus wherever it opens, and returns it.
    await frame.locator("select:focus").waitFor();
    await frame.getByRole("button", { name: "Cancel" }).click();
    await frame.locator("button:focus", { hasText: "Add rule" }).waitFor();
    await add.click();
    await frame.getByLabel("Condition", { exact: true }).selectOption({ label: "Title" });
    await frame.getByLabel("Value", { exact: true }).fill("Gift card");
    await merchant.page.locator("#save-bar").waitFor();
    const dialog = question("dismiss");
    await merchant.page.locator("#app-nav").getByText("Tasks").click();
    expect(await dialog).toBe("confirm");

    await admin("Save").click();
    await frame.getByText("Choose a category, or no insurance").waitFor();
    await frame.locator("select[aria-invalid=true]:focus").waitFor();
    await merchant.page.locator("#save-bar").waitFor();

    await frame.getByLabel("Then the product gets").selectOption({ label: "No insurance (exclusion)" });
    await save();
    const { frame: again } = await openPage(stage, merchant, "/app/products");
    await again.getByRole("heading", { name: "Title contains “Gift card”" }).waitFor();
    expect(merchant.complaints).toEqual([]);
  });

  test("is also a rule whose effect could not be counted: the card says so and offers to try again", async () => {
    const { page } = merchant;
    const { frame } = await openPage(stage, merchant, "/app/products");
    const isPreview = (request: Request) => request.postData()?.includes("intent=preview") === true;
    await page.route("**/app/products.data*", (route, request) =>
      isPreview(request) ? route.abort() : route.continue(),
    );
    await frame.getByRole("button", { name: "Add rule" }).click();
    await frame.getByLabel("Condition", { exact: true }).selectOption({ label: "Title" });
    await frame.getByLabel("Value", { exact: true }).fill("Voucher");
    await frame.getByLabel("Then the product gets").selectOption({ label: "No insurance (exclusion)" });
    await frame.getByRole("button", { name: "Done", exact: true }).click();
    await frame.getByText(products.preview.missing).waitFor();
    // The request is automatic, so no banner appears.
    expect(await frame.getByText(common.said.unanswered).count()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
    await frame.getByRole("button", { name: common.action.retry }).click();
    await frame.getByText(products.preview.missing).waitFor({ state: "detached" });
    await admin("Discard").click();
    // The browser logs the lost request.
    merchant.complaints.splice(0);
  });

  test("is also a rule whose preview arrives while the page reads what was saved", async () => {
    const { page } = merchant;
    const { frame } = await openPage(stage, merchant, "/app/products");
    const isPreview = (request: Request) => request.postData()?.includes("intent=preview") === true;
    const pageRequested = Promise.withResolvers<unknown>();
    const previewDone = Promise.withResolvers<unknown>();
    const saved = Promise.withResolvers<unknown>();
    const noteRead = (request: Request) => {
      if (request.method() === "GET" && request.url().includes("/app/products.data"))
        previewDone.resolve(request);
    };
    page.on("requestfinished", noteRead);
    let requests = 0;
    await page.route("**/app/products.data*", async (route, request) => {
      const routes = new URL(request.url()).searchParams.get("_routes");
      // The page's polling while rules are applied would hide the effects of a save.
      if (routes === "routes/app.products._index") {
        await saved.promise;
        return route.continue();
      }
      const response = await route.fetch();
      const isPage = request.method() === "GET" && (requests += 1) === 1;
      if (isPage) {
        pageRequested.resolve(request);
        await previewDone.promise;
      }
      if (isPreview(request)) await pageRequested.promise;
      await route.fulfill({ response });
    });
    const previewed = page.waitForRequest(isPreview);
    await frame.getByRole("button", { name: "Add rule" }).click();
    await frame.getByLabel("Condition", { exact: true }).selectOption({ label: "Title" });
    await frame.getByLabel("Value", { exact: true }).fill("Voucher");
    await frame.getByLabel("Then the product gets").selectOption({ label: "No insurance (exclusion)" });
    await frame.getByRole("button", { name: "Done", exact: true }).click();
    await previewed;
    await save();
    // No input is held back any more.
    page.off("requestfinished", noteRead);
    previewDone.resolve(null);
    saved.resolve(null);
    await page.unrouteAll({ behavior: "wait" });
    expect(merchant.complaints).toEqual([]);
  });

  test("is kept beside what another window saved meanwhile, and the merchant decides", async () => {
    const { frame } = await openPage(stage, merchant, "/app/settings?part=data");
    const other: Visitor = { ...merchant, page: await merchant.page.context().newPage() };
    const second = await openPage(stage, other, "/app/settings?part=data");
    await keptFor(second.frame).selectOption("36");
    await showPart(second.frame, "Emails");
    await second.frame.getByLabel("Subject").fill("From the other window");
    await other.page.getByRole("button", { name: "Save", exact: true }).click();
    await other.page.locator("#save-bar").waitFor({ state: "hidden" });
    await other.page.close();

    await keptFor(frame).selectOption("60");
    await admin("Save").click();
    const banner = frame.locator(".Polaris-Banner", { hasText: "Other settings were saved in the meantime" });
    await banner.waitFor();
    const said = await banner.innerText();
    expect(said).toContain("Subject (en): now “From the other window”, you changed nothing there");
    expect(said).toContain("personal data after: now “3 years”, here “5 years”");
    expect(await seriousIn(frame)).toEqual([]);
    await banner.getByRole("button", { name: "Keep my changes" }).click();
    await banner.waitFor({ state: "detached" });
    await showPart(frame, "Emails");
    expect(await frame.getByLabel("Subject").inputValue()).toBe("From the other window");
    await showPart(frame, "Data and reports");
    expect(await keptFor(frame).inputValue()).toBe("60");
    await save();
    expect(merchant.complaints).toEqual([]);
  });
});
