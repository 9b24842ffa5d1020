/** The changes of a sync for one category: planned, applied, and the resulting sold references. */
import type { StoredCategory } from "#app/catalogue/references/categories.server.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";
import type { ReferenceProblem } from "#app/catalogue/references/reference-problems.ts";
import type { SoldReference } from "./compact-catalogue.ts";
import type { ProductChange } from "./difference.ts";
import { type FoundProduct, isSellable } from "./plan-product-state.ts";

export interface CategoryChanges {
  stored: StoredCategory;
  /** all references of the category, by id */
  references: ReadonlyMap<string, Reference>;
  /** the formula names of the references, by id; empty if the category has only one formula */
  formulas: ReadonlyMap<string, string>;
  /** the problems of the references that are not sold, by id */
  problems: ReadonlyMap<string, ReferenceProblem>;
  products: PlannedProduct[];
}

export interface PlannedProduct {
  /** the product in the shop; null: it is to be created */
  existingProduct: FoundProduct | null;
  change: ProductChange;
}

/** A plan product after its change. */
export interface AppliedProduct {
  /** the applied change */
  change: ProductChange;
  productId: string;
  /** the product before the change; null: it was created */
  existingProduct: FoundProduct | null;
  outcome: "unchanged" | "written" | "refused";
}

export interface AppliedCategory extends Omit<CategoryChanges, "products"> {
  products: AppliedProduct[];
}

/**
 * The references that the shop sells in a category after the changes.
 * @param created products with new variants, read again for the variants' ids
 */
export function soldReferences(
  { products, references, formulas }: Pick<AppliedCategory, "products" | "references" | "formulas">,
  created: ReadonlyMap<string, FoundProduct>,
): SoldReference[] {
  return products.flatMap(({ change, productId, existingProduct: found }) => {
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
