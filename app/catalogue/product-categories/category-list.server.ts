/** The service's categories as the merchant sees them: texts, documents, and what the shop has of each. */
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { Category } from "#app/insurance/categories.ts";
import { listCategories } from "#app/catalogue/references/categories.server.ts";
import { countOnSale } from "#app/catalogue/catalogue-rows.server.ts";

export interface ListedCategory {
  category: Category;
  /** offers differ by product: shoppers get live offers only */
  live: boolean;
  vanished: boolean;
  /** why the last discovery failed */
  error: string | null;
  discoveredAt: Date | null;
  /** references that shoppers can buy */
  onSale: number;
  products: number;
}

export async function categoryList(shop: string, environment: Environment): Promise<ListedCategory[]> {
  const [stored, products, onSale] = await Promise.all([
    listCategories(shop, environment),
    db.shopProduct.groupBy({
      by: ["categoryId"],
      where: { shop, categoryId: { not: null } },
      _count: { _all: true },
    }),
    countOnSale(shop, environment),
  ]);
  const productsOf = new Map(products.map(({ categoryId, _count }) => [categoryId, _count._all]));
  const onSaleOf = new Map(onSale.map(({ categoryId, count }) => [categoryId, count]));
  return stored.map(({ category, live, vanished, error, discoveredAt }) => ({
    category,
    live,
    vanished,
    error,
    discoveredAt,
    onSale: onSaleOf.get(category.id) ?? 0,
    products: productsOf.get(category.id) ?? 0,
  }));
}
