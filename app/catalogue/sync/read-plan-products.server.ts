/** Reads the shop's plan products, in bulk or one by one. */
import { z } from "zod";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import { runBulkQuery } from "#app/shopify/bulk.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { ParasolPlanProductQuery } from "#app/shopify/types/admin.generated.d.ts";
import { productStatus } from "./plan-product-state.ts";
import type { FoundProduct, FoundVariant } from "./plan-product-state.ts";
import { PLAN_TAG } from "./plan-products.ts";
import type { AppliedProduct } from "./category-changes.ts";
import type { SyncContext } from "./sync-context.server.ts";

const productNode = z.object({
  id: z.string(),
  handle: z.string(),
  status: productStatus,
  tags: z.array(z.string()),
});

const variantNode = z.object({
  id: z.string(),
  sku: z.string().nullable(),
  price: z.string(),
  taxable: z.boolean(),
  selectedOptions: z.array(z.object({ name: z.string(), value: z.string() })),
  inventoryItem: z.object({ tracked: z.boolean(), requiresShipping: z.boolean() }),
});

const publicationNode = z.object({ isPublished: z.boolean(), publication: z.object({ id: z.string() }) });

const bulkLine = z.union([
  variantNode.extend({ __parentId: z.string() }),
  publicationNode.extend({ __parentId: z.string() }),
  productNode,
]);

/** Whether the shop has any plan product. This query costs one point; a read of all costs ten and a wait. */
export async function hasPlanProducts(adminClient: AdminClient): Promise<boolean> {
  const { productsCount } = await adminClient.request(
    `#graphql
    query ParasolPlanProductsCount($query: String!) { productsCount(query: $query, limit: 1) { count } }`,
    { variables: { query: `tag:${PLAN_TAG}` }, requestedCost: 1 },
  );
  return (productsCount?.count ?? 0) > 0;
}

/**
 * The shop's current plan products of both environments, by product id. The app finds them by their tag.
 * @param onlineStore the id of the online store's publication
 * @throws BulkFailed, AdminRefused, AdminUnavailable
 */
export async function readPlanProducts(
  adminClient: AdminClient,
  onlineStore: string,
  currency: string,
  signal: AbortSignal,
): Promise<Map<string, FoundProduct>> {
  const products = new Map<string, FoundProduct>();
  // The lines of a product come in any order, also before its own line.
  const variants: { productId: string; variant: FoundVariant }[] = [];
  const publications: { productId: string; node: z.infer<typeof publicationNode> }[] = [];
  const publicationEdges = "edges { node { isPublished publication { id } } }";
  const query = `{
    products(query: "tag:${PLAN_TAG}") {
      edges { node {
        id handle status tags
        variants { edges { node {
          id sku price taxable selectedOptions { name value } inventoryItem { tracked requiresShipping }
        } } }
        channels: resourcePublicationsV2(onlyPublished: false, catalogType: APP) { ${publicationEdges} }
        markets: resourcePublicationsV2(onlyPublished: false, catalogType: MARKET) { ${publicationEdges} }
        companies: resourcePublicationsV2(onlyPublished: false, catalogType: COMPANY_LOCATION) { ${publicationEdges} }
      } }
    }
  }`;
  for await (const object of await runBulkQuery(adminClient, query, bulkLine, signal)) {
    if ("publication" in object) {
      publications.push({ productId: numericId(object.__parentId), node: object });
    } else if ("__parentId" in object) {
      variants.push({ productId: numericId(object.__parentId), variant: foundVariant(object, currency) });
    } else {
      const product = foundProduct(object);
      products.set(product.productId, product);
    }
  }
  for (const { productId, variant } of variants) products.get(productId)?.variants.push(variant);
  for (const { productId, node } of publications) {
    const product = products.get(productId);
    if (product) addPublication(product, node, onlineStore);
  }
  return products;
}

/** Reads one plan product by id, because the search index may not show it yet. Null: it does not exist. */
export async function readPlanProduct(
  adminClient: AdminClient,
  onlineStore: string,
  productId: string,
  currency: string,
): Promise<FoundProduct | null> {
  let product: FoundProduct | null = null;
  for (let after: string | null = null; ;) {
    const page: ParasolPlanProductQuery = await adminClient.request(
      `#graphql
      query ParasolPlanProduct($id: ID!, $after: String) {
        product(id: $id) {
          id handle status tags
          variants(first: 250, after: $after) {
            nodes { id sku price taxable selectedOptions { name value } inventoryItem { tracked requiresShipping } }
            pageInfo { hasNextPage endCursor }
          }
          channels: resourcePublicationsV2(first: 100, onlyPublished: false, catalogType: APP) {
            nodes { isPublished publication { id } }
          }
          markets: resourcePublicationsV2(first: 100, onlyPublished: false, catalogType: MARKET) {
            nodes { isPublished publication { id } }
          }
          companies: resourcePublicationsV2(first: 100, onlyPublished: false, catalogType: COMPANY_LOCATION) {
            nodes { isPublished publication { id } }
          }
        }
      }`,
      { variables: { id: gid("Product", productId), after }, requestedCost: 80 },
    );
    if (!page.product) return null;
    const { nodes, pageInfo } = page.product.variants;
    if (product === null) {
      product = foundProduct(page.product);
      const { channels, markets, companies } = page.product;
      for (const node of [...channels.nodes, ...markets.nodes, ...companies.nodes])
        addPublication(product, node, onlineStore);
    }
    product.variants.push(...nodes.map((node) => foundVariant(node, currency)));
    if (!pageInfo.hasNextPage) return product;
    after = pageInfo.endCursor;
  }
}

function foundProduct({ id, handle, status, tags }: z.infer<typeof productNode>): FoundProduct {
  return {
    handle,
    status,
    tags,
    productId: numericId(id),
    published: false,
    otherPublications: [],
    variants: [],
  };
}

/** @param onlineStore the id of the online store's publication */
function addPublication(
  product: FoundProduct,
  { isPublished, publication }: z.infer<typeof publicationNode>,
  onlineStore: string,
): void {
  const id = numericId(publication.id);
  if (id !== onlineStore) product.otherPublications.push(id);
  else product.published = isPublished;
}

function foundVariant(node: z.infer<typeof variantNode>, currency: string): FoundVariant {
  const [option, formula] = node.selectedOptions;
  return {
    variantId: numericId(node.id),
    sku: node.sku ?? "",
    priceMinor: toCappedMinorUnits(node.price, currency),
    optionName: option?.name ?? "",
    name: option?.value ?? "",
    formulaOptionName: formula?.name ?? null,
    formula: formula?.value ?? null,
    taxable: node.taxable,
    requiresShipping: node.inventoryItem.requiresShipping,
    tracked: node.inventoryItem.tracked,
  };
}

// Reads the shop's plan products before and after a sync writes them.

/**
 * The shop's plan products by id, and the ids of deleted ones. A recorded product that the search does not return is
 * read by id before it counts as deleted.
 */
export async function readShop({
  adminClient,
  publications: { onlineStore },
  locale,
  signal,
  recordedProducts,
}: SyncContext): Promise<{ found: Map<string, FoundProduct>; deleted: string[] }> {
  // Before the first run there is nothing to read, unless the app's record was lost.
  const isReadNeeded = recordedProducts.length > 0 || (await hasPlanProducts(adminClient));
  const found = isReadNeeded
    ? await readPlanProducts(adminClient, onlineStore, locale.currency, signal)
    : new Map<string, FoundProduct>();
  const deleted: string[] = [];
  for (const { productId } of recordedProducts) {
    if (found.has(productId)) continue;
    const product = await readPlanProduct(adminClient, onlineStore, productId, locale.currency);
    if (product) found.set(productId, product);
    else deleted.push(productId);
  }
  return { found, deleted };
}

/** Shopify does not return the ids of created variants, so one bulk read finds them all. */
export async function readCreatedVariants(
  { adminClient, publications: { onlineStore }, locale, signal }: SyncContext,
  applied: readonly AppliedProduct[],
): Promise<Map<string, FoundProduct>> {
  const withCreated = applied.filter(({ change }) =>
    change.variants.some(({ variantId }) => variantId === null),
  );
  if (withCreated.length === 0) return new Map();
  const products = await readPlanProducts(adminClient, onlineStore, locale.currency, signal);
  for (const { change, productId } of withCreated) {
    const skus = new Set(products.get(productId)?.variants.map(({ sku }) => sku));
    // The search index sometimes lags behind the writes.
    if (change.variants.every(({ sku }) => skus.has(sku))) continue;
    const product = await readPlanProduct(adminClient, onlineStore, productId, locale.currency);
    if (product) products.set(productId, product);
  }
  return products;
}
