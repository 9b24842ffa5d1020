/** What a sync changes in the shop for one category: as it is planned, as it was applied, and what is sold afterwards. */
import type { StoredCategory } from "#app/catalogue/references/categories.server.ts";
import type { Reference, ReferenceProblem } from "#app/catalogue/references/reference.ts";
import type { SoldReference } from "./compact-catalogue.ts";
import type { ProductChange } from "./difference.ts";
import { type FoundProduct, isSellable } from "./plan-product-state.ts";

export interface CategoryChanges {
  stored: StoredCategory;
  /** all references of the category, by id */
  references: ReadonlyMap<string, Reference>;
  /** the names of the references' formulas, by id; empty where the category has one alone */
  formulas: ReadonlyMap<string, string>;
  /** the references that are not sold, by id */
  problems: ReadonlyMap<string, ReferenceProblem>;
  products: PlannedProduct[];
}

export interface PlannedProduct {
  /** as the shop has it; null: it is to be created */
  found: FoundProduct | null;
  change: ProductChange;
}

/** A plan product after its change. */
export interface AppliedProduct {
  /** what now holds of it */
  change: ProductChange;
  productId: string;
  /** as the shop had it before; null: it was created */
  found: FoundProduct | null;
  outcome: "unchanged" | "written" | "refused";
}

export interface AppliedCategory extends Omit<CategoryChanges, "products"> {
  products: AppliedProduct[];
}

/**
 * What the shop sells of a category after its changes were applied.
 * @param created products with new variants, as they were read again for the variants' ids
 */
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
