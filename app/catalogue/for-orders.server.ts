/** What the catalogue tells about a paid order: which lines are plans, and which products could have been insured. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

const referenceOfVariant = z.object({
  variantId: z.string(),
  environment: z.enum(["test", "production"]),
  referenceId: z.string(),
  categoryId: z.string(),
  termMonths: z.int(),
  priceCents: z.int(),
  /** the price at which the shop sells it, which is the offer's as of the last sync */
  soldAtCents: z.int(),
  currency: z.string(),
  bandMinCents: z.int(),
  bandMaxCents: z.int(),
  /** the products it was offered for; empty: it is for all */
  productReferenceIds: z.array(z.string()),
});
export type ReferenceOfVariant = z.infer<typeof referenceOfVariant>;

/** The references that these variants of the shop sell or sold; variants that are none of ours are left out. */
export async function findReferencesByVariants(
  shop: string,
  variantIds: readonly string[],
): Promise<ReferenceOfVariant[]> {
  const rows = await db.$queryRaw`
    SELECT v."variantId", v.environment, v."priceCents" AS "soldAtCents", r."referenceId", r."categoryId",
      r."termMonths", r."priceCents", r.currency, r."bandMinCents", r."bandMaxCents",
      COALESCE(r."productReferenceIds", '{}') AS "productReferenceIds"
    FROM "SyncedVariant" AS v
    JOIN "Reference" AS r
      ON r.shop = v.shop AND r.environment = v.environment AND r."referenceId" = v."referenceId"
    WHERE v.shop = ${shop} AND v."variantId" = ANY(${[...variantIds]}::text[])`;
  return z.array(referenceOfVariant).parse(rows);
}

export interface OfferedBand {
  categoryId: string;
  minCents: number;
  maxCents: number;
  currency: string;
}

/** The price bands for which these categories are on offer now. */
export async function bandsOnOffer(
  shop: string,
  environment: string,
  categoryIds: readonly string[],
): Promise<OfferedBand[]> {
  if (categoryIds.length === 0) return [];
  const rows = await db.reference.findMany({
    where: { shop, environment, state: "offered", problem: null, categoryId: { in: [...categoryIds] } },
    select: { categoryId: true, bandMinCents: true, bandMaxCents: true, currency: true },
    distinct: ["categoryId", "bandMinCents", "bandMaxCents", "currency"],
  });
  return rows.map(({ categoryId, bandMinCents, bandMaxCents, currency }) => ({
    categoryId,
    minCents: bandMinCents,
    maxCents: bandMaxCents,
    currency,
  }));
}

/** The insurance category of each of these products; products without one are left out. */
export async function categoriesOfProducts(
  shop: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.shopProduct.findMany({
    where: { shop, productId: { in: [...productIds] }, categoryId: { not: null } },
    select: { productId: true, categoryId: true },
  });
  return new Map(
    rows.flatMap(({ productId, categoryId }) => (categoryId === null ? [] : [[productId, categoryId]])),
  );
}
