/**
 * Where an offer was seen, for statistics: an attribute of the cart (app/shopify/line-properties.ts reads it). A property
 * of the line would keep equal lines from merging, and change the line's key while the theme uses it.
 */
import { requestCart } from "./cart-api.ts";
import { enqueueQuietly } from "./cart-sync.ts";
import { recall, remember } from "./memory.ts";

const noted = new Set<string>();

/** Notes for which variants of the cart an offer was seen at a touchpoint; the first one counts. */
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

/** Notes what the product page had shown, once its products are in the cart. */
export function noteShown(variants: string[]): void {
  const shown = variants.filter((variant) => recall("shown")[variant]);
  noteOffered(shown, "product_page");
  for (const variant of shown) remember("shown", variant);
}
