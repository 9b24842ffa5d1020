/** What Shopify calls the variant of a product that has nothing to choose, in every language. */
const ONLY_VARIANT = "Default Title";

/** Product and variant as people name them: the only variant of a product has no name of its own. */
export function variantName(product: string, variant: string): string {
  return variant === ONLY_VARIANT || variant === "" ? product : `${product} – ${variant}`;
}
