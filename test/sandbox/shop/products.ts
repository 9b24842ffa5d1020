/** The products of a shop. Only this file writes them, so that its index of variants stays complete. */
import type { Product, ShopState, Variant } from "./state.ts";

export function putProduct(state: ShopState, product: Product): void {
  const before = state.products.get(product.id);
  for (const variant of before?.variants ?? []) state.variantProducts.delete(variant.id);
  state.products.set(product.id, product);
  for (const variant of product.variants) state.variantProducts.set(variant.id, product.id);
}

/** Also removes the metafields of the product and its variants, and its entries in collections. */
export function removeProduct(state: ShopState, product: Product): void {
  state.products.delete(product.id);
  const owners = [
    `gid://shopify/Product/${product.id}|`,
    ...product.variants.map(({ id }) => `gid://shopify/ProductVariant/${id}|`),
  ];
  for (const variant of product.variants) state.variantProducts.delete(variant.id);
  for (const key of state.metafields.keys())
    if (owners.some((owner) => key.startsWith(owner))) state.metafields.delete(key);
  for (const collection of state.collections.values())
    collection.productIds = collection.productIds.filter((id) => id !== product.id);
}

/** The variant with its product, published or not; undefined: none. */
export function findVariant(
  state: ShopState,
  variantId: string,
): { product: Product; variant: Variant } | undefined {
  const product = state.products.get(state.variantProducts.get(variantId) ?? "");
  const variant = product?.variants.find((each) => each.id === variantId);
  return product !== undefined && variant !== undefined ? { product, variant } : undefined;
}

export function findByHandle(state: ShopState, handle: string): Product | undefined {
  for (const product of state.products.values()) if (product.handle === handle) return product;
  return undefined;
}

/** `Téléphone 128 Go` → `telephone-128-go`; a number is appended if another product has the handle. */
export function uniqueHandle(state: ShopState, title: string): string {
  const handle =
    title
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "product";
  if (findByHandle(state, handle) === undefined) return handle;
  let number = 1;
  while (findByHandle(state, `${handle}-${number}`) !== undefined) number += 1;
  return `${handle}-${number}`;
}
