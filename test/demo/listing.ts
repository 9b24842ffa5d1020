/**
 * `npm run listing`: the pictures of the app's listing, from the demo, into `reports/listing/`: the icon (1200 × 1200)
 * and, in both languages, screenshots for desktops (1600 × 900) and phones (900 × 1600). They show the app alone, without
 * the admin around it, as the platform's rules for listings ask.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { documentAddress, openBusyShop } from "#test/bench/admin/busy-shop.ts";
import { drive } from "./drive.ts";
import { openStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { isTakenOver, visit } from "./visitors.ts";

const folder = join("reports", "listing");
const locales = ["fr", "en"] as const;
/** Pixels of the pictures, and of the page in them. */
const sizes = {
  desktop: { width: 1600, height: 900, scale: 1.25 },
  phone: { width: 900, height: 1600, scale: 2 },
};
type Size = keyof typeof sizes;

/** Pages of a shop that has traded for years. */
const adminPages = { home: "/app", orders: "/app/orders", analytics: "/app/analytics" };

const browser = await openBrowser();
await mkdir(folder, { recursive: true });
await drawIcon();
const trading = await openBusyShop({ orders: 5_000, references: 300 });
try {
  for (const locale of locales) {
    for (const [name, path] of Object.entries(adminPages)) {
      for (const size of ["desktop", "phone"] as const) await showPage(trading, { locale, size, name, path });
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
  await browser.close();
}
console.log(`The pictures are in ${folder}`);
process.exit(0);

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

/** A page of the app as the admin's frame shows it, without the admin. */
async function showPage(stage: Stage, { locale, size, name, path }: Picture): Promise<void> {
  const page = await openPage(stage, size);
  await page.goto(`${await documentAddress(stage, path)}&locale=${locale}`);
  // Not `waitForFunction`: the page's policy lets nobody evaluate texts in it.
  await eventually(() => page.evaluate<boolean>(isTakenOver), `the script of ${path}`);
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
