/** Reads all products of the shop with a bulk query and replaces the app's copy of them. */
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { db } from "#app/platform/db.server.ts";
import { runBulkQuery } from "#app/shopify/bulk.server.ts";
import { numericId } from "#app/shopify/gid.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import { bulkLine, PRODUCT_FIELDS, toProductChild, toProductRow } from "./product-query.server.ts";
import { databaseTime, deleteUnread, upsertChildren, upsertProducts } from "./product-store.server.ts";

/** Limit of objects that are kept in memory before they are written. */
const BATCH = 5_000;

/**
 * Reads every product of the shop but our own and replaces what was known of them. The result of the rules is left as
 * it is: applying them is the next step. The platform takes minutes for it: what a webhook or another read saves
 * meanwhile is newer, and stays. What was saved before and is not seen now is gone.
 */
export async function readProducts(
  adminClient: AdminClient,
  currency: string,
  advance: (products: number) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  const { shop } = adminClient;
  const asOf = await databaseTime();
  const query = `{
    products(query: "-tag:${PLAN_TAG}") {
      edges { node {
        ...ParasolShopProduct
        variants { edges { node { id title price } } }
        collections { edges { node { id } } }
      } }
    }
  }
  ${PRODUCT_FIELDS}`;
  const lines = await runBulkQuery(adminClient, query, bulkLine, signal);
  let read = 0;
  // A variant's line may come before its product's. All lines are read twice, so that none has to wait in memory.
  for await (const products of inBatches(lines, (line) =>
    "__parentId" in line ? null : toProductRow(line),
  )) {
    await upsertProducts(shop, products, asOf);
    await advance(products.length);
    read += products.length;
  }
  for await (const children of inBatches(lines, (line) =>
    "__parentId" in line ? toProductChild(line, numericId(line.__parentId), currency) : null,
  )) {
    await upsertChildren(shop, children, asOf);
    await advance(0);
  }
  await deleteUnread(shop, asOf);
  // The database plans what follows poorly while it takes the tables to be small: a server analyses them some time
  // after they have grown, the embedded one never by itself.
  await db.$executeRaw`ANALYZE "ShopProduct", "ShopVariant"`;
  await db.$executeRaw`
    UPDATE "ShopProduct" p SET "minPriceMinor" = v.lowest
    FROM (SELECT "productId", min("priceMinor") AS lowest FROM "ShopVariant" WHERE shop = ${shop} GROUP BY 1) v
    WHERE p.shop = ${shop} AND p."productId" = v."productId" AND p."minPriceMinor" IS DISTINCT FROM v.lowest`;
  return read;
}

/** What `pick` makes of the lines, in batches; lines of which it makes nothing are skipped. */
async function* inBatches<Line, T>(
  lines: AsyncIterable<Line>,
  pick: (line: Line) => T | null,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const line of lines) {
    const picked = pick(line);
    if (picked !== null) batch.push(picked);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
