/** The app's record of plan products and variants as they were written last. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { PlannedProduct } from "./category-changes.ts";
import type { ProductChange, VariantEntry } from "./difference.ts";
import { variantFields, writtenProduct } from "./plan-product-state.ts";
import type { FoundProduct, VariantFields, WrittenProduct } from "./plan-product-state.ts";

/** A plan product that the app made, as it was written last. */
export interface RecordedProduct {
  productId: string;
  environment: string;
  categoryId: string;
  part: number;
  written: WrittenProduct;
}

/** A variant that the app made, as it was written last. */
export interface RecordedVariant {
  variantId: string;
  productId: string;
  environment: string;
  referenceId: string;
  onSale: boolean;
  priceMinor: number;
  written: VariantFields;
  /** as a sync was writing it that ended before it had recorded it */
  pending: VariantFields | null;
  /** the value of its metafield with the price band, as it was written last */
  band: string | null;
}

export async function listRecordedProducts(shop: string): Promise<RecordedProduct[]> {
  const rows = await db.syncedProduct.findMany({ where: { shop } });
  return rows.map((row) => ({ ...row, written: writtenProduct.parse(row.written) }));
}

const variantRows = z.array(
  z.object({
    variantId: z.string(),
    productId: z.string(),
    environment: z.string(),
    referenceId: z.string(),
    onSale: z.boolean(),
    priceMinor: z.number(),
    written: variantFields,
    pending: variantFields.nullable(),
    band: z.string().nullable(),
  }),
);

export async function listRecordedVariants(shop: string): Promise<Map<string, RecordedVariant>> {
  const rows = variantRows.parse(await db.syncedVariant.findMany({ where: { shop } }));
  return new Map(rows.map((row) => [row.variantId, row]));
}

export async function recordProduct(
  shop: string,
  environment: Environment,
  productId: string,
  { categoryId, part, fields, image }: Pick<ProductChange, "categoryId" | "part" | "fields" | "image">,
): Promise<void> {
  const row = { environment, categoryId, part, written: { ...fields, image } };
  await db.syncedProduct.upsert({
    where: { shop_productId: { shop, productId } },
    create: { shop, productId, ...row },
    update: row,
  });
}

/** The product is off sale as a whole; its variants stay known, because orders may hold them. */
export async function recordRetiredProduct(shop: string, product: RecordedProduct): Promise<void> {
  await db.syncedProduct.updateMany({
    where: { shop, productId: product.productId },
    data: { written: { ...product.written, status: "DRAFT" } },
  });
  await db.syncedVariant.updateMany({
    where: { shop, productId: product.productId },
    data: { onSale: false },
  });
}

/** The merchant deleted the product; its variants stay known, because orders may hold them. */
export async function recordDeletedProduct(shop: string, productId: string): Promise<void> {
  await db.syncedVariant.updateMany({ where: { shop, productId }, data: { onSale: false } });
  await db.syncedProduct.deleteMany({ where: { shop, productId } });
}

/**
 * Notes the values that are about to be written. Where the process ends before it has recorded them, the next sync takes
 * neither these nor the earlier ones for a merchant's change. Values that were noted before and are in the shop now were
 * written then.
 */
export async function notePendingVariants(shop: string, products: readonly PlannedProduct[]): Promise<void> {
  const rows = products.flatMap(({ found, change }) => {
    const there = new Map(found?.variants.map((variant) => [variant.variantId, variant]));
    return change.variants.flatMap((entry) => {
      const before = there.get(entry.variantId ?? "");
      if (!before || entry.change === "none") return [];
      return [
        {
          variantId: before.variantId,
          found: variantFields.parse(before),
          pending: variantFields.parse(entry),
        },
      ];
    });
  });
  if (rows.length === 0) return;
  await db.$executeRaw`
    UPDATE "SyncedVariant" v
    SET written = CASE WHEN v.pending = r.found THEN v.pending ELSE v.written END, pending = r.pending
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r("variantId" text, found jsonb, pending jsonb)
    WHERE v.shop = ${shop} AND v."variantId" = r."variantId"`;
}

/** All that was written is recorded. */
export async function clearPendingVariants(shop: string): Promise<void> {
  await db.$executeRaw`UPDATE "SyncedVariant" SET pending = NULL WHERE shop = ${shop} AND pending IS NOT NULL`;
}

/** Brings the record of a product's variants in step with what was written and found. */
export async function recordVariants(
  shop: string,
  environment: Environment,
  product: FoundProduct,
  entries: readonly VariantEntry[],
  sellable: boolean,
  known: ReadonlyMap<string, RecordedVariant>,
): Promise<void> {
  const found = new Map(product.variants.map((variant) => [variant.sku, variant]));
  const rows = entries.flatMap((entry) => {
    const variantId = entry.variantId ?? found.get(entry.sku)?.variantId;
    if (entry.referenceId === null || variantId === undefined) return [];
    const { priceMinor, duration, taxable, requiresShipping } = entry;
    return [
      {
        shop,
        variantId,
        productId: product.productId,
        environment,
        referenceId: entry.referenceId,
        onSale: sellable && !entry.tracked,
        priceMinor,
        written: { priceMinor, duration, taxable, requiresShipping },
      },
    ];
  });
  const changed = rows.filter((row) => !isRecorded(row, known.get(row.variantId)));
  if (changed.length > 0) {
    await db.$executeRaw`
      INSERT INTO "SyncedVariant" (shop, "variantId", "productId", environment, "referenceId", "onSale", "priceMinor",
        written, "updatedAt")
      SELECT r.shop, r."variantId", r."productId", r.environment, r."referenceId", r."onSale", r."priceMinor",
        r.written, now()
      FROM jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) AS r(shop text, "variantId" text, "productId" text,
        environment text, "referenceId" text, "onSale" boolean, "priceMinor" int, written jsonb)
      ON CONFLICT (shop, "variantId") DO UPDATE SET "productId" = excluded."productId",
        environment = excluded.environment, "referenceId" = excluded."referenceId", "onSale" = excluded."onSale",
        "priceMinor" = excluded."priceMinor", written = excluded.written, "updatedAt" = now()`;
  }
  // Variants that are no longer in the shop cannot be bought; orders may still name them.
  const there = new Set(rows.map(({ variantId }) => variantId));
  const gone = [...known.values()].filter(
    (row) => row.productId === product.productId && row.onSale && !there.has(row.variantId),
  );
  await db.syncedVariant.updateMany({
    where: { shop, variantId: { in: gone.map(({ variantId }) => variantId) } },
    data: { onSale: false },
  });
}

/** Where a value was pending, what is in the record by now is not what was known as the sync began. */
function isRecorded(
  row: Omit<RecordedVariant, "pending" | "band">,
  known: RecordedVariant | undefined,
): boolean {
  return (
    known !== undefined &&
    known.pending === null &&
    known.productId === row.productId &&
    known.environment === row.environment &&
    known.referenceId === row.referenceId &&
    known.onSale === row.onSale &&
    known.priceMinor === row.priceMinor &&
    JSON.stringify(variantFields.parse(row.written)) === JSON.stringify(known.written)
  );
}
