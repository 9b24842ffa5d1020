/**
 * Whether the storefront offers insurance for the products of a list: the inspector's steps for each of their prices.
 */
import { listOfferedReferences } from "#app/catalogue/references/offered-references.server.ts";
import { publishedCategoryKeys } from "#app/catalogue/inspector/decision.server.ts";
import type { ListedProduct } from "#app/catalogue/product-categories/product-list.ts";
import { universeOf, type Universes } from "#app/catalogue/product-categories/universe.ts";
import type { OfferedCategory } from "#app/catalogue/references/look-up.server.ts";
import { type Merchant, sellingStopOf } from "#app/merchants/merchant.ts";
import type { Market } from "#app/offers/markets.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { queryOrNull } from "#app/shopify/graphql.server.ts";
import { catalogueInput, isShown, offeredReferencesAt } from "./inspector.server.ts";
import { blockingStep, inspectOffer } from "./inspector.ts";
import type { InspectorStep } from "./inspector.ts";

export interface OfferCoverage {
  /** the number of the product's variants with an offer on its page, and the number of all variants */
  offered: number;
  of: number;
  /** the step that blocks the first variant without an offer; null if all have one */
  blocking: InspectorStep | null;
  /** the variant of `blocking`, for the inspector */
  variantId: string | null;
}

/** Limit of variants per page of the list: the last products beyond it get no result. */
const MAX_VARIANTS = 20_000;

/**
 * By product id. Products without a category are missing, because they get no offers.
 * @param shopMarkets null: Shopify does not respond now
 */
export async function offersOfProducts(
  merchant: Merchant,
  products: readonly ListedProduct[],
  categories: ReadonlyMap<string, OfferedCategory>,
  universes: Universes,
  shopMarkets: Promise<readonly Market[] | null>,
): Promise<Record<string, OfferCoverage>> {
  const { shop, environment, currency } = merchant;
  const insured = products.filter(({ categoryId }) => categoryId !== null);
  if (insured.length === 0) return {};
  const ids = insured.map(({ productId }) => productId);
  const universeOfProduct = ({ categoryId }: ListedProduct) =>
    categoryId === null ? [] : universeOf(universes, categoryId);
  const [variants, offered, published, settings, shopState, markets] = await Promise.all([
    db.shopVariant.findMany({
      where: { shop, productId: { in: ids } },
      orderBy: [{ priceMinor: "asc" }, { variantId: "asc" }],
      take: MAX_VARIANTS,
    }),
    listOfferedReferences(shop, environment, [...new Set(insured.flatMap(universeOfProduct))]),
    publishedCategoryKeys(shop),
    readStorefrontSettings(shop),
    readShopState(shop, ids),
    shopMarkets,
  ]);
  const stop = sellingStopOf(merchant);
  const variantsOf = Map.groupBy(variants, ({ productId }) => productId);
  const referencesOf = Map.groupBy(offered, ({ categoryId }) => categoryId);
  const result: Record<string, OfferCoverage> = {};
  for (const product of insured) {
    const { productId, categoryId, decidedBy, rule, title, status, writtenKey } = product;
    const inShop = shopState?.get(productId);
    const ofCategory = universeOfProduct(product).flatMap((id) => referencesOf.get(id) ?? []);
    const inCatalogue = catalogueInput(categories.get(categoryId ?? ""), published, ofCategory);
    const productVariants = variantsOf.get(productId) ?? [];
    const blocked = productVariants.flatMap(({ variantId, title: variantTitle, priceMinor }) => {
      const blocking = blockingStep(
        inspectOffer({
          insurer: null,
          stop,
          product: {
            title,
            variantTitle,
            priceMinor,
            writtenKey,
            isInsurance: false,
            isGiftCard: inShop?.isGiftCard ?? false,
            visible: isShown(status) && (inShop?.published ?? true),
            soldOut: inShop?.soldOut ?? false,
          },
          decision: { categoryId, decidedBy, rule },
          ...inCatalogue,
          references: offeredReferencesAt(ofCategory, priceMinor),
          currency: { shop: currency, offers: ofCategory[0]?.currency ?? null, shopper: null },
          markets,
          touchpoint: { name: "product_page", on: settings.touchpoints.product_page.on },
        }),
      );
      return blocking ? [{ blocking, variantId }] : [];
    });
    result[productId] = {
      offered: productVariants.length - blocked.length,
      of: productVariants.length,
      blocking: blocked[0]?.blocking ?? null,
      variantId: blocked[0]?.variantId ?? null,
    };
  }
  return result;
}

/** The products' state in Shopify. Null: Shopify does not respond now, and the app uses its own data. */
async function readShopState(shop: string, productIds: readonly string[]) {
  const data = await queryOrNull(
    shop,
    "the products of a list",
    `#graphql
    query ParasolListedProducts($ids: [ID!]!) {
      nodes(ids: $ids) {
        ... on Product {
          id isGiftCard onlineStoreUrl tracksInventory totalInventory
          variants(first: 1) { nodes { availableForSale } }
        }
      }
    }`,
    { variables: { ids: productIds.map((id) => gid("Product", id)) } },
  );
  if (!data) return null;
  return new Map(
    data.nodes.flatMap((node) => {
      if (!node || !("isGiftCard" in node)) return [];
      const { id, isGiftCard, onlineStoreUrl, tracksInventory, totalInventory, variants } = node;
      // A variant may be available for sale without stock.
      const isLeft = variants.nodes.some(({ availableForSale }) => availableForSale);
      const soldOut = tracksInventory && totalInventory <= 0 && !isLeft;
      return [[numericId(id), { isGiftCard, published: onlineStoreUrl != null, soldOut }]];
    }),
  );
}
