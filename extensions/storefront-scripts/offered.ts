/**
 * Records where the shopper saw an offer, for statistics, in a cart attribute (app/shopify/line-properties.ts reads
 * it). A line property would keep equal lines from merging, and would change the line's key.
 */
import { requestCart } from "./cart-api.ts";
import { enqueueQuietly } from "./cart-sync.ts";
import { recall, remember } from "./memory.ts";

const noted = new Set<string>();

/** Records the variants of the cart with a seen offer at a touchpoint; the first touchpoint counts. */
export function noteOffered(variants: string[], touchpoint: string): void {
  const fresh = variants.filter((variant) => !noted.has(variant));
  if (!fresh.length) return;
  for (const variant of fresh) noted.add(variant);
  enqueueQuietly(async () => {
    const before = (await requestCart()).attributes["_parasol_offered"] ?? "";
    const more = fresh.filter((variant) => !before.includes(`${variant}=`));
    const offered = [before, ...more.map((variant) => `${variant}=${touchpoint}`)].join(" ").trim();
    if (more.length) await requestCart("/update", { attributes: { _parasol_offered: offered } });
  });
}

/** Records the product page's offers once their products are in the cart. */
export function noteShown(variants: string[]): void {
  const shown = variants.filter((variant) => recall("shown")[variant]);
  noteOffered(shown, "product_page");
  for (const variant of shown) remember("shown", variant);
}
