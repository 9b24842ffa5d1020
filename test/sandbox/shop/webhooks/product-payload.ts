/** The REST product. */
import { gid } from "../ids.ts";
import { money } from "../money.ts";
import type { Product, ShopState, Variant } from "../state.ts";
import { numericId } from "./json.ts";
import { toShopTime } from "./rest.ts";
import type { Json } from "./rest.ts";

export function productPayload(state: ShopState, product: Product): Json {
  const at = (time: string): string => toShopTime(time, state.timezone);
  return {
    admin_graphql_api_id: gid("Product", product.id),
    body_html: product.descriptionHtml,
    created_at: at(product.createdAt),
    handle: product.handle,
    id: numericId(product.id),
    product_type: product.productType,
    published_at: product.publishedOn.size === 0 ? null : at(product.createdAt),
    template_suffix: null,
    title: product.title,
    updated_at: at(product.updatedAt),
    vendor: product.vendor,
    status: product.status.toLowerCase(),
    published_scope: "global",
    tags: product.tags.toSorted((a, b) => a.localeCompare(b)).join(", "),
    variants: product.variants.map((variant) => variantPayload(state, product, variant)),
    options: product.options.map((option, index) => ({
      name: option.name,
      id: numericId(option.id),
      product_id: numericId(product.id),
      position: index + 1,
      values: option.values,
    })),
    images: product.images.map(({ id, url, alt }, index) => ({
      id: numericId(id),
      product_id: numericId(product.id),
      position: index + 1,
      alt,
      src: url,
      variant_ids: [],
    })),
    image: null,
    media: [],
    category: null,
  };
}

function variantPayload(state: ShopState, product: Product, variant: Variant): Json {
  const [option1 = null, option2 = null, option3 = null] = variant.optionValues;
  return {
    admin_graphql_api_id: gid("ProductVariant", variant.id),
    barcode: null,
    compare_at_price: variant.compareAtPrice === null ? null : money(variant.compareAtPrice, state.currency),
    created_at: toShopTime(product.createdAt, state.timezone),
    id: numericId(variant.id),
    inventory_policy: variant.inventoryPolicy.toLowerCase(),
    position: variant.position,
    price: money(variant.price, state.currency),
    product_id: numericId(product.id),
    sku: variant.sku ?? "",
    taxable: variant.taxable,
    title: variant.title,
    updated_at: toShopTime(product.updatedAt, state.timezone),
    option1,
    option2,
    option3,
    image_id: null,
    inventory_item_id: numericId(variant.inventoryItemId),
    inventory_quantity: variant.inventoryQuantity,
    old_inventory_quantity: variant.inventoryQuantity,
  };
}
