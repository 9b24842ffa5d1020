/** Variants with their prices, from the app's copy: discovery requests offers for them. */
import { z } from "zod";
import type { PricedVariant } from "#app/catalogue/discovery/product-samples.ts";
import { db } from "#app/platform/db.server.ts";

/** Discovery needs no more prices than these. */
const PRICES = 5_000;

const priced = z.array(z.object({ variantId: z.string(), priceMinor: z.number().int() }));

/**
 * One variant per distinct price of a category's products, also of those whose universe it is a formula of; of all
 * products while none has the category.
 */
export async function listPricedVariants(shop: string, categoryId: string): Promise<PricedVariant[]> {
  const own = priced.parse(
    await db.$queryRaw`
    SELECT min(v."variantId") AS "variantId", v."priceMinor" FROM "ShopVariant" v
    JOIN "ShopProduct" p ON p.shop = v.shop AND p."productId" = v."productId"
    WHERE v.shop = ${shop} AND p."categoryId" IN (
      SELECT ${categoryId} UNION SELECT r."categoryId" FROM "CategoryRule" r
      WHERE r.shop = ${shop} AND ${categoryId} = ANY(r."otherCategoryIds"))
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
