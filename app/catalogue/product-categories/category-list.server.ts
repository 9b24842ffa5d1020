/** The service's categories as the merchant sees them: texts, documents, and what the shop has of each. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { Category } from "#app/insurance/categories.ts";
import { listCategories } from "#app/catalogue/references/categories.server.ts";

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

const counts = z.array(z.object({ categoryId: z.string(), count: z.number() }));

export async function categoryList(shop: string, environment: Environment): Promise<ListedCategory[]> {
  const [stored, products, onSale] = await Promise.all([
    listCategories(shop, environment),
    db.shopProduct.groupBy({
      by: ["categoryId"],
      where: { shop, categoryId: { not: null } },
      _count: { _all: true },
    }),
    db.$queryRaw`
      SELECT r."categoryId", count(DISTINCT r."referenceId")::int AS count
      FROM "Reference" r JOIN "SyncedVariant" v USING (shop, environment, "referenceId")
      WHERE shop = ${shop} AND environment = ${environment} AND r.state = 'offered' AND r.problem IS NULL
        AND v."onSale"
      GROUP BY 1`,
  ]);
  const productsOf = new Map(products.map(({ categoryId, _count }) => [categoryId, _count._all]));
  const onSaleOf = new Map(counts.parse(onSale).map(({ categoryId, count }) => [categoryId, count]));
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
