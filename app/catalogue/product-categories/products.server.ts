/**
 * What the app knows of the shop's products: read in bulk, kept up to date by the products' webhooks. It serves the
 * category rules, the prices that discovery asks at, and the look-up of a variant.
 */
import { z } from "zod";
import { toMinorUnits } from "#app/platform/money.ts";
import { db } from "#app/platform/db.server.ts";
import type { ShopProduct } from "#app/platform/prisma/client.ts";
import { runBulkQuery } from "#app/shopify/bulk.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { PricedVariant } from "#app/catalogue/discovery/discovery.server.ts";
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import type { RuleProduct } from "./rules.ts";

export function factsOf(row: ShopProduct): RuleProduct {
  return row;
}

const PRODUCT = `id title handle status productType vendor tags
  category: metafield(namespace: "$app", key: "insurance_category") { value }`;

const productNode = z.object({
  id: z.string(),
  title: z.string(),
  handle: z.string(),
  status: z.string(),
  productType: z.string(),
  vendor: z.string(),
  tags: z.array(z.string()),
  category: z.object({ value: z.string() }).nullable(),
});
const variantNode = z.object({ id: z.string(), title: z.string(), price: z.string() });
const collectionNode = z.object({ id: z.string().regex(/\/Collection\//) });
const line = z.union([
  productNode,
  variantNode.extend({ __parentId: z.string() }),
  collectionNode.extend({ __parentId: z.string() }),
]);

/** A product as it was read. */
interface ProductRow extends Omit<RuleProduct, "minPriceMinor" | "collections"> {
  handle: string;
  status: string;
  /** the category key in its metafield */
  writtenKey: string | null;
}

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
        ${PRODUCT}
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
  for await (const object of runBulkQuery(adminClient, query, line, signal)) {
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

function toProductRow({ id, category, ...fields }: z.infer<typeof productNode>): ProductRow {
  return { ...fields, productId: numericId(id), writtenKey: category?.value ?? null };
}

type ProductChild =
  | { productId: string; variantId: string; title: string; priceMinor: number }
  | { productId: string; collectionId: string };

function toProductChild(
  child: z.infer<typeof variantNode> | z.infer<typeof collectionNode>,
  productId: string,
  currency: string,
): ProductChild {
  const id = numericId(child.id);
  return "price" in child
    ? { productId, variantId: id, title: child.title, priceMinor: toMinorUnits(child.price, currency) }
    : { productId, collectionId: id };
}

/** One statement for thousands of rows: what the rules decided stays, everything read is replaced. */
async function upsertProducts(
  shop: string,
  products: readonly ProductRow[],
  runId: string | null,
): Promise<void> {
  if (products.length === 0) return;
  await db.$executeRaw`
    INSERT INTO "ShopProduct" (shop, "productId", title, handle, status, "productType", vendor, tags, collections,
      "writtenKey", "runId", "updatedAt")
    SELECT ${shop}, r."productId", r.title, r.handle, r.status, r."productType", r.vendor, r.tags, '{}',
      r."writtenKey", ${runId}, now()
    FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb) AS r("productId" text, title text, handle text,
      status text, "productType" text, vendor text, tags text[], "writtenKey" text)
    ON CONFLICT (shop, "productId") DO UPDATE SET title = excluded.title, handle = excluded.handle,
      status = excluded.status, "productType" = excluded."productType", vendor = excluded.vendor,
      tags = excluded.tags, collections = '{}', "writtenKey" = excluded."writtenKey", "runId" = excluded."runId",
      "updatedAt" = now()`;
}

async function upsertChildren(
  shop: string,
  children: readonly ProductChild[],
  runId: string | null,
): Promise<void> {
  const variants = children.filter((child) => "variantId" in child);
  const collections = children.filter((child) => "collectionId" in child);
  if (variants.length > 0) {
    await db.$executeRaw`
      INSERT INTO "ShopVariant" (shop, "variantId", "productId", title, "priceMinor", "runId")
      SELECT ${shop}, r."variantId", r."productId", r.title, r."priceMinor", ${runId}
      FROM jsonb_to_recordset(${JSON.stringify(variants)}::jsonb)
        AS r("variantId" text, "productId" text, title text, "priceMinor" int)
      ON CONFLICT (shop, "variantId") DO UPDATE SET "productId" = excluded."productId", title = excluded.title,
        "priceMinor" = excluded."priceMinor", "runId" = excluded."runId"`;
  }
  if (collections.length > 0) {
    await db.$executeRaw`
      UPDATE "ShopProduct" p SET collections = p.collections || c.ids
      FROM (
        SELECT r."productId", array_agg(r."collectionId") AS ids
        FROM jsonb_to_recordset(${JSON.stringify(collections)}::jsonb) AS r("productId" text, "collectionId" text)
        GROUP BY 1
      ) c
      WHERE p.shop = ${shop} AND p."productId" = c."productId"`;
  }
}

/** Replaces what is known of one product. */
export async function saveProduct(shop: string, { product, children }: ProductWithChildren): Promise<void> {
  await upsertProducts(shop, [product], null);
  await db.shopVariant.deleteMany({ where: { shop, productId: product.productId } });
  await upsertChildren(shop, children, null);
  const prices = children.flatMap((child) => ("priceMinor" in child ? [child.priceMinor] : []));
  await db.shopProduct.updateMany({
    where: { shop, productId: product.productId },
    data: { minPriceMinor: prices.length === 0 ? null : Math.min(...prices) },
  });
}

export interface ProductWithChildren {
  product: ProductRow;
  children: ProductChild[];
}

/** Forgets a product that is gone, or that turned out to be one of ours. */
export async function deleteProduct(shop: string, productId: string): Promise<void> {
  await db.shopVariant.deleteMany({ where: { shop, productId } });
  await db.shopProduct.deleteMany({ where: { shop, productId } });
}

const one = z.object({
  product: productNode
    .extend({
      variants: z.object({ nodes: z.array(variantNode) }),
      collections: z.object({ nodes: z.array(collectionNode) }),
    })
    .nullable(),
});

/** One product, read straight. Null: there is none. Of more than 250 variants or collections the rest is left out. */
export async function fetchProduct(
  adminClient: AdminClient,
  productId: string,
  currency: string,
): Promise<ProductWithChildren | null> {
  const { product } = await adminClient.request({
    query: `#graphql
    query ParasolProduct($id: ID!) {
      product(id: $id) {
        ${PRODUCT}
        variants(first: 250) { nodes { id title price } }
        collections(first: 250) { nodes { id } }
      }
    }`,
    variables: { id: gid("Product", productId) },
    schema: one,
    requestedCost: 60,
  });
  if (!product) return null;
  const { variants, collections, ...own } = product;
  return {
    product: toProductRow(own),
    children: [...variants.nodes, ...collections.nodes].map((child) =>
      toProductChild(child, productId, currency),
    ),
  };
}

/** How many products the app knows of. */
export async function countProducts(shop: string): Promise<number> {
  return db.shopProduct.count({ where: { shop } });
}

/** At most so many variants are needed to know at which prices to ask. */
const PRICES = 5_000;
const priced = z.array(z.object({ variantId: z.string(), priceMinor: z.number().int() }));

/** One variant per distinct price of a category's products; of all products while none has the category. */
export async function listPricedVariants(shop: string, categoryId: string): Promise<PricedVariant[]> {
  const own = priced.parse(
    await db.$queryRaw`
    SELECT min(v."variantId") AS "variantId", v."priceMinor" FROM "ShopVariant" v
    JOIN "ShopProduct" p ON p.shop = v.shop AND p."productId" = v."productId"
    WHERE v.shop = ${shop} AND p."categoryId" = ${categoryId}
    GROUP BY v."priceMinor" ORDER BY v."priceMinor" LIMIT ${PRICES}`,
  );
  if (own.length > 0) return own;
  return priced.parse(
    await db.$queryRaw`
    SELECT min("variantId") AS "variantId", "priceMinor" FROM "ShopVariant"
    WHERE shop = ${shop} GROUP BY "priceMinor" ORDER BY "priceMinor" LIMIT ${PRICES}`,
  );
}

/** These variants with their prices; those that are not known are left out. */
export async function findPricedVariants(
  shop: string,
  variantIds: readonly string[],
): Promise<PricedVariant[]> {
  if (variantIds.length === 0) return [];
  return db.shopVariant.findMany({
    where: { shop, variantId: { in: [...variantIds] } },
    select: { variantId: true, priceMinor: true },
  });
}
