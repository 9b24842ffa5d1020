/** The cart as `/cart.js` gives it. */
import type { CartLine } from "../../state.ts";
import { numericId } from "../json.ts";
import { buyableVariant, isGiftCard } from "../products.ts";
import { type Visit, variantPrice } from "../visit.ts";
import { lineKey } from "./cart.ts";

export function cartJson(visit: Visit) {
  const items = visit.cart.lines.flatMap((line) => lineJson(visit, line) ?? []);
  const total = items.reduce((sum, item) => sum + item.final_line_price, 0);
  return {
    token: visit.cart.token,
    note: visit.cart.note,
    attributes: visit.cart.attributes,
    original_total_price: total,
    total_price: total,
    total_discount: 0,
    total_weight: 0,
    item_count: items.reduce((sum, item) => sum + item.quantity, 0),
    items,
    requires_shipping: items.some((item) => item.requires_shipping),
    currency: visit.currency,
    items_subtotal_price: total,
    cart_level_discount_applications: [],
    discount_codes: [],
  };
}

/** Null if the variant is no longer for sale: Shopify removes such lines from the cart, too. */
export function lineJson(visit: Visit, line: CartLine) {
  const found = buyableVariant(visit.sandbox.state, line.variantId, visit);
  if (found === undefined) return null;
  const { product, variant } = found;
  const onlyVariant = product.variants.length === 1 && variant.title === "Default Title";
  const price = variantPrice(visit, variant);
  const image = product.images[0];
  const parent = visit.cart.lines.find(({ id }) => id === line.parentLineId);
  return {
    id: numericId(variant.id),
    properties: line.properties,
    quantity: line.quantity,
    variant_id: numericId(variant.id),
    key: lineKey(line),
    title: onlyVariant ? product.title : `${product.title} - ${variant.title}`,
    price,
    original_price: price,
    presentment_price: price / 100,
    discounted_price: price,
    line_price: price * line.quantity,
    original_line_price: price * line.quantity,
    total_discount: 0,
    discounts: [],
    sku: variant.sku,
    grams: 0,
    vendor: product.vendor,
    taxable: variant.taxable,
    product_id: numericId(product.id),
    product_has_only_default_variant: onlyVariant,
    gift_card: isGiftCard(product),
    final_price: price,
    final_line_price: price * line.quantity,
    url: `/products/${product.handle}?variant=${variant.id}`,
    featured_image:
      image === undefined
        ? null
        : { url: image.url, alt: image.alt, width: 1200, height: 1200, aspect_ratio: 1 },
    image: image?.url ?? null,
    handle: product.handle,
    requires_shipping: variant.requiresShipping,
    product_type: product.productType,
    product_title: product.title,
    product_description: product.descriptionHtml,
    variant_title: onlyVariant ? null : variant.title,
    variant_options: variant.optionValues,
    options_with_values: product.options.map(({ name }, index) => ({
      name,
      value: variant.optionValues[index] ?? "",
    })),
    line_level_discount_allocations: [],
    line_level_total_discount: 0,
    quantity_rule: { min: 1, max: null, increment: 1 },
    has_components: false,
    instructions: { can_remove: true, can_update_quantity: true },
    ...(parent === undefined ? {} : { parent_relationship: { parent_key: lineKey(parent) } }),
  };
}
