/** What the shop sells of a category after its changes were applied. */
import type { AppliedCategory } from "./category-changes.ts";
import type { SoldReference } from "./compact-content.ts";
import { isSellable } from "./plan-product-state.ts";
import type { FoundProduct } from "./plan-product-state.ts";

/** @param created products with new variants, as they were read again for the variants' ids */
export function soldReferences(
  { products, references, formulas }: Pick<AppliedCategory, "products" | "references" | "formulas">,
  created: ReadonlyMap<string, FoundProduct>,
): SoldReference[] {
  return products.flatMap(({ change, productId, found }) => {
    const product = created.get(productId) ?? found;
    if (!product || !isSellable(change.state)) return [];
    const variantIds = new Map(product.variants.map(({ sku, variantId }) => [sku, variantId]));
    return change.variants.flatMap((variant): SoldReference[] => {
      const reference = references.get(variant.referenceId ?? "");
      const variantId = variant.variantId ?? variantIds.get(variant.sku);
      if (!reference || variantId === undefined || variant.tracked) return [];
      const formula = formulas.get(reference.referenceId) ?? null;
      return [{ ...reference, formula, variantId, shopPriceMinor: variant.priceMinor }];
    });
  });
}
