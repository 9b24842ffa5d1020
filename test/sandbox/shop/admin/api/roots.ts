/** QueryRoot and Mutation, and how an id becomes an object. */
import { z } from "zod";
import { findMetafield } from "../../metafields.ts";
import { findByHandle, findVariant } from "../../products.ts";
import type { Order, Product } from "../../state.ts";
import {
  bulkOperationCancel,
  bulkOperationView,
  runMutationInBulk,
  runQueryInBulk,
  stagedUploadsCreate,
} from "./bulk.ts";
import { draftOrderUpdate, draftOrderView, findDraftOrder } from "./draft-orders.ts";
import { flowTriggerReceive } from "./flow.ts";
import { findFulfilmentOrder, fulfillmentCreate, fulfilmentOrderView } from "./fulfilments.ts";
import { metafieldsDelete, metafieldsSet } from "./metafield-fields.ts";
import { orderCancel, refundCreate } from "./order-mutations.ts";
import { findOrder, lineView, orderView, requireOrders } from "./order-views.ts";
import { productDelete, productUpdate, setPublished } from "./product-mutations.ts";
import {
  findPriceList,
  marketsWithPriceList,
  priceListFixedPricesAdd,
  priceListView,
} from "./price-lists.ts";
import { operationView, productSet } from "./product-set.ts";
import {
  collectionView,
  countView,
  requireId,
  productView,
  publicationView,
  variantView,
} from "./product-views.ts";
import type { Reader } from "./reader.ts";
import { search } from "./search.ts";
import {
  appInstallationView,
  marketView,
  shopView,
  stringConnection,
  themeId,
  themeView,
} from "./shop-views.ts";
import { functionViews, validationCreate, validationUpdate, validationView } from "./validations.ts";
import { productVariantsBulkUpdate } from "./variants-bulk-update.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";
import { listArguments, productFields, variantFields, orderFields, isShown, sorted } from "./lists.ts";
import type { Found } from "./lists.ts";
import { viewOrNull } from "./reader-of.ts";

const byId = z.object({ id: z.string() });

/** All publications of the stand-in are those of apps: it has none of markets or of companies. */
function isOfApps(args: unknown): boolean {
  const { catalogType } = z.object({ catalogType: z.string().nullish() }).parse(args);
  return catalogType == null || catalogType === "APP";
}

export function createRoots(read: Reader): { query: View; mutation: View } {
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
    requireOrders(read);
    const found = [...state.orders.values()]
      .filter((order) => isShown(order, read.scopes))
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
      : countView(number);
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
      viewOrNull(state.products.get(requireId("Product", byId.parse(args).id)), (item) =>
        productView(read, item),
      ),
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
        return viewOrNull(state.products.get(requireId("Product", id)), (item) => productView(read, item));
      if (handle !== undefined)
        return viewOrNull(findByHandle(state, handle), (item) => productView(read, item));
      const found = [...state.products.values()].find(
        (product) =>
          customId !== undefined &&
          findMetafield(state, `gid://shopify/Product/${product.id}`, customId.namespace, customId.key)
            ?.value === customId.value,
      );
      return viewOrNull(found, (item) => productView(read, item));
    },
    products: (args: unknown) =>
      connection(
        "Product",
        { items: products(args), id: (item) => item.id, view: (item) => productView(read, item) },
        args,
      ),
    productsCount: (args: unknown) => counted(args, products(args).length),
    productTypes: (args: unknown) =>
      stringConnection(
        [...state.products.values()].map(({ productType }) => productType),
        args,
      ),
    productTags: (args: unknown) =>
      stringConnection(
        [...state.products.values()].flatMap(({ tags }) => tags),
        args,
      ),
    productVendors: (args: unknown) =>
      stringConnection(
        [...state.products.values()].map(({ vendor }) => vendor),
        args,
      ),
    productVariant: (args: unknown) =>
      viewOrNull(
        findVariant(state, requireId("ProductVariant", byId.parse(args).id)),
        ({ product, variant }) => variantView(read, product, variant),
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
      viewOrNull(read.productSets.get(requireId("ProductSetOperation", byId.parse(args).id)), (item) =>
        operationView(read, item),
      ),
    collection: (args: unknown) =>
      viewOrNull(state.collections.get(requireId("Collection", byId.parse(args).id)), (item) =>
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
          items: [...state.publications.values()].filter(() => isOfApps(args)),
          id: (item) => item.id,
          view: (item) => publicationView(read, item),
        },
        args,
      ),
    markets: (args: unknown) => {
      const items = state.markets.filter(
        search(
          listArguments.parse(args).query,
          {
            name: ({ name }) => [{ text: name }],
            status: ({ active }) => [{ text: active ? "ACTIVE" : "DRAFT" }],
          },
          ["name"],
        ),
      );
      return connection("Market", { items, id: (item) => item.id, view: marketView }, args);
    },
    priceLists: (args: unknown) =>
      connection(
        "PriceList",
        { items: marketsWithPriceList(read), id: ({ id }) => id, view: (item) => priceListView(read, item) },
        args,
      ),
    priceList: (args: unknown) =>
      viewOrNull(findPriceList(read, byId.parse(args).id), (item) => priceListView(read, item)),
    // All of the stand-in's languages are published.
    shopLocales: () =>
      state.publishedLanguages.map((locale) => ({
        __typename: "ShopLocale",
        locale,
        name: new Intl.DisplayNames("en", { type: "language" }).of(locale),
        primary: locale === state.locale,
        published: true,
      })),
    publication: (args: unknown) =>
      viewOrNull(state.publications.get(requireId("Publication", byId.parse(args).id)), (item) =>
        publicationView(read, item),
      ),
    order: (args: unknown) =>
      viewOrNull(findOrder(read, byId.parse(args).id), (item) => orderView(read, item)),
    fulfillmentOrder: (args: unknown) =>
      viewOrNull(findFulfilmentOrder(read, requireId("FulfillmentOrder", byId.parse(args).id)), (item) =>
        fulfilmentOrderView(item, (line) => lineView(read, item.order, line)),
      ),
    draftOrder: (args: unknown) =>
      viewOrNull(findDraftOrder(read, byId.parse(args).id), (item) => draftOrderView(read, item)),
    orders: (args: unknown) =>
      connection(
        "Order",
        { items: orders(args), id: (item) => item.id, view: (item) => orderView(read, item) },
        args,
      ),
    ordersCount: (args: unknown) => counted(args, orders(args).length),
    shopifyFunctions: (args: unknown) =>
      connection(
        "ShopifyFunction",
        { items: functionViews(read), id: (item) => String(item["id"]), view: (item) => item },
        args,
      ),
    validations: (args: unknown) =>
      connection("Validation", { items: state.validations, id: ({ id }) => id, view: validationView }, args),
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
      requireId("OnlineStoreTheme", byId.parse(args).id) === themeId ? themeView(read) : null,
    bulkOperation: (args: unknown) =>
      viewOrNull(read.bulk.find(requireId("BulkOperation", byId.parse(args).id)), (item) =>
        bulkOperationView(item),
      ),
    bulkOperations: (args: unknown) =>
      connection(
        "BulkOperation",
        { items: read.bulk.all(), id: (item) => item.id, view: (item) => bulkOperationView(item) },
        args,
      ),
    currentBulkOperation: (args: unknown) => {
      const { type } = z.object({ type: z.enum(["QUERY", "MUTATION"]).nullish() }).parse(args);
      return viewOrNull(
        read.bulk.all().findLast((each) => each.type === (type ?? "QUERY")),
        (item) => bulkOperationView(item),
      );
    },
  };

  const mutation: View = {
    __typename: "Mutation",
    productSet: (args: unknown) => productSet(read, args),
    productVariantsBulkUpdate: (args: unknown) => productVariantsBulkUpdate(read, args),
    productUpdate: (args: unknown) => productUpdate(read, args),
    productDelete: (args: unknown) => productDelete(read, args),
    publishablePublish: (args: unknown) => setPublished(read, args, true),
    publishableUnpublish: (args: unknown) => setPublished(read, args, false),
    metafieldsSet: (args: unknown) => metafieldsSet(read, args),
    metafieldsDelete: (args: unknown) => metafieldsDelete(read, args),
    draftOrderUpdate: (args: unknown) => draftOrderUpdate(read, args),
    orderCancel: (args: unknown) => orderCancel(read, args),
    refundCreate: (args: unknown) => refundCreate(read, args),
    flowTriggerReceive: (args: unknown) => flowTriggerReceive(read, args),
    fulfillmentCreate: (args: unknown) => fulfillmentCreate(read, args),
    stagedUploadsCreate: (args: unknown) => stagedUploadsCreate(read, args),
    bulkOperationRunQuery: (args: unknown) => runQueryInBulk(read, args),
    bulkOperationRunMutation: (args: unknown) => runMutationInBulk(read, args),
    bulkOperationCancel: (args: unknown) => bulkOperationCancel(read, args),
    priceListFixedPricesAdd: (args: unknown) => priceListFixedPricesAdd(read, args),
    validationCreate: (args: unknown) => validationCreate(read, args),
    validationUpdate: (args: unknown) => validationUpdate(read, args),
  };
  return { query, mutation };
}
