/**
 * `npm run listing`: the pictures of the app's listing, from the demo, into `reports/listing/`: the icon (1200 × 1200)
 * and, in both languages, screenshots for desktops (1600 × 900) and phones (900 × 1600). They show the app alone,
 * without the admin around it, as the platform's rules for listings require. With `--readme` it draws the README's
 * three pictures into `docs/images/` instead.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { documentAddress, openBusyShop, scriptHeaders } from "#test/bench/admin/busy-shop.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { drive } from "./drive.ts";
import { merchantSteps } from "./merchant.ts";
import { buyer } from "./shopper.ts";
import { openStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { runSteps } from "./steps.ts";
import { isTakenOver, visit } from "./visitors.ts";

const { values: options } = parseArgs({ options: { readme: { type: "boolean", default: false } } });
const folder = join("reports", "listing");
const locales = ["fr", "en"] as const;
/** Pixels of the pictures, and of the page in them. */
const sizes = {
  desktop: { width: 1600, height: 900, scale: 1.25 },
  phone: { width: 900, height: 1600, scale: 2 },
};
type Size = keyof typeof sizes;

const README_FOLDER = join("docs", "images");

/** Pages of a shop that has traded for years. */
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

/** A window in which a picture of the size is taken. */
async function openPage(stage: Stage, size: Size): Promise<Page> {
  const { width, height, scale } = sizes[size];
  const { page } = await visit(browser, stage, width / scale, height / scale, scale);
  return page;
}

/** Opens a page of the app as the admin's frame shows it, without the admin. */
async function openAlone(page: Page, stage: Stage, path: string, locale: string): Promise<void> {
  await page.addInitScript("window.isPicturedAlone = true");
  await page.goto(`${await documentAddress(stage, path)}&locale=${locale}`);
  // Not `waitForFunction`: the page's policy lets nobody evaluate texts in it.
  await eventually(() => page.evaluate<boolean>(isTakenOver), `the script of ${path}`);
}

async function showPage(stage: Stage, { locale, size, name, path }: Picture): Promise<void> {
  const page = await openPage(stage, size);
  await openAlone(page, stage, path, locale);
  await page.screenshot({ path: join(folder, `${name}-${size}-${locale}.png`) });
  await page.context().close();
}

/** What a shopper sees on a product's page. */
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

/** The README's pictures: Home of a shop that has traded for years, a product page with its offer, an order with two plans. */
async function drawReadme(): Promise<void> {
  await mkdir(README_FOLDER, { recursive: true });
  const trading = await openBusyShop({ orders: 5_000, references: 300 });
  try {
    await drawAdminPage(trading, { name: "home", path: "/app", height: 734, from: "Today" });
  } finally {
    await trading.close();
  }
  const selling = await openStage();
  try {
    const merchant = await visit(browser, selling);
    const { failure } = await runSteps(merchantSteps(selling, merchant), ({ text }) => console.log(text));
    if (failure !== null) throw new Error(`${failure.step}: ${failure.message}`);
    const orderId = await buyTwo(selling);
    await eventually(() => {
      const plans = selling.insurance.plans("test").filter((plan) => plan.order_reference_id === orderId);
      return plans.length === 2;
    }, "the order's two plans");
    await drawAdminPage(selling, { name: "order", path: `/app/orders/${orderId}`, height: 660 });
  } finally {
    await selling.close();
  }
  console.log(`The pictures are in ${README_FOLDER}`);
}

/** Writes what the merchant writes for English shoppers: the service's list of covers is in French. */
async function writeEnglishCovers(stage: Stage, productId: string): Promise<void> {
  const { value: key = "" } =
    findMetafield(stage.shop.state, `gid://shopify/Product/${productId}`, "$app", "insurance_category") ?? {};
  const bullets = ["Accidental damage", "Theft", "Oxidation"];
  const settings = { insurer: "Voltigeur", covers: { en: { [key]: { bullets } } } };
  const response = await fetch(`${stage.app.url}/app/touchpoints.data`, {
    method: "POST",
    headers: { ...(await scriptHeaders(stage)), "content-type": "application/json" },
    body: JSON.stringify(settings),
  });
  const answer = await response.text();
  if (!answer.includes("success")) throw new Error(`Display answered ${response.status}: ${answer}`);
}

/** @returns the id of a paid order of two insured smartphones; draws the product page on the way */
async function buyTwo(stage: Stage): Promise<string> {
  const product = [...stage.shop.state.products.values()].find(
    ({ productType, status }) => productType === "Smartphone" && status === "ACTIVE",
  );
  if (!product) throw new Error("The demo shop has no smartphone");
  await writeEnglishCovers(stage, product.id);
  const { page } = await visit(browser, stage, 1_100, 738);
  await page.goto(`${stage.shop.origin}/products/${product.handle}?locale=en`);
  const offer = page.locator("parasol-offer").first();
  await offer.waitFor();
  await saveWebp(page, "product", 68);
  await page.locator("input[name=quantity]").fill("2");
  await offer.locator("[data-terms] input").nth(1).check();
  let answers = 0;
  const added = page.waitForResponse(
    (response) => response.url().includes("/cart/add") && (answers += 1) === 2,
  );
  await page.locator('form[action*="/cart/add"] [type=submit]').first().click();
  await added;
  await page.goto(`${stage.shop.origin}/checkout`);
  for (const [name, value] of Object.entries(buyer)) await page.locator(`input[name="${name}"]`).fill(value);
  await page.locator("#pay").click();
  const orderId = await page.locator("[data-order-id]").getAttribute("data-order-id");
  await page.context().close();
  return orderId ?? "";
}

interface ReadmePicture {
  name: string;
  path: string;
  /** in pixels */
  height: number;
  /** the picture begins above the element with this text; without it, at the page's top */
  from?: string;
}

/** A page of the app in English, without the admin around it. */
async function drawAdminPage(stage: Stage, { name, path, height, from }: ReadmePicture): Promise<void> {
  const { page } = await visit(browser, stage, 1_100, height);
  await openAlone(page, stage, path, "en");
  const box = from === undefined ? null : await page.getByText(from, { exact: true }).first().boundingBox();
  await saveWebp(page, name, box === null ? 0 : box.y - 12);
  await page.context().close();
}

/** Playwright itself writes no WebP; the browser does. @param y where the picture begins, in pixels of the page */
async function saveWebp(page: Page, name: string, y = 0): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
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
