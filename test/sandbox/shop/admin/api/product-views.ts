/** Products, variants, collections and publications as the Admin API shows them. */
import { z } from "zod";
import { gid, parseGid } from "../../ids.ts";
import { decimalAmount, money } from "../../money.ts";
import { isPublished } from "../../storefront/products.ts";
import type { Collection, Product, Publication, Variant } from "../../state.ts";
import { invalidId } from "./errors.ts";
import { metafieldFields } from "./metafield-fields.ts";
import type { Reader } from "./reader.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";

const byId = z.object({ id: z.string() });
const onPublication = z.object({ publicationId: z.string() });
const firstOnly = z.object({ first: z.number().nullish() });
const truncated = z.object({ truncateAt: z.number().nullish() });

/** `gid://shopify/Product/1` → `1`; refuses other types. */
export function requireId(type: string, id: string): string {
  const read = parseGid(id);
  if (read?.type !== type) throw invalidId(id);
  return read.id;
}

export function countView(number: number): View {
  return { __typename: "Count", count: number, precision: "EXACT" };
}

export function productView(read: Reader, product: Product): View {
  const { state, origin } = read.shop;
  const id = gid("Product", product.id);
  const prices = product.variants.map(({ price }) => price);
  const amount = (minor: number): View => ({
    __typename: "MoneyV2",
    amount: decimalAmount(minor, state.currency),
    currencyCode: state.currency,
  });
  const text = product.descriptionHtml
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return {
    __typename: "Product",
    id,
    legacyResourceId: product.id,
    handle: product.handle,
    title: product.title,
    description: (args: unknown) => text.slice(0, truncated.parse(args).truncateAt ?? undefined),
    descriptionHtml: product.descriptionHtml,
    vendor: product.vendor,
    productType: product.productType,
    tags: product.tags.toSorted((a, b) => a.localeCompare(b)),
    status: product.status,
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    publishedAt: () => (product.publishedOn.size === 0 ? null : product.createdAt),
    hasOnlyDefaultVariant: product.variants.length === 1 && product.variants[0]?.title === "Default Title",
    isGiftCard: product.giftCard === true,
    totalInventory: () =>
      product.variants.reduce((sum, variant) => sum + (variant.tracked ? variant.inventoryQuantity : 0), 0),
    tracksInventory: () => product.variants.some(({ tracked }) => tracked),
    variantsCount: countView(product.variants.length),
    totalVariants: product.variants.length,
    templateSuffix: null,
    seo: { __typename: "SEO", title: null, description: null },
    onlineStoreUrl: () =>
      isPublished(read.shop.state, product) ? `${origin}/products/${product.handle}` : null,
    onlineStorePreviewUrl: `${origin}/products/${product.handle}`,
    priceRangeV2: () => ({
      __typename: "ProductPriceRangeV2",
      minVariantPrice: amount(Math.min(...prices)),
      maxVariantPrice: amount(Math.max(...prices)),
    }),
    options: (args: unknown) =>
      product.options
        .slice(0, firstOnly.parse(args).first ?? undefined)
        .map((option, index) => optionView(product, option, index)),
    variants: (args: unknown) =>
      connection(
        "ProductVariant",
        { items: product.variants, id: (item) => item.id, view: (item) => variantView(read, product, item) },
        args,
      ),
    collections: (args: unknown) =>
      connection(
        "Collection",
        {
          items: [...state.collections.values()].filter((each) => each.productIds.includes(product.id)),
          id: (item) => item.id,
          view: (item) => collectionView(read, item),
        },
        args,
      ),
    inCollection: (args: unknown) =>
      state.collections.get(requireId("Collection", byId.parse(args).id))?.productIds.includes(product.id) ??
      false,
    featuredMedia: () =>
      product.images[0] === undefined ? null : mediaView(read, product, product.images[0]),
    featuredImage: () => (product.images[0] === undefined ? null : imageView(read, product.images[0])),
    images: (args: unknown) =>
      connection(
        "Image",
        { items: product.images, id: (item) => item.id, view: (item) => imageView(read, item) },
        args,
      ),
    media: (args: unknown) =>
      connection(
        "Media",
        { items: product.images, id: (item) => item.id, view: (item) => mediaView(read, product, item) },
        args,
      ),
    mediaCount: countView(product.images.length),
    ...metafieldFields(read, id),
    ...publicationFields(read, product),
  };
}

function publicationFields(read: Reader, product: Product): Record<string, unknown> {
  const { state } = read.shop;
  const published = (publication: Publication): View => ({
    __typename: "ResourcePublicationV2",
    isPublished: product.publishedOn.has(publication.id),
    publishDate: product.createdAt,
    publication: () => publicationView(read, publication),
    publishable: () => productView(read, product),
  });
  const on = [...state.publications.values()].filter(({ id }) => product.publishedOn.has(id));
  return {
    publishedOnPublication: (args: unknown) =>
      product.publishedOn.has(requireId("Publication", onPublication.parse(args).publicationId)),
    resourcePublicationsV2: (args: unknown) =>
      connection("ResourcePublicationV2", { items: on, id: (item) => item.id, view: published }, args),
    resourcePublicationsCount: countView(on.length),
    availablePublicationsCount: countView(on.length),
    unpublishedPublications: (args: unknown) =>
      connection(
        "Publication",
        {
          items: [...state.publications.values()].filter(({ id }) => !product.publishedOn.has(id)),
          id: (item) => item.id,
          view: (item) => publicationView(read, item),
        },
        args,
      ),
  };
}

function optionView(product: Product, option: Product["options"][number], index: number): View {
  return {
    __typename: "ProductOption",
    id: gid("ProductOption", option.id),
    name: option.name,
    position: index + 1,
    values: option.values,
    optionValues: option.values.map((value, at) => optionValueView(product, option, value, at)),
    linkedMetafield: null,
  };
}

function optionValueView(
  product: Product,
  option: Product["options"][number],
  value: string,
  at: number,
): View {
  const index = product.options.indexOf(option);
  return {
    __typename: "ProductOptionValue",
    // The state keeps no ids of option values: one per option and place is stable enough.
    id: gid("ProductOptionValue", `${option.id}${at + 1}`),
    name: value,
    hasVariants: product.variants.some((variant) => variant.optionValues[index] === value),
    linkedMetafieldValue: null,
    swatch: null,
  };
}

export function variantView(read: Reader, product: Product, variant: Variant): View {
  const { state } = read.shop;
  const id = gid("ProductVariant", variant.id);
  const tracked = variant.tracked && variant.inventoryPolicy === "DENY";
  return {
    __typename: "ProductVariant",
    id,
    legacyResourceId: variant.id,
    title: variant.title,
    displayName: `${product.title} - ${variant.title}`,
    sku: variant.sku,
    barcode: null,
    price: money(variant.price, state.currency),
    compareAtPrice: variant.compareAtPrice === null ? null : money(variant.compareAtPrice, state.currency),
    position: variant.position,
    taxable: variant.taxable,
    inventoryPolicy: variant.inventoryPolicy,
    inventoryQuantity: variant.inventoryQuantity,
    availableForSale: !tracked || variant.inventoryQuantity > 0,
    sellableOnlineQuantity: variant.inventoryQuantity,
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    selectedOptions: () =>
      product.options.map((option, index) => ({
        __typename: "SelectedOption",
        name: option.name,
        value: variant.optionValues[index] ?? "",
        optionValue: () =>
          optionValueView(
            product,
            option,
            variant.optionValues[index] ?? "",
            option.values.indexOf(variant.optionValues[index] ?? ""),
          ),
      })),
    inventoryItem: () => inventoryItemView(read, product, variant),
    product: () => productView(read, product),
    image: () => null,
    media: (args: unknown) =>
      connection(
        "Media",
        {
          items: [] as Product["images"],
          id: (item) => item.id,
          view: (item) => mediaView(read, product, item),
        },
        args,
      ),
    ...metafieldFields(read, id),
  };
}

export function inventoryItemView(read: Reader, product: Product, variant: Variant): View {
  return {
    __typename: "InventoryItem",
    id: gid("InventoryItem", variant.inventoryItemId),
    legacyResourceId: variant.inventoryItemId,
    sku: variant.sku,
    tracked: variant.tracked,
    requiresShipping: variant.requiresShipping,
    unitCost: null,
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    variant: () => variantView(read, product, variant),
  };
}

export function collectionView(read: Reader, collection: Collection): View {
  const { state } = read.shop;
  const products = () =>
    collection.productIds.map((id) => state.products.get(id)).filter((product) => product !== undefined);
  const id = gid("Collection", collection.id);
  return {
    __typename: "Collection",
    id,
    legacyResourceId: collection.id,
    handle: collection.handle,
    title: collection.title,
    description: () => "",
    descriptionHtml: "",
    updatedAt: state.createdAt,
    sortOrder: "BEST_SELLING",
    image: () => null,
    ruleSet: null,
    templateSuffix: null,
    seo: { __typename: "SEO", title: null, description: null },
    productsCount: () => countView(products().length),
    hasProduct: (args: unknown) => collection.productIds.includes(requireId("Product", byId.parse(args).id)),
    products: (args: unknown) =>
      connection(
        "Product",
        { items: products(), id: (item) => item.id, view: (item) => productView(read, item) },
        args,
      ),
    ...metafieldFields(read, id),
  };
}

export function publicationView(read: Reader, publication: Publication): View {
  const { state } = read.shop;
  const published = () =>
    [...state.products.values()].filter((product) => product.publishedOn.has(publication.id));
  return {
    __typename: "Publication",
    id: gid("Publication", publication.id),
    name: publication.name,
    autoPublish: publication.autoPublish,
    supportsFuturePublishing: publication.appHandle === "online_store",
    catalog: () => ({
      __typename: "AppCatalog",
      id: gid("AppCatalog", publication.id),
      title: publication.name,
      status: "ACTIVE",
      apps: (args: unknown) =>
        connection("App", { items: [publication], id: (item) => item.id, view: channelAppView }, args),
    }),
    products: (args: unknown) =>
      connection(
        "Product",
        { items: published(), id: (item) => item.id, view: (item) => productView(read, item) },
        args,
      ),
    includedProductsCount: () => countView(published().length),
  };
}

/** The app behind a sales channel. */
function channelAppView({ id, name, appHandle }: Publication): View {
  return { __typename: "App", id: gid("App", id), handle: appHandle, title: name };
}

function mediaView(read: Reader, product: Product, image: Product["images"][number]): View {
  return {
    __typename: "MediaImage",
    id: gid("MediaImage", image.id),
    alt: image.alt,
    mediaContentType: "IMAGE",
    mimeType: "image/svg+xml",
    status: "READY",
    fileStatus: "READY",
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    image: () => imageView(read, image),
    preview: () => ({
      __typename: "MediaPreviewImage",
      status: "READY",
      image: () => imageView(read, image),
    }),
    mediaErrors: [],
    mediaWarnings: [],
    fileErrors: [],
  };
}

function imageView(read: Reader, image: Product["images"][number]): View {
  const url = image.url.startsWith("/") ? `${read.shop.origin}${image.url}` : image.url;
  return {
    __typename: "Image",
    id: gid("ImageSource", image.id),
    altText: image.alt,
    url: () => url,
    src: url,
    originalSrc: url,
    transformedSrc: () => url,
    width: 1000,
    height: 1000,
  };
}
