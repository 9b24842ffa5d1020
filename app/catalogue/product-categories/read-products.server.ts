/** Reads all products of the shop with a bulk query and replaces the app's copy of them. */
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { db } from "#app/platform/db.server.ts";
import { runBulkQuery } from "#app/shopify/bulk.server.ts";
import { numericId } from "#app/shopify/gid.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import { bulkLine, productFields, toProductChild, toProductRow } from "./product-query.server.ts";
import type { ProductChild, ProductRow } from "./product-query.server.ts";
import { upsertChildren, upsertProducts } from "./product-store.server.ts";

/** So many objects are kept in memory before they are written. */
const BATCH = 5_000;

/**
 * Reads every product of the shop but our own and replaces what was known of them. The result of the rules is left as
 * it is: applying them is the next step.
 * @param runId marks what this read has seen; what it has not seen is gone
 */
export async function readProducts(
  adminClient: AdminClient,
  { currency, runId }: { currency: string; runId: string },
  advance: (products: number) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  const { shop } = adminClient;
  const query = `{
    products(query: "-tag:${PLAN_TAG}") {
      edges { node {
        ${productFields}
        variants { edges { node { id title price } } }
        collections { edges { node { id } } }
      } }
    }
  }`;
  let products: ProductRow[] = [];
  let children: ProductChild[] = [];
  let read = 0;
  const store = async (): Promise<void> => {
    await upsertProducts(shop, products, runId);
    await upsertChildren(shop, children, runId);
    await advance(products.length);
    products = [];
    children = [];
  };
  for await (const object of runBulkQuery(adminClient, query, bulkLine, signal)) {
    if ("__parentId" in object) children.push(toProductChild(object, numericId(object.__parentId), currency));
    else {
      products.push(toProductRow(object));
      read += 1;
    }
    if (products.length + children.length >= BATCH) await store();
  }
  await store();
  await db.shopProduct.deleteMany({ where: { shop, OR: [{ runId: null }, { runId: { not: runId } }] } });
  await db.shopVariant.deleteMany({ where: { shop, OR: [{ runId: null }, { runId: { not: runId } }] } });
  await db.$executeRaw`
    UPDATE "ShopProduct" p SET "minPriceMinor" = v.lowest
    FROM (SELECT "productId", min("priceMinor") AS lowest FROM "ShopVariant" WHERE shop = ${shop} GROUP BY 1) v
    WHERE p.shop = ${shop} AND p."productId" = v."productId" AND p."minPriceMinor" IS DISTINCT FROM v.lowest`;
  // The embedded database does not look at its tables by itself, and plans poorly for tables that it takes to be small.
  await db.$executeRaw`ANALYZE "ShopProduct", "ShopVariant"`;
  return read;
}
