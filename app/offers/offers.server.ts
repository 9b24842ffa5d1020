/** Which offers these variants of a shop get: from the synced catalogue, or live where offers differ by product. */
import { isInsuranceVariant, offersFor } from "#app/catalogue/product-categories/category-look-up.server.ts";
import type { SoldReference } from "#app/catalogue/sync/compact-content.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { noteLiveOffers } from "#app/catalogue/discovery/live-references.server.ts";
import { categoriesOnOffer, findVariants, soldReferences } from "#app/catalogue/references/look-up.server.ts";
import type { KnownCategory, KnownVariant } from "#app/catalogue/references/look-up.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { activeEnvironment } from "#app/merchants/connection.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { answeredCategory, answeredProduct } from "./answer.ts";
import type { NoOfferReason, OffersAnswer } from "./answer.ts";
import { liveOffers } from "./live.server.ts";

/** Null: the shop does not have the app. */
export async function offersForVariants(
  shop: string,
  variantIds: readonly string[],
): Promise<OffersAnswer | null> {
  const merchant = await findMerchant(shop);
  if (!merchant || merchant.uninstalledAt !== null) return null;
  const environment = await activeEnvironment(shop);
  const categories = await categoriesOnOffer(shop, environment);
  const known = new Map(
    (await findVariants(shop, variantIds)).map((variant) => [variant.variantId, variant]),
  );
  const answer: OffersAnswer = { currency: merchant.currency, products: [], categories: {} };
  for (const variantId of variantIds) {
    const variant = known.get(variantId);
    const category = categories.get(variant?.categoryId ?? "");
    const result = variant
      ? await offersOf(shop, environment, variant, category)
      : (await isInsuranceVariant(shop, variantId))
        ? "insurance_product"
        : "product_unknown";
    answer.products.push(answeredProduct(variantId, variant?.categoryId ?? null, result));
    if (category) answer.categories[categoryKey(category.category.id)] = answeredCategory(category.category);
  }
  return answer;
}

async function offersOf(
  shop: string,
  environment: Environment,
  { variantId, priceMinor, categoryId, decidedBy }: KnownVariant,
  category: KnownCategory | undefined,
): Promise<SoldReference[] | NoOfferReason> {
  if (categoryId === null) return decidedBy === null ? "no_category" : "excluded";
  if (!category) return "category_unknown";
  if (!category.live) {
    const offers = await offersFor(shop, { categoryId, priceMinor });
    return offers.length > 0 ? offers : "no_offer_at_price";
  }
  const answer = await liveOffers(environment, { shop, categoryId, variantId, priceMinor });
  if (!answer.ok) return answer.reason;
  if (answer.offers.length === 0) return "no_offer_at_price";
  const sold = await soldReferences(
    shop,
    environment,
    answer.offers.map((offer) => offer.reference_id),
  );
  await noteLiveOffers(shop, environment, variantId, answer.offers, sold);
  // The cart charges the shop's price: an offer whose price has moved since the last sync waits for the next one.
  const sellable = sold.filter(({ referenceId, priceMinor: price }) =>
    answer.offers.some((offer) => offer.reference_id === referenceId && offer.price === price),
  );
  return sellable.length > 0 ? sellable : "not_in_shop";
}
