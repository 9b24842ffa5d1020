/** The products that a shopper can see and buy. */
import { findVariant } from "../products.ts";
import type { Collection, Market, Product, Publication, ShopState, Variant } from "../state.ts";

/** Who buys where: markets and companies can have catalogues of their own. */
export interface Buyer {
  market?: Market | undefined;
  isCompany?: boolean;
  /** of a headless storefront's token; default: the online store */
  channel?: Publication | undefined;
}

/** Buyable and visible by URL: ACTIVE or UNLISTED, published to the channel, and in each catalogue that restricts. */
export function isPublished(state: ShopState, product: Product, buyer: Buyer = {}): boolean {
  const publications = [...state.publications.values()];
  const channel = buyer.channel ?? publications.find(({ appHandle }) => appHandle === "online_store");
  return (
    (product.status === "ACTIVE" || product.status === "UNLISTED") &&
    channel !== undefined &&
    [channel, ...publications.filter((each) => restricts(each, buyer))].every(({ id }) =>
      product.publishedOn.has(id),
    )
  );
}

function restricts({ catalogue }: Publication, { market, isCompany }: Buyer): boolean {
  if (catalogue?.type === "COMPANY_LOCATION") return isCompany === true;
  return catalogue !== undefined && market !== undefined && catalogue.marketIds.includes(market.id);
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
  buyer?: Buyer,
): { product: Product; variant: Variant } | undefined {
  const found = findVariant(state, variantId);
  return found !== undefined && isPublished(state, found.product, buyer) ? found : undefined;
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
