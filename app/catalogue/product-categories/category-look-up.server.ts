/** Which insurance a product of the shop belongs to, and what the catalogue offers for it. */
import { activeEnvironment } from "#app/merchants/environment.server.ts";
import { db } from "#app/platform/db.server.ts";
import { referenceFromRow } from "#app/catalogue/references/references.server.ts";
import { bandsOf } from "#app/catalogue/sync/compact-content.ts";
import type { CompactContent, SoldReference } from "#app/catalogue/sync/compact-content.ts";

/** The insurance category of each product; products without one, or unknown to us, are left out. */
export async function categoryOfProducts(
  shop: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  if (productIds.length === 0) return new Map();
  const rows = await db.shopProduct.findMany({
    where: { shop, productId: { in: [...productIds] }, categoryId: { not: null } },
    select: { productId: true, categoryId: true },
  });
  return new Map(
    rows.flatMap(({ productId, categoryId }) => (categoryId === null ? [] : [[productId, categoryId]])),
  );
}

/** Which of these products are our own plan products. */
export async function findPlanProductIds(shop: string, productIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.syncedProduct.findMany({
    where: { shop, productId: { in: [...productIds] } },
    select: { productId: true },
  });
  return new Set(rows.map(({ productId }) => productId));
}

/** Whether a variant of the shop sells or sold a plan. */
export async function isPlanVariant(shop: string, variantId: string): Promise<boolean> {
  return (await db.syncedVariant.count({ where: { shop, variantId } })) > 0;
}

/**
 * What the shop sells for a product of this category at this price, from the synced catalogue, by term and price.
 * Offers made for single products are left out: those are only ever served live.
 */
export async function findOffers(
  shop: string,
  { categoryId, priceMinor }: { categoryId: string; priceMinor: number },
): Promise<SoldReference[]> {
  const environment = await activeEnvironment(shop);
  const rows = await db.reference.findMany({
    where: {
      shop,
      environment,
      categoryId,
      state: "offered",
      problem: null,
      productReferenceIds: { isEmpty: true },
      bandMinMinor: { lte: priceMinor },
      bandMaxMinor: { gte: priceMinor },
    },
    orderBy: [{ termMonths: "asc" }, { priceMinor: "asc" }, { referenceId: "asc" }],
  });
  const variants = await findVariantsOnSale(
    shop,
    environment,
    rows.map(({ referenceId }) => referenceId),
  );
  return rows.flatMap((row) => {
    const variant = variants.get(row.referenceId);
    return variant ? [{ ...referenceFromRow(row), ...variant }] : [];
  });
}

/** All that the shop sells of a category, by price band, from the synced catalogue. */
export async function findBands(shop: string, categoryId: string): Promise<CompactContent["bands"]> {
  const environment = await activeEnvironment(shop);
  const rows = await db.reference.findMany({
    where: { shop, environment, categoryId, state: "offered", problem: null },
  });
  const variants = await findVariantsOnSale(
    shop,
    environment,
    rows.map(({ referenceId }) => referenceId),
  );
  return bandsOf(
    rows.flatMap((row) => {
      const variant = variants.get(row.referenceId);
      return variant ? [{ ...referenceFromRow(row), ...variant }] : [];
    }),
  );
}

/** Where the shop sells these references, and at which price; those that it does not sell are left out. */
export async function findVariantsOnSale(
  shop: string,
  environment: string,
  referenceIds: readonly string[],
): Promise<Map<string, { variantId: string; shopPriceMinor: number }>> {
  const rows = await db.syncedVariant.findMany({
    where: { shop, environment, referenceId: { in: [...referenceIds] }, onSale: true },
    select: { referenceId: true, variantId: true, priceMinor: true },
  });
  return new Map(
    rows.map(({ referenceId, variantId, priceMinor }) => [
      referenceId,
      { variantId, shopPriceMinor: priceMinor },
    ]),
  );
}
