/**
 * `npm run listing`: draws the pictures of the app's listing from the demo into `reports/listing/`. They are the icon
 * (1200 × 1200) and, in both languages, screenshots for desktops (1600 × 900) and phones (900 × 1600). They show the
 * app without the admin around it, as Shopify's listing rules require. With `--readme` it draws the README's three
 * pictures into `docs/images/` instead.
 */
import { insurerCatalogue } from "./month.ts";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { documentAddress, openBusyShop, scriptHeaders } from "#test/bench/admin/busy-shop.ts";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import { customer } from "#test/orders/references.ts";
import type { Variant } from "#test/sandbox/shop/state.ts";
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
/** Size of the pictures and of the page in them, in pixels. */
const sizes = {
  desktop: { width: 1600, height: 900, scale: 1.25 },
  phone: { width: 900, height: 1600, scale: 2 },
};
type Size = keyof typeof sizes;

/** The buyers: product type, days ago, and the category of their insurance. */
const sales: [days: number, name: [string, string], type: string, category: string | null][] = [
  [9, ["Léa", "Moreau"], "Ordinateur portable", "Informatique"],
  [8, ["Hugo", "Bernard"], "Smartphone", "Smartphone"],
  [6, ["Inès", "Petit"], "Appareil photo", null],
  [5, ["Noé", "Lambert"], "Tablette", "Informatique"],
  [3, ["Jade", "Roux"], "Smartphone", "Smartphone"],
  [2, ["Adam", "Girard"], "Smartphone", null],
  [1, ["Zoé", "Fontaine"], "Appareil photo", "Photo"],
  [0, ["Louis", "Faure"], "Ordinateur portable", null],
  [0, ["Alice", "Colin"], "Tablette", "Informatique"],
];

const isInStock = ({ tracked, inventoryQuantity }: Variant) => !tracked || inventoryQuantity > 0;

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
 * The README's pictures of the demo's shop: Home after some days of sales, a product page with its offer, an order with
 * two plans.
 */
async function drawReadme(): Promise<void> {
  await mkdir(README_FOLDER, { recursive: true });
  const stage = await openStage();
  try {
    const merchant = await visit(browser, stage);
    const { failure } = await runSteps(merchantSteps(stage, merchant), ({ text }) => console.log(text));
    if (failure !== null) throw new Error(`${failure.step}: ${failure.message}`);
    const insured = await trade(stage);
    const orderId = await buyTwo(stage);
    await eventually(() => {
      const plans = stage.insurance.plans("test");
      const isOrderDone = plans.filter((plan) => plan.order_reference_id === orderId).length === 2;
      const active = new Set(plans.map((plan) => plan.order_reference_id));
      return isOrderDone && insured.every((id) => active.has(id));
    }, "the plans of all orders");
    await drawAdminPage(stage, { name: "order", path: `/app/orders/${orderId}`, height: 660 });
    await drawAdminPage(stage, { name: "home", path: "/app", height: 734, from: "Last 30 days" });
  } finally {
    await stage.close();
  }
  console.log(`The pictures are in ${README_FOLDER}`);
}

/** @returns the ids of the insured orders */
async function trade({ shop, insurance }: Stage): Promise<string[]> {
  const { state } = shop;
  const products = [...state.products.values()];
  const { references } = insurerCatalogue.parse(
    await (await fetch(`${insurance.control_url}/catalogue`)).json(),
  );
  const plans = new Map(
    products
      .filter(({ status }) => status === "UNLISTED")
      .flatMap(({ variants }) => variants.map(({ id, sku }) => [sku, id] as const)),
  );
  return sales.flatMap(([days, [firstName, lastName], type, category], index) => {
    const ofType = products.filter(({ productType, status }) => productType === type && status === "ACTIVE");
    const variant = ofType[index % ofType.length]?.variants.find((each) => isInStock(each));
    if (!variant) throw new Error(`The demo shop has no product of the type ${type} in stock`);
    const reference = references.find(
      ({ category_id, term, price_band_min: min, price_band_max: max }) =>
        category !== null &&
        category_id.startsWith(category) &&
        term === 24 &&
        min <= variant.price &&
        variant.price <= max,
    );
    const createdAt = new Date(Date.now() - days * 86_400_000 - index * 600_000).toISOString();
    const pair = { name: PAIR, value: `p${index}` };
    const plan = reference && {
      variantId: plans.get(reference.reference_id) ?? "",
      quantity: 1,
      properties: [
        pair,
        { name: INSURED_VARIANT, value: variant.id },
        { name: REFERENCE, value: reference.reference_id },
        { name: CONSENT, value: `1 ${createdAt}` },
      ],
    };
    const address = { ...customer, first_name: firstName, last_name: lastName };
    const { id } = createPaidOrder(state, {
      email: `${firstName}.${lastName}@example.com`
        .toLowerCase()
        .normalize("NFD")
        .replace(/[^a-z.@]/g, ""),
      billingAddress: address,
      createdAt,
      lines: [
        { variantId: variant.id, quantity: 1, properties: [pair] },
        ...(plan === undefined ? [] : [plan]),
      ],
    });
    return plan === undefined ? [] : [id];
  });
}

/** Enters texts for English shoppers: the insurer's list of covered risks is in French. */
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

/** @returns the id of a paid order of two insured smartphones; also draws the product page */
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
  /** the picture begins above the element with this text; without it, at the top of the page */
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
