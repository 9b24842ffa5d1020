/** The storefront's size in bytes, measured for the budgets' test and for the benchmark. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { CompactCatalogue } from "#app/catalogue/sync/compact-catalogue.ts";
import type { Page } from "playwright-core";
import type { TestShop } from "./shop.ts";

const extension = join(import.meta.dirname, "..", "..", "extensions", "parasol-storefront");

export const scripts = ["parasol-product.js", "parasol-cart.js"];
/** Assets that the others load on demand: live offers, and a changed cart. */
export const lazyScripts = ["parasol-proxy.js", "parasol-theme.js"];

export function asset(name: string): Promise<string> {
  return readFile(join(extension, "assets", name), "utf8");
}

export function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

export async function scriptBytes(names: string[]): Promise<number> {
  const sizes = await Promise.all(names.map(async (name) => gzipped(await asset(name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export async function styleBytes(): Promise<number> {
  const snippet = await readFile(join(extension, "snippets", "parasol-style.liquid"), "utf8");
  const style = /<style data-parasol>([\s\S]*)<\/style>/.exec(snippet)?.[1] ?? "";
  return gzipped(style.replaceAll(/ *\{%- comment[\s\S]*?endcomment -%\}\n/g, ""));
}

/** A catalogue of 10 price bands and 3 terms, as in the spec's example. */
export function thirtyReferences(made: CompactCatalogue): CompactCatalogue {
  const bands: CompactCatalogue["bands"] = Array.from({ length: 10 }, (_, band) => ({
    min: band * 20_000,
    max: band * 20_000 + 19_999,
    offers: [12, 24, 36].map((term) => ({
      term,
      price: 1_999 + band * 731 + term * 83,
      billing: "annually" as const,
      variant: variantId(band, term),
      reference: `SMA-CV-${band}-${term}`,
    })),
  }));
  return { ...made, bands };
}

/** Ids without a pattern, which would compress well. */
function variantId(band: number, term: number): string {
  const digest = createHash("sha256").update(`${band} ${term}`).digest().readUInt32BE();
  return `4565${digest.toString().padStart(10, "0")}`;
}

/** The catalogue as the product page embeds it. */
export async function embeddedCatalogue(shop: TestShop): Promise<string> {
  const html = await (await fetch(`${shop.origin}/products/lumo-x2`)).text();
  return (
    /<parasol-offer[\s\S]*?<script type="application\/json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ""
  );
}

/** Cumulative layout shift since a time of the page's clock, without shifts after the shopper's own input. */
export function layoutShift(page: Page, since = 0): Promise<number> {
  return page.evaluate((since) => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    return observer
      .takeRecords()
      .filter(({ startTime }) => startTime > since)
      .reduce(
        (sum, entry) =>
          sum +
          ("value" in entry && !("hadRecentInput" in entry && entry.hadRecentInput === true)
            ? Number(entry.value)
            : 0),
        0,
      );
  }, since);
}
