/** A shopper's visit: a page that collects errors, with a shopper's most frequent actions. */
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { eventually } from "#test/eventually.ts";
import type { TestShop } from "./shop.ts";

export interface Visit {
  page: Page;
  /** What the console and the page reported as errors. */
  problems: string[];
  /** The requests so far, without the page itself. */
  requests: Request[];
  /** The cart as the Ajax API has it. */
  cart: () => Promise<{
    items: CartItem[];
    attributes: Record<string, string>;
    total_price: number;
    item_count: number;
  }>;
  /** Waits until the cart matches. */
  cartBecomes: (expected: (items: CartItem[]) => boolean) => Promise<CartItem[]>;
  close: () => Promise<void>;
}

export interface CartItem {
  key: string;
  sku: string | null;
  variant_id: number;
  product_title: string;
  quantity: number;
  properties: Record<string, string>;
  parent_relationship?: { parent_key: string };
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="320"/>';

export async function visit(
  browser: Browser,
  shop: TestShop,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  // The catalogue's pictures, from a host that does not exist.
  await context.route(/^https:\/\/[a-z]+\.example\//, (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: PICTURE }),
  );
  // The oldest supported browser (extensions/storefront-scripts/build.ts) lacks these.
  await context.addInitScript(() => {
    for (const [owner, method] of [
      [Response, "json"],
      [URL, "canParse"],
      [Object, "groupBy"],
      [Map, "groupBy"],
      [Promise, "withResolvers"],
      [AbortSignal, "any"],
    ] as const)
      Reflect.deleteProperty(owner, method);
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: Request[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => requests.push(request));
  await page.goto(shop.origin + path);
  const cart: Visit["cart"] = async () => {
    const response = await context.request.get(`${shop.origin}/cart.js`);
    return (await response.json()) as Awaited<ReturnType<Visit["cart"]>>;
  };
  return {
    page,
    problems,
    requests,
    cart,
    async cartBecomes(expected) {
      return eventually(async () => {
        const { items } = await cart();
        if (expected(items)) return items;
        const lines = items.map(({ sku, product_title, quantity }) => [sku ?? product_title, quantity]);
        throw new Error(`The cart stayed: ${JSON.stringify(lines)}`);
      });
    },
    close: () => context.close(),
  };
}

/** A plan's lines by its reference, as `[reference, quantity]`. */
export function plansIn(items: CartItem[]): [string, number][] {
  return items.flatMap(({ properties, quantity }) =>
    properties["_parasol_reference"] === undefined ? [] : [[properties["_parasol_reference"], quantity]],
  );
}
