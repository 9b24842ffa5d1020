/** QueryRoot and Mutation, and how an id becomes an object. */
import { z } from "zod";
import { emit } from "../../events.ts";
import { parseGid } from "../../ids.ts";
import { findMetafield } from "../../metafields.ts";
import { findByHandle, findVariant } from "../../products.ts";
import type { ShopSandbox } from "../../sandbox.ts";
import type { Order, Product, ShopState, Variant } from "../../state.ts";
import {
  bulkOperationCancel,
  bulkOperationView,
  runMutationInBulk,
  runQueryInBulk,
  stagedUploadsCreate,
} from "./bulk.ts";
import type { BulkOperations } from "./bulk.ts";
import { run } from "./execute.ts";
import type { Bucket } from "./throttle.ts";
import { invalidId, NotImplemented } from "./errors.ts";
import { metafieldsDelete, metafieldsSet, metafieldView } from "./metafield-fields.ts";
import { orderCancel, refundCreate } from "./order-mutations.ts";
import { orderView } from "./order-views.ts";
import { productDelete, productUpdate, publish } from "./product-mutations.ts";
import { operationView, productSet } from "./product-set.ts";
import type { ProductSetOperations } from "./product-set.ts";
import {
  collectionView,
  count,
  idOf,
  inventoryItemView,
  productView,
  publicationView,
  variantView,
} from "./product-views.ts";
import type { Reader } from "./reader.ts";
import { search } from "./search.ts";
import type { SearchFields } from "./search.ts";
import { appInstallationView, shopView, strings, themeId, themeView } from "./shop-views.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";

const byId = z.object({ id: z.string() });
const listArguments = z.object({
  query: z.string().nullish(),
  sortKey: z.string().nullish(),
  savedSearchId: z.null().optional(),
});

/** What one app may do and has running on one shop. */
export interface Access {
  shop: ShopSandbox;
  scopes: readonly string[];
  bulk: BulkOperations;
  productSets: ProductSetOperations;
  bucket: Bucket;
}

export function readerOf({ shop, scopes, bulk, productSets, bucket }: Access): Reader {
  const read: Reader = {
    run: (document, variables) =>
      run({ scopes, roots: rootsOf(read), bulk: true, bucket }, document, variables, null),
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
        emit(shop.state, { topic: "products/update", product });
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
      return or(state.products.get(parsed.id), (item) => productView(read, item));
    case "ProductVariant":
      return or(findVariant(state, parsed.id), ({ product, variant }) => variantView(read, product, variant));
    case "InventoryItem":
      for (const product of state.products.values()) {
        const variant = product.variants.find(({ inventoryItemId }) => inventoryItemId === parsed.id);
        if (variant !== undefined) return inventoryItemView(read, product, variant);
      }
      return null;
    case "Collection":
      return or(state.collections.get(parsed.id), (item) => collectionView(read, item));
    case "Publication":
      return or(state.publications.get(parsed.id), (item) => publicationView(read, item));
    case "Order":
      return or(state.orders.get(parsed.id), (item) => orderView(read, item));
    case "Metafield":
      return or(
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
      return or(read.bulk.find(parsed.id), (item) => bulkOperationView(item));
    case "ProductSetOperation":
      return or(read.productSets.get(parsed.id), (item) => operationView(read, item));
    default:
      throw new NotImplemented(`node(id:) of type ${type}`);
  }
}

function or<T>(item: T | undefined, view: (item: T) => View): View | null {
  return item === undefined ? null : view(item);
}

const productFields: SearchFields<Product> = {
  id: ({ id }) => [{ id }],
  title: ({ title }) => [{ text: title }],
  handle: ({ handle }) => [{ text: handle }],
  product_type: ({ productType }) => [{ text: productType }],
  vendor: ({ vendor }) => [{ text: vendor }],
  tag: ({ tags }) => tags.map((text) => ({ text })),
  status: ({ status }) => [{ text: status }],
  sku: ({ variants }) => variants.flatMap(({ sku }) => (sku === null ? [] : [{ text: sku }])),
  gift_card: ({ giftCard }) => [{ text: String(giftCard === true) }],
  published_status: ({ publishedOn, status }) => [
    {
      text:
        publishedOn.size > 0 && (status === "ACTIVE" || status === "UNLISTED") ? "published" : "unpublished",
    },
  ],
  created_at: ({ createdAt }) => [{ date: createdAt }],
  updated_at: ({ updatedAt }) => [{ date: updatedAt }],
  price: ({ variants }) => variants.map(({ price }) => ({ number: price / 100 })),
};

interface Found {
  product: Product;
  variant: Variant;
}
const variantFields: SearchFields<Found> = {
  id: ({ variant }) => [{ id: variant.id }],
  product_id: ({ product }) => [{ id: product.id }],
  sku: ({ variant }) => (variant.sku === null ? [] : [{ text: variant.sku }]),
  title: ({ product, variant }) => [{ text: product.title }, { text: variant.title }],
  product_type: ({ product }) => [{ text: product.productType }],
  vendor: ({ product }) => [{ text: product.vendor }],
  tag: ({ product }) => product.tags.map((text) => ({ text })),
  product_status: ({ product }) => [{ text: product.status }],
  updated_at: ({ product }) => [{ date: product.updatedAt }],
};

const orderFields: SearchFields<Order> = {
  id: ({ id }) => [{ id }],
  name: ({ name }) => [{ text: name }, { text: name.slice(1) }],
  email: ({ email }) => (email === null ? [] : [{ text: email }]),
  financial_status: ({ financialStatus }) => [{ text: financialStatus }],
  status: ({ cancelledAt }) => [{ text: cancelledAt === null ? "open" : "cancelled" }, { text: "any" }],
  created_at: ({ createdAt }) => [{ date: createdAt }],
  updated_at: ({ updatedAt }) => [{ date: updatedAt }],
  processed_at: ({ processedAt }) => [{ date: processedAt }],
  sku: ({ lines }) => lines.flatMap(({ sku }) => (sku === null ? [] : [{ text: sku }])),
};

/** How far back an app sees orders without `read_all_orders`. */
const orderWindow = 60 * 24 * 3600 * 1000;

function sorted<T>(
  items: T[],
  key: string | null | undefined,
  keys: Record<string, (item: T) => string>,
): T[] {
  // Things are kept in the order of their ids.
  if (key == null || key === "ID" || key === "RELEVANCE") return items;
  const value = keys[key];
  if (value === undefined) throw new NotImplemented(`sortKey ${key}`);
  return items.toSorted((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
}

export function rootsOf(read: Reader): { query: View; mutation: View } {
  const { state } = read.shop;

  const products = (args: unknown): Product[] => {
    const { query, sortKey } = listArguments.parse(args);
    const found = [...state.products.values()].filter(
      search(query, productFields, ["title", "handle", "vendor", "product_type", "tag", "sku"]),
    );
    return sorted(found, sortKey, {
      TITLE: ({ title }) => title.toLowerCase(),
      VENDOR: ({ vendor }) => vendor.toLowerCase(),
      PRODUCT_TYPE: ({ productType }) => productType.toLowerCase(),
      CREATED_AT: ({ createdAt }) => createdAt,
      UPDATED_AT: ({ updatedAt }) => updatedAt,
    });
  };
  const variants = (args: unknown): Found[] => {
    const { query, sortKey } = listArguments.parse(args);
    const all = [...state.products.values()].flatMap((product) =>
      product.variants.map((variant) => ({ product, variant })),
    );
    return sorted(all.filter(search(query, variantFields, ["title", "sku"])), sortKey, {
      SKU: ({ variant }) => variant.sku ?? "",
      TITLE: ({ product }) => product.title.toLowerCase(),
    });
  };
  const orders = (args: unknown): Order[] => {
    const { query, sortKey } = listArguments.parse(args);
    const since = read.scopes.includes("read_all_orders") ? 0 : Date.now() - orderWindow;
    const found = [...state.orders.values()]
      .filter((order) => Date.parse(order.createdAt) >= since)
      .filter(search(query, orderFields, ["name", "email"]));
    return sorted(found, sortKey ?? "PROCESSED_AT", {
      CREATED_AT: ({ createdAt }) => createdAt,
      UPDATED_AT: ({ updatedAt }) => updatedAt,
      PROCESSED_AT: ({ processedAt }) => processedAt,
      ORDER_NUMBER: ({ name }) => name.padStart(20, "0"),
    });
  };
  const counted = (args: unknown, number: number): View => {
    const limit = z.object({ limit: z.number().nullish() }).parse(args).limit;
    return limit != null && number > limit
      ? { __typename: "Count", count: limit, precision: "AT_LEAST" }
      : count(number);
  };

  const query: View = {
    __typename: "QueryRoot",
    shop: () => shopView(read),
    currentAppInstallation: () => appInstallationView(read),
    appInstallation: (args: unknown) => {
      const { id } = z.object({ id: z.string().nullish() }).parse(args);
      return id == null ? appInstallationView(read) : read.node(id);
    },
    node: (args: unknown) => read.node(byId.parse(args).id),
    nodes: (args: unknown) => {
      const { ids } = z.object({ ids: z.array(z.string()) }).parse(args);
      return ids.map((id) => read.node(id));
    },
    product: (args: unknown) =>
      or(state.products.get(idOf("Product", byId.parse(args).id)), (item) => productView(read, item)),
    productByIdentifier: (args: unknown) => {
      const { identifier } = z
        .object({
          identifier: z.object({
            id: z.string().optional(),
            handle: z.string().optional(),
            customId: z
              .object({ namespace: z.string().nullish(), key: z.string(), value: z.string() })
              .optional(),
          }),
        })
        .parse(args);
      const { id, handle, customId } = identifier;
      if (id !== undefined)
        return or(state.products.get(idOf("Product", id)), (item) => productView(read, item));
      if (handle !== undefined) return or(findByHandle(state, handle), (item) => productView(read, item));
      const found = [...state.products.values()].find(
        (product) =>
          customId !== undefined &&
          findMetafield(state, `gid://shopify/Product/${product.id}`, customId.namespace, customId.key)
            ?.value === customId.value,
      );
      return or(found, (item) => productView(read, item));
    },
    products: (args: unknown) =>
      connection(
        "Product",
        { items: products(args), id: (item) => item.id, view: (item) => productView(read, item) },
        args,
      ),
    productsCount: (args: unknown) => counted(args, products(args).length),
    productTypes: (args: unknown) =>
      strings(
        [...state.products.values()].map(({ productType }) => productType),
        args,
      ),
    productTags: (args: unknown) =>
      strings(
        [...state.products.values()].flatMap(({ tags }) => tags),
        args,
      ),
    productVendors: (args: unknown) =>
      strings(
        [...state.products.values()].map(({ vendor }) => vendor),
        args,
      ),
    productVariant: (args: unknown) =>
      or(findVariant(state, idOf("ProductVariant", byId.parse(args).id)), ({ product, variant }) =>
        variantView(read, product, variant),
      ),
    productVariants: (args: unknown) =>
      connection(
        "ProductVariant",
        {
          items: variants(args),
          id: ({ variant }) => variant.id,
          view: ({ product, variant }) => variantView(read, product, variant),
        },
        args,
      ),
    productVariantsCount: (args: unknown) => counted(args, variants(args).length),
    productOperation: (args: unknown) =>
      or(read.productSets.get(idOf("ProductSetOperation", byId.parse(args).id)), (item) =>
        operationView(read, item),
      ),
    collection: (args: unknown) =>
      or(state.collections.get(idOf("Collection", byId.parse(args).id)), (item) =>
        collectionView(read, item),
      ),
    collections: (args: unknown) => {
      const { query: text, sortKey } = listArguments.parse(args);
      const found = [...state.collections.values()].filter(
        search(
          text,
          {
            id: ({ id }) => [{ id }],
            title: ({ title }) => [{ text: title }],
            handle: ({ handle }) => [{ text: handle }],
          },
          ["title", "handle"],
        ),
      );
      const items = sorted(found, sortKey, { TITLE: ({ title }) => title.toLowerCase() });
      return connection(
        "Collection",
        { items, id: (item) => item.id, view: (item) => collectionView(read, item) },
        args,
      );
    },
    collectionsCount: (args: unknown) => counted(args, state.collections.size),
    publications: (args: unknown) =>
      connection(
        "Publication",
        {
          items: [...state.publications.values()],
          id: (item) => item.id,
          view: (item) => publicationView(read, item),
        },
        args,
      ),
    publication: (args: unknown) =>
      or(state.publications.get(idOf("Publication", byId.parse(args).id)), (item) =>
        publicationView(read, item),
      ),
    order: (args: unknown) =>
      or(state.orders.get(idOf("Order", byId.parse(args).id)), (item) => orderView(read, item)),
    orders: (args: unknown) =>
      connection(
        "Order",
        { items: orders(args), id: (item) => item.id, view: (item) => orderView(read, item) },
        args,
      ),
    ordersCount: (args: unknown) => counted(args, orders(args).length),
    themes: (args: unknown) => {
      const { roles, names } = z
        .object({ roles: z.array(z.string()).nullish(), names: z.array(z.string()).nullish() })
        .parse(args);
      const shown = (roles?.includes("MAIN") ?? true) && (names?.includes(state.theme.name) ?? true);
      return connection(
        "OnlineStoreTheme",
        { items: shown ? [themeId] : [], id: (item) => item, view: () => themeView(read) },
        args,
      );
    },
    theme: (args: unknown) =>
      idOf("OnlineStoreTheme", byId.parse(args).id) === themeId ? themeView(read) : null,
    bulkOperation: (args: unknown) =>
      or(read.bulk.find(idOf("BulkOperation", byId.parse(args).id)), (item) => bulkOperationView(item)),
    bulkOperations: (args: unknown) =>
      connection(
        "BulkOperation",
        { items: read.bulk.all(), id: (item) => item.id, view: (item) => bulkOperationView(item) },
        args,
      ),
    currentBulkOperation: (args: unknown) => {
      const { type } = z.object({ type: z.enum(["QUERY", "MUTATION"]).nullish() }).parse(args);
      return or(
        read.bulk.all().findLast((each) => each.type === (type ?? "QUERY")),
        (item) => bulkOperationView(item),
      );
    },
  };

  const mutation: View = {
    __typename: "Mutation",
    productSet: (args: unknown) => productSet(read, args),
    productUpdate: (args: unknown) => productUpdate(read, args),
    productDelete: (args: unknown) => productDelete(read, args),
    publishablePublish: (args: unknown) => publish(read, args, true),
    publishableUnpublish: (args: unknown) => publish(read, args, false),
    metafieldsSet: (args: unknown) => metafieldsSet(read, args),
    metafieldsDelete: (args: unknown) => metafieldsDelete(read, args),
    orderCancel: (args: unknown) => orderCancel(read, args),
    refundCreate: (args: unknown) => refundCreate(read, args),
    stagedUploadsCreate: (args: unknown) => stagedUploadsCreate(read, args),
    bulkOperationRunQuery: (args: unknown) => runQueryInBulk(read, args),
    bulkOperationRunMutation: (args: unknown) => runMutationInBulk(read, args),
    bulkOperationCancel: (args: unknown) => bulkOperationCancel(read, args),
  };
  return { query, mutation };
}
