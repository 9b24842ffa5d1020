/** What productSet changes in the shop. */
import { z } from "zod";
import { emitShopEvent } from "../../events.ts";
import { gid, nextId, parseGid } from "../../ids.ts";
import {
  findMetafield,
  metafieldsOf,
  putMetafield,
  removeMetafield,
  resolveNamespace,
} from "../../metafields.ts";
import { decimals, minorUnits } from "../../money.ts";
import { findByHandle, findVariant, uniqueHandle, putProduct } from "../../products.ts";
import type { Product, ShopState, Variant } from "../../state.ts";
import { metafieldType } from "./metafield-fields.ts";
import type { Reader } from "./reader.ts";
import { metafield } from "./product-set-input.ts";
import type { VariantInput, SetArguments } from "./product-set-input.ts";
import {
  handleErrors,
  metafieldErrors,
  optionErrors,
  optionValues,
  variantErrors,
} from "./product-set-rules.ts";
import type { SetError } from "./product-set-rules.ts";

export function writeProduct(
  read: Reader,
  { identifier, input }: SetArguments,
): { product: Product | null; errors: SetError[] } {
  const { state } = read.shop;
  const target = find(read, identifier ?? null, input.id ?? null);
  if (target instanceof Array) return { product: null, errors: target };
  const errors = [
    ...handleErrors(read, target, input),
    ...optionErrors(target, input),
    ...variantErrors(target, input),
    ...metafieldErrors(read, target, input),
  ];
  if (errors.length > 0) return { product: null, errors };
  if (!read.shop.api.variantThrottle.take(newVariants(read, target, input))) throw new VariantLimitReached();

  const now = new Date().toISOString();
  const options = input.productOptions?.map((option, index) => ({
    id: target?.options[index]?.id ?? nextId(state, "option"),
    name: option.name,
    values: option.values?.map(({ name }) => name) ?? [],
  })) ??
    target?.options ?? [{ id: nextId(state, "option"), name: "Title", values: ["Default Title"] }];
  const title = input.title ?? target?.title ?? "";
  const product: Product = {
    id: target?.id ?? nextId(state, "product"),
    handle: input.handle ?? target?.handle ?? identifier?.handle ?? uniqueHandle(state, title),
    title,
    descriptionHtml: input.descriptionHtml ?? target?.descriptionHtml ?? "",
    vendor: input.vendor ?? target?.vendor ?? state.name,
    productType: input.productType ?? target?.productType ?? "",
    tags: input.tags ?? target?.tags ?? [],
    status: input.status ?? target?.status ?? "ACTIVE",
    options,
    variants:
      input.variants == null
        ? (target?.variants ?? [defaultVariant(read)])
        : input.variants.map((each, index) => newVariant(read, target, options, each, index)),
    images:
      input.files?.map(
        (file) =>
          target?.images.find(({ id }) => file.id === gid("MediaImage", id)) ?? {
            id: nextId(state, "image"),
            url: file.originalSource ?? "",
            alt: file.alt ?? "",
          },
      ) ??
      target?.images ??
      [],
    publishedOn: target?.publishedOn ?? autoPublished(state),
    giftCard: input.giftCard ?? target?.giftCard ?? false,
    createdAt: target?.createdAt ?? now,
    updatedAt: now,
  };
  const kept = new Set(product.variants.map(({ id }) => id));
  for (const gone of target?.variants.filter(({ id }) => !kept.has(id)) ?? [])
    for (const each of metafieldsOf(state, gid("ProductVariant", gone.id)))
      removeMetafield(state, each.ownerId, each.namespace, each.key);
  putProduct(state, product);
  writeMetafields(read, gid("Product", product.id), input.metafields);
  input.variants?.forEach((each, index) =>
    writeMetafields(read, gid("ProductVariant", product.variants[index]?.id ?? ""), each.metafields),
  );
  if (identifier?.customId !== undefined)
    putMetafield(
      state,
      gid("Product", product.id),
      identifier.customId.namespace,
      identifier.customId.key,
      "id",
      identifier.customId.value,
    );
  if (input.collections != null) {
    const wanted = new Set(input.collections.map((id) => parseGid(id)?.id));
    for (const collection of state.collections.values()) {
      const others = collection.productIds.filter((id) => id !== product.id);
      collection.productIds = wanted.has(collection.id) ? [...others, product.id] : others;
    }
  }
  emitShopEvent(state, { topic: target === null ? "products/create" : "products/update", product });
  return { product, errors: [] };
}

/** The shop has had its new variants of today. */
export class VariantLimitReached extends Error {
  override message =
    "Daily variant creation limit reached. Please try again later. See https://help.shopify.com/api/getting-started/api-call-limit for more information about rate limits and how to avoid them.";
}

/** How many variants the input makes. */
function newVariants(read: Reader, target: Product | null, input: SetArguments["input"]): number {
  if (input.variants == null) return target === null ? 1 : 0;
  const options = input.productOptions?.map(({ name }) => ({ name })) ?? target?.options ?? [];
  return input.variants.filter(
    (each) => knownVariant(read, target, optionValues(options, each), each) === undefined,
  ).length;
}

function knownVariant(
  read: Reader,
  target: Product | null,
  values: string[],
  { id }: VariantInput,
): Variant | undefined {
  const named = id == null ? undefined : findVariant(read.shop.state, parseGid(id)?.id ?? "")?.variant;
  return (
    named ?? target?.variants.find((each) => JSON.stringify(each.optionValues) === JSON.stringify(values))
  );
}

/** A new product is put on every channel that publishes new products by itself. */
function autoPublished({ publications }: ShopState): Set<string> {
  return new Set([...publications.values()].filter(({ autoPublish }) => autoPublish).map(({ id }) => id));
}

/** The product to change, null for a new one, or why neither. */
function find(
  read: Reader,
  identifier: SetArguments["identifier"] | null,
  inputId: string | null,
): Product | null | SetError[] {
  const { state } = read.shop;
  const id = identifier?.id ?? inputId;
  if (id != null) {
    const product = state.products.get(parseGid(id)?.id ?? "");
    return (
      product ?? [{ code: "PRODUCT_DOES_NOT_EXIST", field: ["input"], message: "Product does not exist" }]
    );
  }
  if (identifier?.handle !== undefined) return findByHandle(state, identifier.handle) ?? null;
  const custom = identifier?.customId;
  if (custom === undefined) return null;
  for (const product of state.products.values())
    if (
      findMetafield(state, gid("Product", product.id), custom.namespace, custom.key)?.value === custom.value
    )
      return product;
  return null;
}

/** Given metafields replace the app's own; those of others stay. */
function writeMetafields(
  read: Reader,
  ownerId: string,
  metafields: z.infer<typeof metafield>[] | null | undefined,
): void {
  if (metafields == null) return;
  const { state } = read.shop;
  const wanted = new Set(metafields.map(({ namespace, key }) => `${resolveNamespace(namespace)}.${key}`));
  for (const each of metafieldsOf(state, ownerId))
    if (!wanted.has(`${each.namespace}.${each.key}`))
      removeMetafield(state, ownerId, each.namespace, each.key);
  for (const each of metafields)
    putMetafield(
      state,
      ownerId,
      each.namespace,
      each.key,
      metafieldType(read.shop, { ...each, ownerId }) ?? "",
      each.value,
    );
}

function newVariant(
  read: Reader,
  target: Product | null,
  options: Product["options"],
  input: VariantInput,
  index: number,
): Variant {
  const { state } = read.shop;
  const values = optionValues(options, input);
  const before = knownVariant(read, target, values, input);
  const price = (given: string | null | undefined, otherwise: number): number =>
    given == null ? otherwise : minorUnits(Number(given).toFixed(decimals(state.currency)), state.currency);
  const base = before ?? defaultVariant(read);
  return {
    ...base,
    title: values.join(" / "),
    optionValues: values,
    sku: input.sku ?? input.inventoryItem?.sku ?? base.sku,
    price: price(input.price, base.price),
    compareAtPrice:
      input.compareAtPrice === undefined
        ? base.compareAtPrice
        : input.compareAtPrice === null
          ? null
          : price(input.compareAtPrice, 0),
    taxable: input.taxable ?? base.taxable,
    requiresShipping: input.inventoryItem?.requiresShipping ?? base.requiresShipping,
    tracked: input.inventoryItem?.tracked ?? base.tracked,
    inventoryPolicy: input.inventoryPolicy ?? base.inventoryPolicy,
    position: input.position ?? index + 1,
  };
}

function defaultVariant(read: Reader): Variant {
  const { state } = read.shop;
  return {
    id: nextId(state, "variant"),
    inventoryItemId: nextId(state, "inventoryItem"),
    title: "Default Title",
    optionValues: ["Default Title"],
    sku: null,
    price: 0,
    compareAtPrice: null,
    taxable: true,
    requiresShipping: true,
    tracked: false,
    inventoryPolicy: "DENY",
    inventoryQuantity: 0,
    position: 1,
  };
}
