/** How an id becomes an object, and what else the resolvers of a call share. */
import { emitShopEvent } from "../../events.ts";
import { parseGid } from "../../ids.ts";
import { findVariant } from "../../products.ts";
import type { ShopSandbox } from "../../sandbox.ts";
import type { Product, ShopState } from "../../state.ts";
import { bulkOperationView } from "./bulk.ts";
import type { BulkOperations } from "./bulk-operations.ts";
import { executeOperation } from "./execute.ts";
import type { Bucket } from "./throttle.ts";
import { invalidId, NotImplemented } from "./errors.ts";
import { metafieldView } from "./metafield-fields.ts";
import { findOrder, orderView } from "./order-views.ts";
import { operationView } from "./product-set.ts";
import type { ProductSetOperations } from "./product-set.ts";
import {
  collectionView,
  inventoryItemView,
  productView,
  publicationView,
  variantView,
} from "./product-views.ts";
import type { Reader } from "./reader.ts";
import { appInstallationView, shopView, themeId, themeView } from "./shop-views.ts";
import type { View } from "./view.ts";
import { createRoots } from "./roots.ts";

/** What one app may do and has running on one shop. */
export interface Access {
  shop: ShopSandbox;
  scopes: readonly string[];
  bulk: BulkOperations;
  productSets: ProductSetOperations;
  bucket: Bucket;
}

export function createReader({ shop, scopes, bulk, productSets, bucket }: Access): Reader {
  const read: Reader = {
    run: (document, variables) =>
      executeOperation({ scopes, roots: createRoots(read), bulk: true, bucket }, document, variables, null),
    shop,
    scopes,
    bulk,
    productSets,
    node: (id) => nodeOf(read, id),
    exists: (id) => ownerExists(shop.state, id),
    touched: (ownerIds) => {
      const products = new Set(
        ownerIds.map((owner) => productOfOwner(shop.state, owner)).filter((product) => product !== undefined),
      );
      for (const product of products) {
        product.updatedAt = new Date().toISOString();
        emitShopEvent(shop.state, { topic: "products/update", product });
      }
    },
  };
  return read;
}

function productOfOwner(state: ShopState, owner: string): Product | undefined {
  const parsed = parseGid(owner);
  if (parsed?.type === "Product") return state.products.get(parsed.id);
  return parsed?.type === "ProductVariant" ? findVariant(state, parsed.id)?.product : undefined;
}

function ownerExists(state: ShopState, owner: string): boolean {
  const parsed = parseGid(owner);
  switch (parsed?.type) {
    case "Product":
    case "ProductVariant":
      return productOfOwner(state, owner) !== undefined;
    case "Collection":
      return state.collections.has(parsed.id);
    case "Order":
      return state.orders.has(parsed.id);
    case "AppInstallation":
      return state.installation?.id === parsed.id;
    case "Shop":
      return state.id === parsed.id;
    default:
      return false;
  }
}

function nodeOf(read: Reader, id: string): View | null {
  const parsed = parseGid(id);
  if (parsed === null) throw invalidId(id);
  const { state } = read.shop;
  const { type } = parsed;
  switch (type) {
    case "Product":
      return viewOrNull(state.products.get(parsed.id), (item) => productView(read, item));
    case "ProductVariant":
      return viewOrNull(findVariant(state, parsed.id), ({ product, variant }) =>
        variantView(read, product, variant),
      );
    case "InventoryItem":
      for (const product of state.products.values()) {
        const variant = product.variants.find(({ inventoryItemId }) => inventoryItemId === parsed.id);
        if (variant !== undefined) return inventoryItemView(read, product, variant);
      }
      return null;
    case "Collection":
      return viewOrNull(state.collections.get(parsed.id), (item) => collectionView(read, item));
    case "Publication":
      return viewOrNull(state.publications.get(parsed.id), (item) => publicationView(read, item));
    case "Order":
      return viewOrNull(findOrder(read, id), (item) => orderView(read, item));
    case "Metafield":
      return viewOrNull(
        [...state.metafields.values()].find((each) => each.id === parsed.id),
        (item) => metafieldView(read, item),
      );
    case "Shop":
      return parsed.id === state.id ? shopView(read) : null;
    case "AppInstallation":
      return parsed.id === state.installation?.id ? appInstallationView(read) : null;
    case "OnlineStoreTheme":
      return parsed.id === themeId ? themeView(read) : null;
    case "BulkOperation":
      return viewOrNull(read.bulk.find(parsed.id), (item) => bulkOperationView(item));
    case "ProductSetOperation":
      return viewOrNull(read.productSets.get(parsed.id), (item) => operationView(read, item));
    default:
      throw new NotImplemented(`node(id:) of type ${type}`);
  }
}

export function viewOrNull<T>(item: T | undefined, view: (item: T) => View): View | null {
  return item === undefined ? null : view(item);
}
