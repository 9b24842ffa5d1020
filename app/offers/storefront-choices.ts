/**
 * The merchant's choices for the storefront. The schema is elsewhere, because pages without a form need not load it.
 */

/** The formats of the offer on the product page: block setting `format` of extensions/parasol-storefront. */
export const productFormats = [
  "radio",
  "checkbox",
  "banner",
  "section",
  "tabs",
  "modal",
  "floating",
  "sticky",
] as const;

/** The touchpoints that the theme extension serves. */
export const storefrontTouchpoints = ["product_page", "cart", "mini_cart"] as const;
export type StorefrontTouchpoint = (typeof storefrontTouchpoints)[number];
