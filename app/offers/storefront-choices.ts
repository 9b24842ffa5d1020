/** What a merchant chooses from for the storefront; apart from the schema, which pages without a form need not load. */

/** How the product page presents the offer: block setting `format` of extensions/parasol-storefront. */
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
