/** Which offers these variants of a shop get: from the synced catalogue, or live where offers differ by product. */
import { isPlanVariant, findOffers } from "#app/catalogue/product-categories/category-look-up.server.ts";
import type { SoldReference } from "#app/catalogue/sync/compact-content.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { saveLiveReferences } from "#app/catalogue/discovery/live-references.server.ts";
import {
  listOfferedCategories,
  findCategorisedVariants,
  findSoldReferences,
} from "#app/catalogue/references/look-up.server.ts";
import type { OfferedCategory, CategorisedVariant } from "#app/catalogue/references/look-up.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { activeEnvironment } from "#app/merchants/environment.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { categoryView, productOffers } from "./offers-response.ts";
import type { NoOfferReason, OffersResponse } from "./offers-response.ts";
import { fetchLiveOffers } from "./live.server.ts";

/** Null: the shop does not have the app. */
export async function findOffersForVariants(
  shop: string,
  variantIds: readonly string[],
): Promise<OffersResponse | null> {
  const merchant = await findMerchant(shop);
  if (!merchant || merchant.uninstalledAt !== null) return null;
  const environment = await activeEnvironment(shop);
  const categories = await listOfferedCategories(shop, environment);
  const known = new Map(
    (await findCategorisedVariants(shop, variantIds)).map((variant) => [variant.variantId, variant]),
  );
  const response: OffersResponse = { currency: merchant.currency, products: [], categories: {} };
  for (const variantId of variantIds) {
    const variant = known.get(variantId);
    const category = categories.get(variant?.categoryId ?? "");
    const result = variant
      ? await findVariantOffers(shop, environment, variant, category)
      : (await isPlanVariant(shop, variantId))
        ? "insurance_product"
        : "product_unknown";
    response.products.push(productOffers(variantId, variant?.categoryId ?? null, result));
    if (category) response.categories[categoryKey(category.category.id)] = categoryView(category.category);
  }
  return response;
}

async function findVariantOffers(
  shop: string,
  environment: Environment,
  { variantId, priceMinor, categoryId, decidedBy }: CategorisedVariant,
  category: OfferedCategory | undefined,
): Promise<SoldReference[] | NoOfferReason> {
  if (categoryId === null) return decidedBy === null ? "no_category" : "excluded";
  if (!category) return "category_unknown";
  if (!category.live) {
    const offers = await findOffers(shop, { categoryId, priceMinor });
    return offers.length > 0 ? offers : "no_offer_at_price";
  }
  const live = await fetchLiveOffers(environment, { shop, categoryId, variantId, priceMinor });
  if (!live.ok) return live.reason;
  if (live.offers.length === 0) return "no_offer_at_price";
  const sold = await findSoldReferences(
    shop,
    environment,
    live.offers.map((offer) => offer.reference_id),
  );
  await saveLiveReferences(shop, environment, variantId, live.offers, sold);
  // The cart charges the shop's price: an offer whose price has moved since the last sync waits for the next one.
  const sellable = sold.filter(({ referenceId, priceMinor: price }) =>
    live.offers.some((offer) => offer.reference_id === referenceId && offer.price === price),
  );
  return sellable.length > 0 ? sellable : "not_in_shop";
}
