/** The app's copy of the shop's products and variants: bulk reads and the products' webhooks keep it. */
import { db } from "#app/platform/db.server.ts";
import type { ProductChild, ProductRow, ProductWithChildren } from "./product-query.server.ts";

/** One statement for thousands of rows: what the rules decided stays, everything read is replaced. */
export async function upsertProducts(
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

export async function upsertChildren(
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

/** Forgets a product that is gone, or that turned out to be one of ours. */
export async function deleteProduct(shop: string, productId: string): Promise<void> {
  await db.shopVariant.deleteMany({ where: { shop, productId } });
  await db.shopProduct.deleteMany({ where: { shop, productId } });
}

/** How many products the app knows of. */
export async function countProducts(shop: string): Promise<number> {
  return db.shopProduct.count({ where: { shop } });
}
