/** The storefront's root in the shopper's language: `/`, `/fr/`. */
export const root = window.Shopify?.routes?.root ?? "/";
