/** A real offer of the shop to preview the touchpoints with. */
import { findOffers } from "#app/catalogue/product-categories/category-look-up.server.ts";
import { listPricedVariants } from "#app/catalogue/product-categories/product-store.server.ts";
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import { listCategories } from "#app/catalogue/references/categories.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import type { PreviewSample } from "./sample.ts";

/** Null: the catalogue is not synced yet. */
export async function readPreviewSample(
  shop: string,
  environment: Environment,
): Promise<PreviewSample | null> {
  const category = (await listCategories(shop, environment)).find(
    ({ vanished, live }) => !vanished && !live,
  )?.category;
  if (!category) return null;
  const prices = await listPricedVariants(shop, category.id);
  const middle = prices[Math.floor(prices.length / 2)];
  if (!middle) return null;
  const { priceMinor } = middle;
  const query = { categoryId: category.id, priceMinor };
  const offers = await findOffers(shop, environment, await listUniverses(shop), [query]);
  return { category, priceMinor, offers: offers.get(query) ?? [] };
}
