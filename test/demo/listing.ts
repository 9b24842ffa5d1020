/**
 * `npm run listing`: draws the pictures of the app's listing from the demo into `reports/listing/`. They are the icon
 * (1200 × 1200) and, in both languages, screenshots for desktops (1600 × 900) and phones (900 × 1600). They show the
 * app without the admin around it, as Shopify's listing rules require. With `--readme` it draws the README's four
 * pictures into `docs/images/` instead.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { documentAddress, openBusyShop } from "#test/bench/admin/busy-shop.ts";
import { drive } from "./drive.ts";
import { merchantSteps } from "./merchant.ts";
import { sellForAMonth } from "./month.ts";
import { shopIn } from "./shop-language.ts";
import { fillCheckout, insurableProduct } from "./shopper.ts";
import { openStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { runSteps } from "./steps.ts";
import { isTakenOver, visit } from "./visitors.ts";

const { values: options } = parseArgs({ options: { readme: { type: "boolean", default: false } } });
const folder = join("reports", "listing");
const locales = ["fr", "en"] as const;
/** Size of the pictures and of the page in them, in pixels. */
const sizes = {
  desktop: { width: 1600, height: 900, scale: 1.25 },
  phone: { width: 900, height: 1600, scale: 2 },
};
type Size = keyof typeof sizes;

const README_FOLDER = join("docs", "images");

/** Pages of a shop with years of orders. */
const adminPages = { home: "/app", orders: "/app/orders", analytics: "/app/analytics" };

const browser = await openBrowser();
try {
  await (options.readme ? drawReadme() : drawListing());
} finally {
  await browser.close();
}
process.exit(0);

async function drawListing(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await drawIcon();
  const trading = await openBusyShop({ orders: 5_000, references: 300 });
  try {
    for (const locale of locales) {
      for (const [name, path] of Object.entries(adminPages)) {
        for (const size of ["desktop", "phone"] as const)
          await showPage(trading, { locale, size, name, path });
      }
    }
  } finally {
    await trading.close();
  }
  const selling = await openStage();
  try {
    const { failure } = await drive(selling, ({ text }) => console.log(text));
    if (failure !== null) throw new Error(`${failure.step}: ${failure.message}`);
    for (const locale of locales) {
      await showPage(selling, { locale, size: "desktop", name: "display", path: "/app/touchpoints" });
    }
    for (const size of ["desktop", "phone"] as const) await showOffer(selling, size);
  } finally {
    await selling.close();
  }
  console.log(`The pictures are in ${folder}`);
}

async function drawIcon(): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 1200 } });
  const icon = await readFile("docs/listing/icon.svg", "utf8");
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${icon}`);
  await page.screenshot({ path: join(folder, "icon.png") });
  await page.close();
}

interface Picture {
  locale: "fr" | "en";
  size: Size;
  name: string;
  path: string;
}

/** A browser window for a picture of this size. */
async function openPage(stage: Stage, size: Size): Promise<Page> {
  const { width, height, scale } = sizes[size];
  const { page } = await visit(browser, stage, width / scale, height / scale, scale);
  return page;
}

/** Opens a page of the app without the admin around it. */
async function openAlone(page: Page, stage: Stage, path: string, locale: string): Promise<void> {
  await page.addInitScript("window.isPicturedAlone = true");
  await page.goto(`${await documentAddress(stage, path)}&locale=${locale}`);
  // Not `waitForFunction`: the page's CSP forbids evaluating strings.
  await eventually(() => page.evaluate<boolean>(isTakenOver), `the script of ${path}`);
}

async function showPage(stage: Stage, { locale, size, name, path }: Picture): Promise<void> {
  const page = await openPage(stage, size);
  await openAlone(page, stage, path, locale);
  await page.screenshot({ path: join(folder, `${name}-${size}-${locale}.png`) });
  await page.context().close();
}

/** A product's page for a shopper. */
async function showOffer(stage: Stage, size: Size): Promise<void> {
  const page = await openPage(stage, size);
  const product = [...stage.shop.state.products.values()].find(
    ({ productType, status }) => productType === "Smartphone" && status === "ACTIVE",
  );
  await page.goto(`${stage.shop.origin}/products/${product?.handle ?? ""}`);
  await page.locator("parasol-offer").first().scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(folder, `offer-${size}.png`) });
  await page.context().close();
}

/**
 * The README's pictures of the demo's English shop, after a month of sales: a product page with its offer, an order with
 * two plans, Home, and the statistics.
 */
async function drawReadme(): Promise<void> {
  await mkdir(README_FOLDER, { recursive: true });
  const stage = await openStage({ shop: shopIn("en") });
  try {
    const merchant = await visit(browser, stage);
    const { failure } = await runSteps(merchantSteps(stage, merchant), ({ text }) => console.log(text));
    if (failure !== null) throw new Error(`${failure.step}: ${failure.message}`);
    await sellForAMonth(stage);
    const orderId = await buyTwo(stage);
    await eventually(
      () => stage.insurance.plans("test").filter((plan) => plan.order_reference_id === orderId).length === 2,
      "the plans of the order",
    );
    await drawAdminPage(stage, { name: "order", path: `/app/orders/${orderId}`, height: 660 });
    await drawAdminPage(stage, { name: "home", path: "/app", height: 590, from: "Last 30 days" });
    await drawAdminPage(stage, { name: "statistics", path: "/app/analytics", height: 730 });
  } finally {
    await stage.close();
  }
  console.log(`The pictures are in ${README_FOLDER}`);
}

/** @returns the id of a paid order of two insured smartphones; also draws the product page */
async function buyTwo(stage: Stage): Promise<string> {
  const product = insurableProduct(stage.shop);
  const { page } = await visit(browser, stage, 1_100, 738);
  await page.goto(`${stage.shop.origin}/products/${product.handle}`);
  const offer = page.locator("parasol-offer").first();
  await offer.waitFor();
  // Cut at the offer's lower border: a picture that ends in a line of text looks broken.
  const box = await offer.boundingBox();
  if (!box) throw new Error("The product page shows no offer");
  await saveWebp(page, "product", 68, box.y + box.height + 12);
  await page.locator("input[name=quantity]").fill("2");
  await offer.locator("[data-terms] input").nth(1).check();
  let answers = 0;
  const added = page.waitForResponse(
    (response) => response.url().includes("/cart/add") && (answers += 1) === 2,
  );
  await page.locator('form[action*="/cart/add"] [type=submit]').first().click();
  await added;
  await page.goto(`${stage.shop.origin}/checkout`);
  const orderId = await fillCheckout(page);
  await page.context().close();
  return orderId;
}

interface ReadmePicture {
  name: string;
  path: string;
  /** in pixels */
  height: number;
  /** the picture begins above the element with this text; without it, at the top of the page */
  from?: string;
}

/** A page of the app in English, without the admin around it. */
async function drawAdminPage(stage: Stage, { name, path, height, from }: ReadmePicture): Promise<void> {
  const { page } = await visit(browser, stage, 1_100, height);
  await openAlone(page, stage, path, "en");
  // Figures may arrive after the page, and their charts after them.
  await eventually(
    async () =>
      (await page.locator('[class*="Skeleton"]').count()) === 0 &&
      (await page.evaluate<boolean>(isTakenOver)),
    `the figures of ${path}`,
  );
  const box = from === undefined ? null : await page.getByText(from, { exact: true }).first().boundingBox();
  await saveWebp(page, name, box === null ? 0 : box.y - 28);
  await page.context().close();
}

/**
 * The browser writes WebP, because Playwright cannot.
 * @param y top of the picture, in pixels of the page
 * @param end bottom of the picture
 */
async function saveWebp(page: Page, name: string, y = 0, end?: number): Promise<void> {
  const { width = 0, height: shown = 0 } = page.viewportSize() ?? {};
  const height = end === undefined ? shown : end - y;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 85,
    captureBeyondViewport: true,
    clip: { x: 0, y, width, height, scale: 1 },
  });
  await writeFile(join(README_FOLDER, `${name}.webp`), Buffer.from(data, "base64"));
  await session.detach();
}
