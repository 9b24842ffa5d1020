/** The app's record of its last writes of plan products and variants. */
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { SyncedProduct, SyncedVariant } from "#app/platform/prisma/client.ts";
import type { ProductChange, VariantEntry } from "./difference.ts";
import { variantsByReference, type FoundProduct } from "./plan-product-state.ts";

/** A plan product of the app, at its last write. */
export type RecordedProduct = Omit<SyncedProduct, "shop">;

/** A variant of the app, at its last write. */
export type RecordedVariant = Omit<SyncedVariant, "shop" | "updatedAt">;

/** Whether the shop has plan products, on sale or not. */
export async function hasPlanProducts(shop: string): Promise<boolean> {
  return (await db.syncedProduct.findFirst({ where: { shop }, select: { productId: true } })) !== null;
}

/** Which of these products are plan products. */
export async function recordedAmong(shop: string, productIds: readonly string[]): Promise<string[]> {
  const where = { shop, productId: { in: [...productIds] } };
  const rows = await db.syncedProduct.findMany({ where, select: { productId: true } });
  return rows.map(({ productId }) => productId);
}

export function listRecordedProducts(shop: string): Promise<RecordedProduct[]> {
  return db.syncedProduct.findMany({ where: { shop } });
}

export async function listRecordedVariants(shop: string): Promise<Map<string, RecordedVariant>> {
  const rows = await db.syncedVariant.findMany({ where: { shop } });
  return new Map(rows.map((row) => [row.variantId, row]));
}

export async function recordProduct(
  shop: string,
  environment: Environment,
  productId: string,
  { categoryId, part, state: { status } }: Pick<ProductChange, "categoryId" | "part" | "state">,
): Promise<void> {
  const row = { environment, categoryId, part, status };
  await db.syncedProduct.upsert({
    where: { shop_productId: { shop, productId } },
    create: { shop, productId, ...row },
    update: row,
  });
}

/** Records a product as unpublished. Its variants stay in the record, because orders may contain them. */
export async function recordRetiredProduct(shop: string, product: RecordedProduct): Promise<void> {
  await db.syncedProduct.updateMany({
    where: { shop, productId: product.productId },
    data: { status: "DRAFT" },
  });
  await db.syncedVariant.updateMany({
    where: { shop, productId: product.productId },
    data: { onSale: false },
  });
}

/** Records a product that the merchant deleted. Its variants stay in the record, because orders may contain them. */
export async function recordDeletedProduct(shop: string, productId: string): Promise<void> {
  await db.syncedVariant.updateMany({ where: { shop, productId }, data: { onSale: false } });
  await db.syncedProduct.deleteMany({ where: { shop, productId } });
}

/** Marks the checkout metafields of these variants as stale: the next sync writes them (write-bands.server.ts). */
export async function forgetBands(shop: string, variantIds: readonly string[]): Promise<void> {
  if (variantIds.length === 0) return;
  await db.syncedVariant.updateMany({
    where: { shop, variantId: { in: [...variantIds] } },
    data: { band: null },
  });
}

/** Updates the record of a product's variants to the written and found values. */
export async function recordVariants(
  shop: string,
  environment: Environment,
  product: FoundProduct,
  entries: readonly VariantEntry[],
  sellable: boolean,
  recorded: ReadonlyMap<string, RecordedVariant>,
): Promise<void> {
  const variantByReference = variantsByReference(product.variants, recorded);
  const rows = entries.flatMap((entry) => {
    const variantId = entry.variantId ?? variantByReference.get(entry.sku)?.variantId;
    if (entry.referenceId === null || variantId === undefined) return [];
    return [
      {
        shop,
        variantId,
        productId: product.productId,
        environment,
        referenceId: entry.referenceId,
        onSale: sellable && !entry.tracked,
        priceMinor: entry.priceMinor,
      },
    ];
  });
  const changed = rows.filter((row) => !isRecorded(row, recorded.get(row.variantId)));
  if (changed.length > 0) await upsertSyncedVariants(changed);
  // Variants that the shop no longer has cannot be bought, but orders may still contain them.
  const currentIds = new Set(rows.map(({ variantId }) => variantId));
  const removed = [...recorded.values()].filter(
    (row) => row.productId === product.productId && row.onSale && !currentIds.has(row.variantId),
  );
  await db.syncedVariant.updateMany({
    where: { shop, variantId: { in: removed.map(({ variantId }) => variantId) } },
    data: { onSale: false },
  });
}

function isRecorded(row: Omit<RecordedVariant, "band">, recorded: RecordedVariant | undefined): boolean {
  return (
    recorded !== undefined &&
    recorded.productId === row.productId &&
    recorded.environment === row.environment &&
    recorded.referenceId === row.referenceId &&
    recorded.onSale === row.onSale &&
    recorded.priceMinor === row.priceMinor
  );
}

/** Records written plan variants in one statement. */
async function upsertSyncedVariants(
  variants: readonly Omit<SyncedVariant, "band" | "updatedAt">[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "SyncedVariant" (shop, "variantId", "productId", environment, "referenceId", "onSale", "priceMinor",
      "updatedAt")
    SELECT r.shop, r."variantId", r."productId", r.environment, r."referenceId", r."onSale", r."priceMinor", now()
    FROM jsonb_to_recordset(${JSON.stringify(variants)}::jsonb) AS r(shop text, "variantId" text, "productId" text,
      environment text, "referenceId" text, "onSale" boolean, "priceMinor" int)
    ON CONFLICT (shop, "variantId") DO UPDATE SET "productId" = excluded."productId",
      environment = excluded.environment, "referenceId" = excluded."referenceId", "onSale" = excluded."onSale",
      "priceMinor" = excluded."priceMinor", "updatedAt" = now()`;
}

/** Records the price band written onto each variant. */
export async function recordBands(
  shop: string,
  bands: readonly { variantId: string; band: string }[],
): Promise<void> {
  if (bands.length === 0) return;
  await db.$executeRaw`
    UPDATE "SyncedVariant" v SET band = r.band
    FROM jsonb_to_recordset(${JSON.stringify(bands)}::jsonb) AS r("variantId" text, band text)
    WHERE v.shop = ${shop} AND v."variantId" = r."variantId"`;
}
