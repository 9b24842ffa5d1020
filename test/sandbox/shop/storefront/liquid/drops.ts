/** Shopify's Liquid objects, as plain data: `product`, `variant`, `collection`, `cart`, `shop`, metafields. */
import { cartJson } from "../cart/cart-json.ts";
import { lineKey } from "../cart/cart.ts";
import { numericId } from "../json.ts";
import { collectionProducts, isAvailable, isGiftCard, buyableVariant } from "../products.ts";
import type { Collection, Metafield, Product, ShopState, Variant } from "../../state.ts";
import { gid } from "../../ids.ts";
import { metafieldsOf as ownedBy, resolveNamespace } from "../../metafields.ts";
import { type Visit, presentmentPrice, variantPrice } from "../visit.ts";

export function productDrop(visit: Visit, product: Product, selectedVariantId: string | null = null) {
  const variants = product.variants.map((variant) => variantDrop(visit, product, variant));
  const prices = variants.map(({ price }) => price);
  const selected = variants.find(({ id }) => String(id) === selectedVariantId) ?? null;
  const firstAvailable = variants.find(({ available }) => available) ?? null;
  const images = product.images.map(imageDrop);
  return {
    id: numericId(product.id),
    title: product.title,
    handle: product.handle,
    description: product.descriptionHtml,
    content: product.descriptionHtml,
    vendor: product.vendor,
    type: product.productType,
    tags: product.tags,
    price: Math.min(...prices),
    price_min: Math.min(...prices),
    price_max: Math.max(...prices),
    price_varies: new Set(prices).size > 1,
    compare_at_price: variants[0]?.compare_at_price ?? null,
    available: firstAvailable !== null,
    "gift_card?": isGiftCard(product),
    // Liquid returns the first 250 variants only, plus the selected one.
    variants: variants.slice(0, 250),
    variants_count: variants.length,
    options: product.options.map(({ name }) => name),
    options_with_values: product.options.map(({ name, values }, index) => ({
      name,
      position: index + 1,
      values,
      selected_value: (selected ?? firstAvailable ?? variants[0])?.options[index] ?? null,
    })),
    selected_variant: selected,
    selected_or_first_available_variant: selected ?? firstAvailable ?? variants[0] ?? null,
    first_available_variant: firstAvailable,
    has_only_default_variant: variants.length === 1 && variants[0]?.title === "Default Title",
    featured_image: images[0] ?? null,
    images,
    url: `/products/${product.handle}`,
    get metafields() {
      return metafieldsOf(visit.sandbox.state, gid("Product", product.id));
    },
    requires_selling_plan: false,
    selling_plan_groups: [],
  };
}

function variantDrop(visit: Visit, product: Product, variant: Variant) {
  const image = product.images[0];
  return {
    id: numericId(variant.id),
    title: variant.title,
    price: variantPrice(visit, variant),
    compare_at_price:
      variant.compareAtPrice === null ? null : presentmentPrice(visit, variant.compareAtPrice),
    available: isAvailable(variant),
    sku: variant.sku,
    option1: variant.optionValues[0] ?? null,
    option2: variant.optionValues[1] ?? null,
    option3: variant.optionValues[2] ?? null,
    options: variant.optionValues,
    requires_shipping: variant.requiresShipping,
    taxable: variant.taxable,
    inventory_management: variant.tracked ? "shopify" : null,
    inventory_policy: variant.inventoryPolicy.toLowerCase(),
    inventory_quantity: variant.inventoryQuantity,
    featured_image: image === undefined ? null : imageDrop(image),
    url: `/products/${product.handle}?variant=${variant.id}`,
    get metafields() {
      return metafieldsOf(visit.sandbox.state, gid("ProductVariant", variant.id));
    },
  };
}

function imageDrop({ url, alt }: Product["images"][number]) {
  return { src: url, alt, width: 1200, height: 1200, aspect_ratio: 1 };
}

export function collectionDrop(visit: Visit, collection: Collection) {
  const products = collectionProducts(visit.sandbox.state, collection);
  return {
    id: numericId(collection.id),
    title: collection.title,
    handle: collection.handle,
    url: `/collections/${collection.handle}`,
    get products() {
      return products.map((product) => productDrop(visit, product));
    },
    products_count: products.length,
    all_products_count: products.length,
  };
}

interface LineDrop {
  key: string;
  title: string;
  /** its place in the cart, from 0 */
  index?: number;
  /** the whole line that it is nested under */
  parent_relationship: { parent: LineDrop | null };
}

export function cartDrop(visit: Visit) {
  const json = cartJson(visit);
  const drops = visit.cart.lines.flatMap((line): LineDrop[] => {
    const item = json.items.find(({ key }) => key === lineKey(line));
    const found = buyableVariant(visit.sandbox.state, line.variantId, visit);
    if (item === undefined || found === undefined) return [];
    const product = productDrop(visit, found.product, line.variantId);
    const drop = { ...item, product, variant: product.selected_variant, image: product.featured_image };
    // Themes read the parent, not the relationship, and it may be missing.
    return [{ ...drop, parent_relationship: { parent: null } }];
  });
  for (const [index, drop] of drops.entries()) {
    const parentKey = json.items.find(({ key }) => key === drop.key)?.parent_relationship?.parent_key;
    drop.index = index;
    drop.parent_relationship.parent = drops.find(({ key }) => key === parentKey) ?? null;
  }
  return {
    ...json,
    items: drops,
    currency: { iso_code: visit.currency, symbol: visit.currency, name: visit.currency },
    "empty?": drops.length === 0,
  };
}

/** `{ namespace: { key: { type, value } } }`; the app-reserved namespace answers to `$app`, too. */
export function metafieldsOf(state: ShopState, owner: string): Record<string, Record<string, MetafieldDrop>> {
  const spaces: Record<string, Record<string, MetafieldDrop>> = {};
  for (const metafield of ownedBy(state, owner)) {
    const reserved = metafield.namespace === resolveNamespace("$app");
    for (const name of reserved ? [metafield.namespace, "$app", "app"] : [metafield.namespace])
      (spaces[name] ??= {})[metafield.key] = { type: metafield.type, value: valueOf(metafield) };
  }
  return spaces;
}

export interface MetafieldDrop {
  type: string;
  value: unknown;
}

function valueOf({ type, value }: Metafield): unknown {
  if (type === "json" || type.startsWith("list.")) return JSON.parse(value) as unknown;
  if (type === "boolean") return value === "true";
  if (type === "number_integer" || type === "number_decimal") return Number(value);
  return value;
}
