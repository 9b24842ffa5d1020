/** Reads the catalogue's data of single variants, for their offers. */
import type { Category } from "#app/insurance/categories.ts";
import { billing } from "#app/insurance/fields.ts";
import type { Billing } from "#app/insurance/fields.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { listCategories } from "./categories.server.ts";

export interface CategorisedVariant {
  variantId: string;
  productId: string;
  title: string;
  priceMinor: number;
  productTitle: string;
  /** null: none; see `decidedBy` for why */
  categoryId: string | null;
  /** a rule's id, `override`, or null where no rule matched */
  decidedBy: string | null;
}

/** The variants from the last read or webhook of their products; unknown variants are missing. */
export async function findCategorisedVariants(
  shop: string,
  variantIds: readonly string[],
): Promise<CategorisedVariant[]> {
  const variants = await db.shopVariant.findMany({ where: { shop, variantId: { in: [...variantIds] } } });
  const products = await db.shopProduct.findMany({
    where: { shop, productId: { in: variants.map(({ productId }) => productId) } },
    select: { productId: true, title: true, categoryId: true, decidedBy: true },
  });
  const byId = new Map(products.map((product) => [product.productId, product]));
  return variants.flatMap(({ variantId, productId, title, priceMinor }) => {
    const product = byId.get(productId);
    return product
      ? [
          {
            variantId,
            productId,
            title,
            priceMinor,
            productTitle: product.title,
            categoryId: product.categoryId,
            decidedBy: product.decidedBy,
          },
        ]
      : [];
  });
}

export interface OfferedCategory {
  category: Category;
  /** offers differ by product, so only live offers count */
  live: boolean;
}

/** The categories on offer, by id. */
export async function listOfferedCategories(
  shop: string,
  environment: Environment,
): Promise<Map<string, OfferedCategory>> {
  const stored = await listCategories(shop, environment);
  return new Map(
    stored.filter(({ vanished }) => !vanished).map(({ category, live }) => [category.id, { category, live }]),
  );
}

/** The formulas of each category that has several, by category id. */
export async function listFormulas(shop: string, environment: Environment): Promise<Map<string, string[]>> {
  const rows = await db.reference.findMany({
    where: { shop, environment, state: "offered", problem: null, formula: { not: null } },
    distinct: ["categoryId", "formula"],
    orderBy: [{ categoryId: "asc" }, { formula: "asc" }],
    select: { categoryId: true, formula: true },
  });
  const byCategory = Map.groupBy(rows, ({ categoryId }) => categoryId);
  return new Map([...byCategory].map(([id, own]) => [id, own.flatMap(({ formula }) => formula ?? [])]));
}

/** The billing of each reference, by id; unknown references are missing. */
export async function findBillings(
  shop: string,
  environment: Environment,
  referenceIds: readonly string[],
): Promise<Map<string, Billing>> {
  const rows = await db.reference.findMany({
    where: { shop, environment, referenceId: { in: [...referenceIds] } },
    select: { referenceId: true, billing: true },
  });
  return new Map(rows.map((row) => [row.referenceId, billing.parse(row.billing)]));
}
