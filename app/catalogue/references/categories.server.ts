/** The insurer's categories per shop and environment, from discovery and for the merchant's pages. */
import { z } from "zod";
import { type Category, category as categorySchema } from "#app/insurance/categories.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";

/** A category of the insurer in the catalogue. */
export interface StoredCategory {
  category: Category;
  live: boolean;
  /** the products with offers of their own */
  liveProducts: string[];
  vanished: boolean;
  /** the last run that discovered it completely */
  runId: string | null;
  discoveredAt: Date | null;
  /** the number of its discoveries */
  round: number;
  error: string | null;
}

export async function listCategories(shop: string, environment: Environment): Promise<StoredCategory[]> {
  const rows = await db.category.findMany({ where: { shop, environment }, orderBy: { categoryId: "asc" } });
  return rows.map((row) => ({
    category: categorySchema.parse({
      id: row.categoryId,
      marketing: row.marketing,
      legal: row.legal,
    }),
    live: row.live,
    liveProducts: row.liveProducts,
    vanished: row.state === "vanished",
    runId: row.runId,
    discoveredAt: row.discoveredAt,
    round: row.round,
    error: row.error,
  }));
}

/** Saves the categories that the insurer lists. All others, and their references, have vanished. */
export async function saveCategories(
  shop: string,
  environment: Environment,
  categories: readonly Category[],
): Promise<void> {
  for (const { id, marketing, legal } of categories) {
    const content = { marketing, legal, state: "offered" };
    await db.category.upsert({
      where: { shop_environment_categoryId: { shop, environment, categoryId: id } },
      create: { shop, environment, categoryId: id, ...content },
      update: content,
    });
  }
  const listed = categories.map(({ id }) => id);
  await db.category.updateMany({
    where: { shop, environment, categoryId: { notIn: listed } },
    data: { state: "vanished" },
  });
  await db.reference.updateMany({
    where: { shop, environment, categoryId: { notIn: listed }, state: "offered" },
    data: { state: "vanished", vanishedAt: new Date() },
  });
}

/** Records a complete discovery of a category. */
export async function saveDiscovery(
  shop: string,
  environment: Environment,
  categoryId: string,
  discovery: { runId: string; live: boolean; liveProducts: string[] },
): Promise<void> {
  await db.category.updateMany({
    where: { shop, environment, categoryId },
    data: { ...discovery, round: { increment: 1 }, discoveredAt: new Date(), error: null },
  });
}

export async function saveDiscoveryError(
  shop: string,
  environment: Environment,
  categoryId: string,
  error: string,
): Promise<void> {
  await db.category.updateMany({ where: { shop, environment, categoryId }, data: { error } });
}

// The merchant's view of the categories: texts, documents, and the references in the shop.

export interface ListedCategory {
  category: Category;
  /** offers differ by product, so shoppers get live offers only */
  live: boolean;
  vanished: boolean;
  /** why the last discovery failed */
  error: string | null;
  discoveredAt: Date | null;
  /** the number of references that shoppers can buy */
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

const counts = z.array(z.object({ categoryId: z.string(), count: z.number() }));

/** Counts the references that shoppers can buy, by category. */
async function countOnSale(shop: string, environment: Environment): Promise<z.infer<typeof counts>> {
  const countRows = await db.$queryRaw`
    SELECT r."categoryId", count(DISTINCT r."referenceId")::int AS count
    FROM "Reference" r JOIN "SyncedVariant" v USING (shop, environment, "referenceId")
    WHERE shop = ${shop} AND environment = ${environment} AND r.state = 'offered' AND r.problem IS NULL
      AND v."onSale"
    GROUP BY 1`;
  return counts.parse(countRows);
}
