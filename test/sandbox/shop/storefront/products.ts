/** The products that a shopper can see and buy. */
import { findVariant } from "../products.ts";
import type { Collection, Product, ShopState, Variant } from "../state.ts";

/** Buyable and visible by URL: ACTIVE or UNLISTED, and published to the online store. */
export function isPublished(state: ShopState, product: Product): boolean {
  const onlineStore = [...state.publications.values()].find(({ appHandle }) => appHandle === "online_store");
  return (
    (product.status === "ACTIVE" || product.status === "UNLISTED") &&
    onlineStore !== undefined &&
    product.publishedOn.has(onlineStore.id)
  );
}

/** Listed in collections, search and recommendations: published and not UNLISTED. */
export function listedProducts(state: ShopState): Product[] {
  return [...state.products.values()].filter(
    (product) => product.status === "ACTIVE" && isPublished(state, product),
  );
}

export function collectionProducts(state: ShopState, collection: Collection): Product[] {
  const inIt = new Set(collection.productIds);
  return listedProducts(state).filter(({ id }) => inIt.has(id));
}

export function publishedProduct(state: ShopState, handle: string): Product | undefined {
  for (const product of state.products.values())
    if (product.handle === handle && isPublished(state, product)) return product;
  return undefined;
}

export function buyableVariant(
  state: ShopState,
  variantId: string,
): { product: Product; variant: Variant } | undefined {
  const found = findVariant(state, variantId);
  return found !== undefined && isPublished(state, found.product) ? found : undefined;
}

export function isAvailable(variant: Variant): boolean {
  return !variant.tracked || variant.inventoryPolicy === "CONTINUE" || variant.inventoryQuantity > 0;
}

/** The limit per cart; null: no limit. */
export function stock(variant: Variant): number | null {
  return !variant.tracked || variant.inventoryPolicy === "CONTINUE"
    ? null
    : Math.max(0, variant.inventoryQuantity);
}

export function isGiftCard(product: Product): boolean {
  return /^(gift card|carte cadeau)s?$/i.test(product.productType);
}
