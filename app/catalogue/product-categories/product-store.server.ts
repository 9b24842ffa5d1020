/** The app's copy of the shop's products and variants: bulk reads and the products' webhooks keep it. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { ProductChild, ProductRow, ProductWithChildren } from "./product-query.server.ts";

/** A read of all products in bulk. */
export interface BulkRead {
  runId: string;
  /** the database's time before it began: what a webhook has saved since then is newer than what the read brings */
  since: string;
}

/** The database's time, as `BulkRead` needs it: to the millisecond, as columns keep it. */
export async function databaseTime(): Promise<string> {
  const rows = await db.$queryRaw`SELECT date_trunc('milliseconds', clock_timestamp())::text AS now`;
  return z.tuple([z.object({ now: z.string() })]).parse(rows)[0].now;
}

/**
 * One statement for thousands of rows: what the rules decided stays, everything read is replaced.
 * @param read null: a webhook brought them
 */
export async function upsertProducts(
  shop: string,
  products: readonly ProductRow[],
  read: BulkRead | null,
): Promise<void> {
  if (products.length === 0) return;
  await db.$executeRaw`
    INSERT INTO "ShopProduct" AS p (shop, "productId", title, handle, status, "productType", vendor, tags,
      collections, "writtenKey", "runId", "webhookSavedAt", "updatedAt")
    SELECT ${shop}, r."productId", r.title, r.handle, r.status, r."productType", r.vendor, r.tags, '{}',
      r."writtenKey", ${read?.runId ?? null}, CASE WHEN ${read === null}::boolean THEN clock_timestamp() END, now()
    FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb) AS r("productId" text, title text, handle text,
      status text, "productType" text, vendor text, tags text[], "writtenKey" text)
    ON CONFLICT (shop, "productId") DO UPDATE SET title = excluded.title, handle = excluded.handle,
      status = excluded.status, "productType" = excluded."productType", vendor = excluded.vendor,
      tags = excluded.tags, collections = '{}', "writtenKey" = excluded."writtenKey", "runId" = excluded."runId",
      "webhookSavedAt" = excluded."webhookSavedAt", "updatedAt" = now()
    WHERE NOT coalesce(p."webhookSavedAt" >= ${read?.since ?? null}::timestamptz, false)`;
}

/** @param read null: a webhook brought them */
export async function upsertChildren(
  shop: string,
  children: readonly ProductChild[],
  read: BulkRead | null,
): Promise<void> {
  const variants = children.filter((child) => "variantId" in child);
  const collections = children.filter((child) => "collectionId" in child);
  const since = read?.since ?? null;
  if (variants.length > 0) {
    await db.$executeRaw`
      INSERT INTO "ShopVariant" (shop, "variantId", "productId", title, "priceMinor", "runId")
      SELECT ${shop}, r."variantId", r."productId", r.title, r."priceMinor", ${read?.runId ?? null}
      FROM jsonb_to_recordset(${JSON.stringify(variants)}::jsonb)
        AS r("variantId" text, "productId" text, title text, "priceMinor" int)
      WHERE NOT EXISTS (
        SELECT 1 FROM "ShopProduct" p
        WHERE p.shop = ${shop} AND p."productId" = r."productId" AND p."webhookSavedAt" >= ${since}::timestamptz
      )
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
      WHERE p.shop = ${shop} AND p."productId" = c."productId"
        AND NOT coalesce(p."webhookSavedAt" >= ${since}::timestamptz, false)`;
  }
}

/** Forgets what a read has not seen, unless a webhook has saved it since the read began. */
export async function deleteUnread(shop: string, { runId, since }: BulkRead): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "ShopVariant" v
    WHERE v.shop = ${shop} AND v."runId" IS DISTINCT FROM ${runId} AND NOT EXISTS (
      SELECT 1 FROM "ShopProduct" p
      WHERE p.shop = ${shop} AND p."productId" = v."productId" AND p."webhookSavedAt" >= ${since}::timestamptz
    )`;
  await db.$executeRaw`
    DELETE FROM "ShopProduct"
    WHERE shop = ${shop} AND "runId" IS DISTINCT FROM ${runId}
      AND NOT coalesce("webhookSavedAt" >= ${since}::timestamptz, false)`;
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

/** Forgets a product that is gone, or that turned out to be one of ours. */
export async function deleteProduct(shop: string, productId: string): Promise<void> {
  await db.shopVariant.deleteMany({ where: { shop, productId } });
  await db.shopProduct.deleteMany({ where: { shop, productId } });
}

/** How many products the app knows of. */
export async function countProducts(shop: string): Promise<number> {
  return db.shopProduct.count({ where: { shop } });
}
