/** The app's copy of the shop's products and variants, updated by bulk reads and by the product webhooks. */
import { z } from "zod";
import type { PricedVariant } from "#app/catalogue/discovery/product-samples.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { RuleProduct } from "./rules.ts";

/** A product from Shopify. */
export interface ProductRow extends Omit<RuleProduct, "minPriceMinor" | "collections"> {
  handle: string;
  status: string;
  /** the category key in its metafield */
  writtenKey: string | null;
}

export type ProductChild =
  | { productId: string; variantId: string; title: string; priceMinor: number }
  | { productId: string; collectionId: string };

export interface ProductWithChildren {
  product: ProductRow;
  children: ProductChild[];
}

/**
 * Writes thousands of rows in one statement. Decisions stay, all other columns are replaced. A row that was saved
 * after the read began is newer and stays. The order of the rows is fixed, so that two concurrent reads cannot
 * deadlock.
 * @param asOf the database's time before the products were read
 */
export async function upsertProducts(
  shop: string,
  products: readonly ProductRow[],
  asOf: Date,
): Promise<void> {
  if (products.length === 0) return;
  await db.$executeRaw`
    INSERT INTO "ShopProduct" AS p (shop, "productId", title, handle, status, "productType", vendor, tags,
      collections, "isBundle", "writtenKey", "savedAt")
    SELECT ${shop}, r."productId", r.title, r.handle, r.status, r."productType", r.vendor, r.tags, '{}',
      r."isBundle", r."writtenKey", ${asOf}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb) AS r("productId" text, title text, handle text,
      status text, "productType" text, vendor text, tags text[], "isBundle" boolean, "writtenKey" text)
    ORDER BY r."productId"
    ON CONFLICT (shop, "productId") DO UPDATE SET title = excluded.title, handle = excluded.handle,
      status = excluded.status, "productType" = excluded."productType", vendor = excluded.vendor,
      tags = excluded.tags, collections = '{}', "isBundle" = excluded."isBundle", "writtenKey" = excluded."writtenKey", "savedAt" = excluded."savedAt"
    WHERE p."savedAt" <= excluded."savedAt"`;
}

/** @param asOf the database's time before their products were read; newer rows stay */
export async function upsertChildren(
  shop: string,
  children: readonly ProductChild[],
  asOf: Date,
): Promise<void> {
  const variants = children.filter((child) => "variantId" in child);
  const collections = children.filter((child) => "collectionId" in child);
  if (variants.length > 0) {
    await db.$executeRaw`
      INSERT INTO "ShopVariant" AS v (shop, "variantId", "productId", title, "priceMinor", "savedAt")
      SELECT ${shop}, r."variantId", r."productId", r.title, r."priceMinor", ${asOf}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(variants)}::jsonb)
        AS r("variantId" text, "productId" text, title text, "priceMinor" int)
      WHERE NOT EXISTS (
        SELECT 1 FROM "ShopProduct" p
        WHERE p.shop = ${shop} AND p."productId" = r."productId" AND p."savedAt" > ${asOf}::timestamptz
      )
      ORDER BY r."variantId"
      ON CONFLICT (shop, "variantId") DO UPDATE SET "productId" = excluded."productId", title = excluded.title,
        "priceMinor" = excluded."priceMinor", "savedAt" = excluded."savedAt"
      WHERE v."savedAt" <= excluded."savedAt"`;
  }
  if (collections.length > 0) {
    await db.$executeRaw`
      WITH c AS (
        SELECT p."productId", r.ids FROM "ShopProduct" p JOIN (
          SELECT "productId", array_agg("collectionId") AS ids
          FROM jsonb_to_recordset(${JSON.stringify(collections)}::jsonb) AS r("productId" text, "collectionId" text)
          GROUP BY 1
        ) r ON r."productId" = p."productId"
        WHERE p.shop = ${shop} AND p."savedAt" <= ${asOf}::timestamptz
        ORDER BY p."productId" FOR NO KEY UPDATE OF p)
      UPDATE "ShopProduct" p SET collections = p.collections || c.ids
      FROM c WHERE p.shop = ${shop} AND p."productId" = c."productId"`;
  }
}

async function deleteVariants(shop: string, which: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    WITH gone AS (
      SELECT "variantId" FROM "ShopVariant" WHERE shop = ${shop} AND ${which} ORDER BY "variantId" FOR UPDATE)
    DELETE FROM "ShopVariant" v USING gone WHERE v.shop = ${shop} AND v."variantId" = gone."variantId"`;
}

/** @param which a condition that fits both products and variants */
async function deleteWithVariants(shop: string, which: Prisma.Sql): Promise<void> {
  await deleteVariants(shop, which);
  await db.$executeRaw`
    WITH gone AS (
      SELECT "productId" FROM "ShopProduct" WHERE shop = ${shop} AND ${which} ORDER BY "productId" FOR UPDATE)
    DELETE FROM "ShopProduct" p USING gone WHERE p.shop = ${shop} AND p."productId" = gone."productId"`;
}

/** Deletes products that were last saved before a read of all products began: the read did not find them. */
export async function deleteUnread(shop: string, asOf: Date): Promise<void> {
  await deleteWithVariants(shop, Prisma.sql`"savedAt" < ${asOf}::timestamptz`);
}

/**
 * Replaces the saved data of these products.
 * @param asOf the database's time before they were read
 */
export async function saveProducts(
  shop: string,
  read: readonly ProductWithChildren[],
  asOf: Date,
): Promise<void> {
  if (read.length === 0) return;
  const products = read.map(({ product }) => product);
  const productIds = products.map(({ productId }) => productId);
  const children = read.flatMap((each) => each.children);
  await upsertProducts(shop, products, asOf);
  const areOld = Prisma.sql`"productId" = ANY(${productIds}) AND "savedAt" <= ${asOf}::timestamptz`;
  await deleteVariants(shop, areOld);
  await upsertChildren(shop, children, asOf);
  await db.$executeRaw`
    WITH locked AS (
      SELECT "productId" FROM "ShopProduct" WHERE shop = ${shop} AND "productId" = ANY(${productIds})
      ORDER BY "productId" FOR NO KEY UPDATE)
    UPDATE "ShopProduct" p SET "minPriceMinor" = (
      SELECT min(v."priceMinor") FROM "ShopVariant" v WHERE v.shop = p.shop AND v."productId" = p."productId")
    FROM locked WHERE p.shop = ${shop} AND p."productId" = locked."productId"`;
}

/** Deletes products that no longer exist in the shop, or that are plan products. */
export async function deleteProducts(shop: string, productIds: string[]): Promise<void> {
  if (productIds.length === 0) return;
  await deleteWithVariants(shop, Prisma.sql`"productId" = ANY(${productIds})`);
}

/** Counts the products in the app's copy. */
export async function countProducts(shop: string): Promise<number> {
  return db.shopProduct.count({ where: { shop } });
}

/** Saves the lowest price of each product, after all variants are saved. */
export async function saveLowestPrices(shop: string): Promise<void> {
  // The tables have just grown, and PostgreSQL would plan the next statements with the old sizes.
  await db.$executeRaw`ANALYZE "ShopProduct", "ShopVariant"`;
  await db.$executeRaw`
    WITH changed AS (
      SELECT p."productId", v.lowest FROM "ShopProduct" p
        JOIN (SELECT "productId", min("priceMinor") AS lowest FROM "ShopVariant" WHERE shop = ${shop} GROUP BY 1) v
          ON v."productId" = p."productId"
      WHERE p.shop = ${shop} AND p."minPriceMinor" IS DISTINCT FROM v.lowest
      ORDER BY p."productId" FOR NO KEY UPDATE OF p)
    UPDATE "ShopProduct" p SET "minPriceMinor" = changed.lowest
    FROM changed WHERE p.shop = ${shop} AND p."productId" = changed."productId"`;
}

export interface Decided {
  productId: string;
  categoryId: string | null;
  decidedBy: string | null;
}

export async function saveDecisions(shop: string, decided: readonly Decided[]): Promise<void> {
  if (decided.length === 0) return;
  await db.$executeRaw`
    WITH decided AS (
      SELECT p."productId", r."categoryId", r."decidedBy" FROM "ShopProduct" p
        JOIN jsonb_to_recordset(${JSON.stringify(decided)}::jsonb)
          AS r("productId" text, "categoryId" text, "decidedBy" text) ON r."productId" = p."productId"
      WHERE p.shop = ${shop} ORDER BY p."productId" FOR NO KEY UPDATE OF p)
    UPDATE "ShopProduct" p SET "categoryId" = decided."categoryId", "decidedBy" = decided."decidedBy"
    FROM decided WHERE p.shop = ${shop} AND p."productId" = decided."productId"`;
}

/** A metafield that a product should have and does not have. */
export interface MetafieldWrite {
  productId: string;
  /** null: none */
  key: string | null;
}

export async function recordWrittenKeys(shop: string, writes: readonly MetafieldWrite[]): Promise<void> {
  await db.$executeRaw`
    WITH written AS (
      SELECT p."productId", r.key FROM "ShopProduct" p
        JOIN jsonb_to_recordset(${JSON.stringify(writes)}::jsonb) AS r("productId" text, key text)
          ON r."productId" = p."productId"
      WHERE p.shop = ${shop} ORDER BY p."productId" FOR NO KEY UPDATE OF p)
    UPDATE "ShopProduct" p SET "writtenKey" = written.key
    FROM written WHERE p.shop = ${shop} AND p."productId" = written."productId"`;
}

// Variants with their prices: discovery requests offers for them.

/** Limit of prices: discovery does not need more. */
const PRICES = 5_000;

const priced = z.array(z.object({ variantId: z.string(), priceMinor: z.number().int() }));

/**
 * One variant for each distinct price of the products in a category, or in a universe with this category as a
 * formula. If no product has the category, all products count.
 */
export async function listPricedVariants(shop: string, categoryId: string): Promise<PricedVariant[]> {
  const categoryVariants = priced.parse(
    await db.$queryRaw`
    SELECT min(v."variantId") AS "variantId", v."priceMinor" FROM "ShopVariant" v
    JOIN "ShopProduct" p ON p.shop = v.shop AND p."productId" = v."productId"
    WHERE v.shop = ${shop} AND p."categoryId" IN (
      SELECT ${categoryId} UNION SELECT r."categoryId" FROM "CategoryRule" r
      WHERE r.shop = ${shop} AND ${categoryId} = ANY(r."otherCategoryIds"))
    GROUP BY v."priceMinor" ORDER BY v."priceMinor" LIMIT ${PRICES}`,
  );
  if (categoryVariants.length > 0) return categoryVariants;
  return priced.parse(
    await db.$queryRaw`
    SELECT min("variantId") AS "variantId", "priceMinor" FROM "ShopVariant"
    WHERE shop = ${shop} GROUP BY "priceMinor" ORDER BY "priceMinor" LIMIT ${PRICES}`,
  );
}

/** These variants with their prices; unknown variants are missing. */
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

const values = z.array(z.object({ value: z.string() }));
const VALUES = 1_000;

/** The vendors or tags of the shop's products, the most frequent first, for a form field. */
export async function listProductValues(shop: string, field: "vendor" | "tag"): Promise<string[]> {
  const valueRows =
    field === "vendor"
      ? await db.$queryRaw`
          SELECT vendor AS value FROM "ShopProduct" WHERE shop = ${shop} AND vendor <> ''
          GROUP BY vendor ORDER BY count(*) DESC, vendor LIMIT ${VALUES}`
      : await db.$queryRaw`
          SELECT tag AS value FROM "ShopProduct", unnest(tags) AS tag WHERE shop = ${shop}
          GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${VALUES}`;
  return values.parse(valueRows).map(({ value }) => value);
}
