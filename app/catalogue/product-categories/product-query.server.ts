/** Products of the shop from the Admin API, one by one or as lines of a bulk query. */
import { z } from "zod";
import { databaseNow } from "#app/platform/db.server.ts";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { ParasolProductQuery } from "#app/shopify/types/admin.generated.d.ts";
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { runBulkQuery } from "#app/shopify/bulk.server.ts";
import {
  deleteUnread,
  type ProductChild,
  type ProductRow,
  type ProductWithChildren,
  saveLowestPrices,
  upsertChildren,
  upsertProducts,
} from "./product-store.server.ts";

/** The product fields that the query and the bulk query read. */
export const PRODUCT_FIELDS = `#graphql
  fragment ParasolShopProduct on Product {
    id title handle status productType vendor tags hasVariantsThatRequiresComponents
    category: metafield(namespace: "$app", key: "insurance_category") { value }
  }`;

const productNode = z.object({
  id: z.string(),
  title: z.string(),
  handle: z.string(),
  status: z.string(),
  productType: z.string(),
  vendor: z.string(),
  tags: z.array(z.string()),
  hasVariantsThatRequiresComponents: z.boolean(),
  category: z.object({ value: z.string() }).nullable(),
});

const variantNode = z.object({ id: z.string(), title: z.string(), price: z.string() });

const collectionNode = z.object({ id: z.string().regex(/\/Collection\//) });

export const bulkLine = z.union([
  productNode,
  variantNode.extend({ __parentId: z.string() }),
  collectionNode.extend({ __parentId: z.string() }),
]);

export function toProductRow(node: z.infer<typeof productNode>): ProductRow {
  const { id, category, hasVariantsThatRequiresComponents: isBundle, ...fields } = node;
  return { ...fields, productId: numericId(id), isBundle, writtenKey: category?.value ?? null };
}

export function toProductChild(
  child: z.infer<typeof variantNode> | z.infer<typeof collectionNode>,
  productId: string,
  currency: string,
): ProductChild {
  const id = numericId(child.id);
  return "price" in child
    ? { productId, variantId: id, title: child.title, priceMinor: toCappedMinorUnits(child.price, currency) }
    : { productId, collectionId: id };
}

/** Products that one call reads. */
export const PRODUCTS_PER_CALL = 25;
/** Most products have fewer variants and collections. A product with more needs a call of its own. */
const CHILDREN_PER_PRODUCT = 50;
/** The highest cost of a product with this number of children. */
const COST_PER_PRODUCT = 20;

/**
 * Several products with all their variants, by id. A missing product does not exist. @param productIds at most as
 * many as one call reads
 */
export async function fetchProducts(
  adminClient: AdminClient,
  productIds: readonly string[],
  currency: string,
): Promise<Map<string, ProductWithChildren>> {
  const { nodes } = await adminClient.request(
    `#graphql
    query ParasolProducts($ids: [ID!]!, $children: Int!) {
      nodes(ids: $ids) {
        ... on Product {
          ...ParasolShopProduct
          variants(first: $children) { nodes { id title price } pageInfo { hasNextPage } }
          collections(first: $children) { nodes { id } pageInfo { hasNextPage } }
        }
      }
    }
    ${PRODUCT_FIELDS}`,
    {
      variables: { ids: productIds.map((id) => gid("Product", id)), children: CHILDREN_PER_PRODUCT },
      requestedCost: productIds.length * COST_PER_PRODUCT,
    },
  );
  const read = new Map<string, ProductWithChildren>();
  for (const node of nodes) {
    if (!node || !("variants" in node)) continue;
    const { variants, collections, ...fields } = node;
    const product = toProductRow(fields);
    const { productId } = product;
    const isWhole = !variants.pageInfo.hasNextPage && !collections.pageInfo.hasNextPage;
    const toChild = (child: Parameters<typeof toProductChild>[0]) =>
      toProductChild(child, productId, currency);
    const whole = isWhole
      ? { product, children: [...variants.nodes, ...collections.nodes].map(toChild) }
      : await fetchProduct(adminClient, productId, currency);
    if (whole) read.set(productId, whole);
  }
  return read;
}

/** One product with all its variants. Null: it does not exist. Collections beyond 250 are ignored. */
async function fetchProduct(
  adminClient: AdminClient,
  productId: string,
  currency: string,
): Promise<ProductWithChildren | null> {
  let read: ProductWithChildren | null = null;
  for (let after: string | null = null; ;) {
    const page: ParasolProductQuery = await adminClient.request(
      `#graphql
      query ParasolProduct($id: ID!, $after: String) {
        product(id: $id) {
          ...ParasolShopProduct
          variants(first: 250, after: $after) { nodes { id title price } pageInfo { hasNextPage endCursor } }
          collections(first: 250) { nodes { id } }
        }
      }
      ${PRODUCT_FIELDS}`,
      { variables: { id: gid("Product", productId), after }, requestedCost: 60 },
    );
    if (!page.product) return null;
    const { variants, collections, ...fields } = page.product;
    const toChild = (child: Parameters<typeof toProductChild>[0]) =>
      toProductChild(child, productId, currency);
    read ??= { product: toProductRow(fields), children: collections.nodes.map(toChild) };
    read.children.push(...variants.nodes.map(toChild));
    if (!variants.pageInfo.hasNextPage) return read;
    after = variants.pageInfo.endCursor;
  }
}

// Reads all products of the shop with a bulk query and replaces the app's copy of them.

/** Limit of objects to keep in memory before a write. */
const BATCH = 5_000;

/**
 * Reads every product of the shop except plan products, and replaces the saved data. The decisions stay: the next
 * step applies the rules. The read takes minutes, so data that a webhook saves in the meantime is newer and stays.
 * Products that were saved before the read and are missing from it are deleted.
 */
export async function readProducts(
  adminClient: AdminClient,
  currency: string,
  advance: (products: number) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  const { shop } = adminClient;
  const asOf = await databaseNow();
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
  // A variant's line may come before its product's. Two passes over the lines avoid keeping them in memory.
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
  await saveLowestPrices(shop);
  return read;
}

/** The results of `pick` for the lines, in batches; lines without a result are skipped. */
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
