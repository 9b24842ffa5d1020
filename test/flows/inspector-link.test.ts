/** From the storefront to "Why is there no offer here?": a merchant's way, in a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { request } from "undici";
import { scriptHeaders } from "#test/bench/admin/busy-shop.ts";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { appFrame, visit } from "#test/demo/visitors.ts";

let stage: Stage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage(), openBrowser()]);
  const { shop, insurance, app } = stage;
  shop.install();
  const send = async (path: string, form: Record<string, string>) => {
    const answer = await request(`${app.url}${path}`, {
      method: "POST",
      headers: {
        ...(await scriptHeaders(stage)),
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      },
      body: new URLSearchParams(form).toString(),
    });
    return answer.body.text();
  };
  const connected = await send("/app/connection.data", {
    intent: "connect",
    environment: "test",
    storeId: insurance.store_id,
    token: insurance.token_test,
    organisationToken: insurance.organisation_token,
  });
  expect(connected).toContain(`"connected"`);
  await send("/app/catalogue.data?index", { intent: "sync" });
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

test.each(["design_mode=1", "preview_theme=horizon-like"])(
  "a merchant who opens the theme (%s) gets from a product without an offer to the reason; a shopper sees nothing of it",
  async (looking) => {
    const { origin, state } = stage.shop;
    const product = [...state.products.values()].find(({ productType }) => productType === "Smartphone");
    const address = `${origin}/products/${product?.handle ?? ""}`;
    // The run of the catalogue writes the settings into the shop.
    await eventually(
      async () => (await (await fetch(`${address}?${looking}`)).text()).includes("data-parasol-why"),
      "the link",
    );
    const shopper = await visit(browser, stage);
    await shopper.page.goto(address);
    expect(await shopper.page.locator("[data-parasol-why]").count()).toBe(0);

    const merchant = await visit(browser, stage);
    await merchant.page.goto(`${address}?${looking}`);
    const opened = merchant.page.context().waitForEvent("page");
    await merchant.page.getByRole("link", { name: "Visible de vous seul" }).click();
    const admin = await opened;
    const frame = appFrame(admin);
    await frame
      .getByText(product?.title ?? "")
      .first()
      .waitFor();
    await frame
      .getByText(/Aucune offre|No offer/)
      .first()
      .waitFor();
    const { searchParams } = new URL(admin.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({
      variant: product?.variants[0]?.id,
      touchpoint: "product_page",
      currency: "EUR",
    });
    await Promise.all([shopper, merchant].map(({ page }) => page.context().close()));
  },
);
