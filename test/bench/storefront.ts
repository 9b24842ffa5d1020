/** The storefront's cost for a shopper: bytes, requests, layout shifts and script time on a slow phone. */
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "#test/browser.ts";
import { openTestShop, type TestShop } from "#test/storefront/shop.ts";
import { visit } from "#test/storefront/visit.ts";
import {
  embeddedCatalogue,
  gzipped,
  layoutShift,
  lazyScripts,
  scriptBytes,
  scripts,
  styleBytes,
  thirtyReferences,
} from "#test/storefront/weight.ts";
import { median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { pagePerformance } from "./storefront/lighthouse.ts";

export async function bench(): Promise<Figure[]> {
  const shop = await openTestShop({ catalogue: thirtyReferences });
  const browser = await openBrowser();
  try {
    const visits: SlowVisit[] = [];
    const pageAlone: number[] = [];
    for (let count = 0; count < 5; count++) {
      visits.push(await onASlowPhone(browser, shop));
      pageAlone.push(await longestOfPageAlone(browser, shop));
    }
    const own = Math.max(0, median(visits.map(({ longest }) => longest)) - median(pageAlone));
    const before = await withoutScript(browser, shop);
    return [
      atMost("requests before the offer shows", before, "requests", 0),
      atMost("script of the product page, gzip", await scriptBytes(["parasol-product.js"]), "bytes", 7_000),
      atMost("all scripts, gzip", await scriptBytes([...scripts, ...lazyScripts]), "bytes", 16_000),
      atMost("style, gzip", await styleBytes(), "bytes", 4_000),
      atMost(
        "embedded catalogue of 30 references, gzip",
        gzipped(await embeddedCatalogue(shop)),
        "bytes",
        4_000,
      ),
      atMost("cumulative layout shift, most of 5", Math.max(...visits.map(({ shift }) => shift)), "", 0),
      atMost("longest task beyond that of the page without our scripts, 4x CPU slowdown", own, "ms", 20),
      ...(await lighthouseFigures(shop)),
    ];
  } finally {
    await browser.close();
    await shop.close();
  }
}

function atMost(name: string, value: number, unit: string, most: number): Figure {
  return { name, value, unit, goal: `at most ${most}`, holds: value <= most };
}

async function lighthouseFigures(shop: TestShop): Promise<Figure[]> {
  const performance = await pagePerformance(shop);
  if (typeof performance === "string") {
    console.error(performance);
    return [{ name: "Lighthouse", value: NaN, unit: "not measured", goal: "needs the network", holds: null }];
  }
  const score = (name: string, value: number): Figure => ({
    name,
    value,
    unit: "of 100",
    goal: "",
    holds: null,
  });
  return [
    score("Lighthouse performance without the block, median of 5", performance.without),
    score("Lighthouse performance with the block, median of 5", performance.with),
    atMost(
      "Lighthouse points lost to the block",
      Math.max(0, performance.without - performance.with),
      "points",
      1,
    ),
  ];
}

/** The app's requests on a page that shows the offer with scripts disabled. */
async function withoutScript(browser: Browser, shop: TestShop): Promise<number> {
  const { page, requests, close } = await visit(browser, shop, "/products/lumo-x2", {
    javaScriptEnabled: false,
  });
  await page.getByText("24 mois").first().waitFor();
  const ours = requests.filter((request) => /parasol/.test(new URL(request.url()).pathname)).length;
  await close();
  return ours;
}

interface SlowVisit {
  shift: number;
  /** milliseconds */
  longest: number;
}

async function openSlowly(browser: Browser, shop: TestShop, blocked: RegExp | null) {
  const { page, close } = await visit(browser, shop, "/", { viewport: { width: 375, height: 740 } });
  if (blocked) await page.route(blocked, (route) => route.abort());
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(`${shop.origin}/products/lumo-x2`);
  await page.waitForLoadState("networkidle");
  return { page, close };
}

/** Milliseconds; 0 if no task is long (50 ms). */
const longestTask = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "longtask", buffered: true });
    return Math.max(0, ...observer.takeRecords().map(({ duration }) => duration));
  });

/** The browser's own time to show the page: on a slow phone this alone is a long task. */
async function longestOfPageAlone(browser: Browser, shop: TestShop): Promise<number> {
  const { page, close } = await openSlowly(browser, shop, /parasol[^/]*\.js/);
  const longest = await longestTask(page);
  await close();
  return longest;
}

/** Opens the page with a four times slower CPU, chooses a term and another variant. */
async function onASlowPhone(browser: Browser, shop: TestShop): Promise<SlowVisit> {
  const { page, close } = await openSlowly(browser, shop, null);
  await page.getByRole("radio", { name: "24 mois" }).check();
  await page.getByText("512 Go", { exact: true }).click();
  await page.waitForLoadState("networkidle");
  const slow = { shift: await layoutShift(page), longest: await longestTask(page) };
  await close();
  return slow;
}
