/** What a sync changes in the shop for one category: as it is planned, and as it was applied. */
import type { StoredCategory } from "#app/catalogue/references/categories.server.ts";
import type { Reference, ReferenceProblem } from "#app/catalogue/references/reference.ts";
import type { ProductChange } from "./difference.ts";
import type { FoundProduct } from "./plan-product-state.ts";

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
