/** Finds the offers for variants of a shop: from the synced catalogue, or live if offers differ by product. */
import pLimit from "p-limit";
import {
  findOffers,
  findPlanVariantIds,
  findSoldReferences,
} from "#app/catalogue/product-categories/category-look-up.server.ts";
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import { universeOf, type Universes } from "#app/catalogue/product-categories/universe.ts";
import { categoryKey, type SoldReference, withoutSharedEnds } from "#app/catalogue/sync/compact-catalogue.ts";
import { saveLiveReferences } from "#app/catalogue/discovery/live-references.server.ts";
import { findCategorisedVariants, listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import type { CategorisedVariant, OfferedCategory } from "#app/catalogue/references/look-up.server.ts";
import type { Category } from "#app/insurance/categories.ts";
import { insuranceClient } from "#app/insurance/client.ts";
import type { InsuranceAccount } from "#app/insurance/client.ts";
import { storeConnection } from "#app/merchants/accounts.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import { type Merchant, sellingStopOf } from "#app/merchants/merchant.ts";
import { refusalOf, type SaleRule } from "../../extensions/sale-rule.ts";
import {
  type Buyer,
  categoryView,
  type NameFormula,
  type NoOfferReason,
  type OffersResponse,
  productOffers,
} from "./offers-response.ts";
import { readStorefrontSettings } from "./storefront-settings.server.ts";
import { formulaName, type StorefrontSettings } from "./storefront-settings.ts";
import { LRUCache } from "lru-cache";
import type { Offer } from "#app/insurance/offers.ts";
import { log } from "#app/platform/log.server.ts";

// The insurer's live offers for one product. They are cached for minutes, all shoppers who wait share one request,
// and stale offers are served while the insurer is not available.

export interface LiveOffersQuery {
  shop: string;
  /** the account of the offers: another store or environment has other offers */
  account: InsuranceAccount;
  categoryId: string;
  /** the spec's product reference */
  variantId: string;
  priceMinor: number;
}

const FRESH_MS = 5 * 60_000;

/**
 * Live offers have limits of their own, far below those for issuing contracts of a paid order. Shoppers do not wait
 * long, and any number of them may request offers.
 */
const limits = {
  timeoutMs: 3_000,
  attempts: 2,
  maxRetryDelayMs: 500,
  concurrency: 4,
  waiting: 40,
  breaker: { failures: 5, openMs: 10_000 },
};

const cache = new LRUCache<string, Offer[], LiveOffersQuery>({
  // Memory in bytes: two for each character.
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: (offers, key) => 2 * (JSON.stringify(offers).length + key.length),
  ttl: FRESH_MS,
  allowStaleOnFetchRejection: true,
  noDeleteOnFetchRejection: true,
  fetchMethod: async (_key, _stale, { context }) => {
    const { shop, categoryId, variantId: productReferenceId, priceMinor: productPriceMinor } = context;
    const account = { ...context.account, key: `${context.account.key}:live` };
    try {
      return await insuranceClient(account, { log, ...limits }).offers.list({
        categoryId,
        productReferenceId,
        productPriceMinor,
      });
    } catch (error) {
      // The cache returns stale offers or none, so only this place sees the error.
      log.warn(
        { err: error, shop },
        "Failed to load live offers from the insurer; shoppers get cached ones or none",
      );
      throw error;
    }
  },
});

/** Null: the insurer is not reachable, and the cache has no offers. */
export async function fetchLiveOffers(question: LiveOffersQuery): Promise<Offer[] | null> {
  const { shop, account, categoryId, variantId, priceMinor } = question;
  const key = JSON.stringify([shop, account.key, account.storeId, categoryId, variantId, priceMinor]);
  const offers = await cache.fetch(key, { context: question });
  return offers?.filter((offer) => offer.categoryId === categoryId) ?? null;
}

/** Tests clear the cache between two answers of the insurer. */
export function clearLiveOffers(): void {
  cache.clear();
}

/** Limit of concurrent live requests for one request's variants, because the insurer also serves other shoppers. */
const LIVE_AT_ONCE = 4;

/**
 * Null: the shop does not have the app.
 * @param buyer as far as the caller knows the buyer; `language` is the language of the formula names
 */
export async function findOffersForVariants(
  shop: string,
  variantIds: readonly string[],
  { language, ...buyer }: Buyer & { language?: string | undefined } = {},
): Promise<OffersResponse | null> {
  const merchant = await findMerchant(shop);
  if (!merchant || merchant.uninstalledAt !== null) return null;
  const { environment } = merchant;
  const rule = await readSaleRule(shop);
  const stopped = reasonOfStop(merchant) ?? reasonOfRefusal(rule, merchant, buyer);
  const categories = stopped === null ? await listOfferedCategories(shop, environment) : noCategories;
  const universes = await listUniverses(shop);
  const variants = await findCategorisedVariants(shop, variantIds);
  const variantById = new Map(variants.map((variant) => [variant.variantId, variant]));
  const planVariants = await findPlanVariantIds(
    shop,
    variantIds.filter((id) => !variantById.has(id)),
  );
  const inCategory = new Map(
    variants.flatMap((variant) => {
      const variantInCategory = inOfferedCategory(variant, categories, universes);
      return variantInCategory === null ? [] : [[variant.variantId, variantInCategory] as const];
    }),
  );
  const offers = await offersOf(shop, environment, universes, [...inCategory.values()]);
  const settings = await readStorefrontSettings(shop);
  const nameFormula = language === undefined ? undefined : namesIn(settings, language);
  const response: OffersResponse = {
    currency: merchant.currency,
    registration_number: rule.registrationNumber || null,
    products: [],
    categories: {},
  };
  for (const { categoryId, universe } of inCategory.values()) {
    const [first, ...others] = universe.map(({ category }) => category);
    if (first) response.categories[categoryKey(categoryId)] = categoryView(first, others, nameFormula);
  }
  response.products = variantIds.map((variantId) => {
    const variant = variantById.get(variantId);
    if (!variant) {
      const reason = planVariants.has(variantId) ? "insurance_product" : "product_unknown";
      return productOffers(variantId, null, reason);
    }
    const variantInCategory = inCategory.get(variantId);
    const result =
      stopped ?? (variantInCategory && offers.get(variantInCategory)) ?? reasonWithoutCategory(variant);
    return productOffers(variantId, variant.categoryId, result, nameFormula, settings.terms);
  });
  return response;
}

const namesIn =
  (settings: StorefrontSettings, language: string): NameFormula =>
  (formula) =>
    formulaName(settings, language, formula);

/** The offers for a variant at another price than the shop's, for example one that staff agreed. */
export interface PricedOffers {
  /** its own category first, then those that are formulas beside it */
  categories: Category[];
  offers: SoldReference[];
}

/** The offers for these variants at these prices, in minor units of the shop's currency, or the reason for none. */
export async function findOffersAtPrices<Priced extends { variantId: string; priceMinor: number }>(
  merchant: Pick<Merchant, "shop" | "environment" | "account" | "isPaused">,
  items: readonly Priced[],
): Promise<Map<Priced, PricedOffers | NoOfferReason>> {
  const { shop, environment } = merchant;
  const stopped = reasonOfStop(merchant);
  if (stopped !== null) return new Map(items.map((item) => [item, stopped]));
  const categories = await listOfferedCategories(shop, environment);
  const universes = await listUniverses(shop);
  const variants = await findCategorisedVariants(shop, [...new Set(items.map(({ variantId }) => variantId))]);
  const variantById = new Map(variants.map((variant) => [variant.variantId, variant]));
  const pricedItems = items.flatMap((item) => {
    const variant = variantById.get(item.variantId);
    const priced =
      variant && inOfferedCategory({ ...variant, priceMinor: item.priceMinor }, categories, universes);
    return priced ? [[item, priced] as const] : [];
  });
  const inCategory = new Map(pricedItems);
  const offers = await offersOf(shop, environment, universes, [...inCategory.values()]);
  return new Map(
    items.map((item) => {
      const priced = inCategory.get(item);
      const variant = variantById.get(item.variantId);
      if (!priced) return [item, variant ? reasonWithoutCategory(variant) : "product_unknown"];
      const result = offers.get(priced) ?? "no_offer_at_price";
      return [
        item,
        typeof result === "string"
          ? result
          : { categories: priced.universe.map(({ category }) => category), offers: result },
      ];
    }),
  );
}

/** The reason for no offers if the shop sells no insurance now. Null: it sells. */
function reasonOfStop(merchant: Pick<Merchant, "account" | "isPaused">): NoOfferReason | null {
  const stop = sellingStopOf(merchant);
  if (stop === null) return null;
  return stop === "disconnected" ? "not_connected" : "not_selling";
}

/** The reason why the shop may sell this buyer no insurance. Null: it may. */
export function reasonOfRefusal(
  rule: SaleRule,
  { currency }: Pick<Merchant, "currency">,
  buyer: Buyer,
): "other_country" | "company" | "other_currency" | null {
  if (buyer.currency !== undefined && buyer.currency !== currency) return "other_currency";
  const refusal = refusalOf(rule, {
    delivery: buyer.country === undefined ? null : { country: buyer.country, postcode: buyer.postcode },
    isCompany: buyer.company,
  });
  if (refusal === "country") return "other_country";
  return refusal === "company" ? refusal : null;
}

const noCategories: ReadonlyMap<string, OfferedCategory> = new Map();

function inOfferedCategory(
  variant: CategorisedVariant,
  categories: ReadonlyMap<string, OfferedCategory>,
  universes: Universes,
): VariantInCategory | null {
  const { categoryId } = variant;
  if (categoryId === null) return null;
  const universe = universeOf(universes, categoryId).flatMap((id) => categories.get(id) ?? []);
  return universe.length > 0 ? { ...variant, categoryId, universe } : null;
}

interface VariantInCategory extends CategorisedVariant {
  categoryId: string;
  /** its category and those that are formulas beside it, if the insurer offers them */
  universe: OfferedCategory[];
}

/** If the offers of one formula differ by product, those of all formulas are requested live. */
const isLive = ({ universe }: VariantInCategory): boolean => universe.some(({ live }) => live);

function reasonWithoutCategory({ categoryId, decidedBy }: CategorisedVariant): NoOfferReason {
  if (categoryId !== null) return "category_unknown";
  return decidedBy === null ? "no_category" : "excluded";
}

/** The offers of each variant: one query of the synced catalogue for all, and a few live requests concurrently. */
async function offersOf(
  shop: string,
  environment: Environment,
  universes: Universes,
  variants: readonly VariantInCategory[],
): Promise<Map<VariantInCategory, SoldReference[] | NoOfferReason>> {
  const synced = variants.filter((variant) => !isLive(variant));
  const live = variants.filter(isLive);
  const syncedOffers = await findOffers(shop, environment, universes, synced);
  const connection = live.length > 0 ? await storeConnection(shop, environment) : null;
  const atOnce = pLimit(LIVE_AT_ONCE);
  const fetched = await atOnce.map(live, async (variant) => {
    const result = connection
      ? await findLiveOffers(shop, environment, connection.account, variant)
      : "not_connected";
    return [variant, result] as const;
  });
  const result = new Map<VariantInCategory, SoldReference[] | NoOfferReason>(fetched);
  for (const variant of synced) {
    const offers = syncedOffers.get(variant) ?? [];
    result.set(variant, offers.length > 0 ? offers : "no_offer_at_price");
  }
  return result;
}

async function findLiveOffers(
  shop: string,
  environment: Environment,
  account: InsuranceAccount,
  { variantId, priceMinor, universe }: VariantInCategory,
): Promise<SoldReference[] | NoOfferReason> {
  const categoryIds = universe.map(({ category }) => category.id);
  const fetched = await Promise.all(
    categoryIds.map((categoryId) => fetchLiveOffers({ shop, account, categoryId, variantId, priceMinor })),
  );
  const live = fetched.flatMap((offers) => offers ?? []);
  if (fetched.every((offers) => offers === null)) return "insurer_unreachable";
  if (live.length === 0) return "no_offer_at_price";
  const sold = await findSoldReferences(
    shop,
    environment,
    categoryIds,
    live.map((offer) => offer.referenceId),
  );
  const { storeId } = account;
  await saveLiveReferences(shop, { environment, storeId }, variantId, live, sold);
  // The cart charges the shop's price, so an offer with a new price is missing until the next sync. Where two bands
  // meet, the insurer offers the plans of both.
  const inBand = withoutSharedEnds(sold).filter(({ bandMinMinor }) => bandMinMinor <= priceMinor);
  const sellable = inBand.filter(({ referenceId, shopPriceMinor: price }) =>
    live.some((offer) => offer.referenceId === referenceId && offer.priceMinor === price),
  );
  return sellable.length > 0 ? sellable : "not_in_shop";
}
