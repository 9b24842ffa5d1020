/**
 * Records where the shopper saw an offer, for statistics, in a cart attribute (app/shopify/line-properties.ts reads
 * it). A line property would keep equal lines from merging, and would change the line's key.
 */
import { requestCart } from "./cart-api.ts";
import { enqueueQuietly } from "./cart-sync.ts";
import { recall, remember } from "./memory.ts";
import { publish } from "./publish-event.ts";
import { whenRecordable } from "./statistics-consent.ts";

const noted = new Set<string>();

/** Records the variants of the cart with a seen offer at a touchpoint; the first touchpoint counts. */
export function noteOffered(variants: string[], touchpoint: string): void {
  const unseen = variants.filter((variant) => !noted.has(variant));
  if (!unseen.length) return;
  for (const variant of unseen) {
    noted.add(variant);
    // The product page has told the pixels itself.
    if (touchpoint !== "product_page") publish("viewed", touchpoint, variant);
  }
  void whenRecordable(() => enqueueQuietly(() => recordOffered(unseen, touchpoint)));
}

async function recordOffered(variants: string[], touchpoint: string): Promise<void> {
  const recorded = (await requestCart()).attributes["_parasol_offered"] ?? "";
  const missing = variants.filter((variant) => !recorded.includes(`${variant}=`));
  if (!missing.length) return;
  const offered = [recorded, ...missing.map((variant) => `${variant}=${touchpoint}`)].join(" ").trim();
  await requestCart("/update", { attributes: { _parasol_offered: offered } });
}

/** Records the product page's offers once their products are in the cart. */
export function noteShown(variants: string[]): void {
  const shown = variants.filter((variant) => recall("shown")[variant]);
  noteOffered(shown, "product_page");
  for (const variant of shown) remember("shown", variant);
}
