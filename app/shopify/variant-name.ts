/** Shopify's name for the single variant of a product without options, in every language. */
const ONLY_VARIANT = "Default Title";

/** The name of product and variant; a single variant has no name of its own. */
export function variantName(product: string, variant: string): string {
  return variant === ONLY_VARIANT || variant === "" ? product : `${product} – ${variant}`;
}
