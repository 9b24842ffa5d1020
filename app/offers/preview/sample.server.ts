/** Reads a real offer of the shop to preview the touchpoints. */
import { findOffers } from "#app/catalogue/product-categories/category-look-up.server.ts";
import { listPricedVariants } from "#app/catalogue/product-categories/product-store.server.ts";
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import { universeOf } from "#app/catalogue/product-categories/universe.ts";
import { listCategories } from "#app/catalogue/references/categories.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import type { PreviewSample } from "./sample.ts";

/** Null: the catalogue is not synced yet. */
export async function readPreviewSample(
  shop: string,
  environment: Environment,
): Promise<PreviewSample | null> {
  const categories = await listCategories(shop, environment);
  const category = categories.find(({ vanished, live }) => !vanished && !live)?.category;
  if (!category) return null;
  const prices = await listPricedVariants(shop, category.id);
  const middle = prices[Math.floor(prices.length / 2)];
  if (!middle) return null;
  const { priceMinor } = middle;
  const query = { categoryId: category.id, priceMinor };
  const universes = await listUniverses(shop);
  const offers = await findOffers(shop, environment, universes, [query]);
  const [, ...ids] = universeOf(universes, category.id);
  const others = ids.flatMap((id) => categories.find((each) => each.category.id === id)?.category ?? []);
  return { category, others, priceMinor, offers: offers.get(query) ?? [] };
}
