/** Finds the insurance category of a product, and the plans that the catalogue offers for it. */
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import { referenceFromRow } from "#app/catalogue/references/references.server.ts";
import {
  bandsOf,
  withoutSharedEnds,
  type CompactContent,
  coverKeyOf,
  inUniverse,
  type SoldReference,
} from "#app/catalogue/sync/compact-catalogue.ts";
import { universeOf, type Universes } from "./universe.ts";

/** The variants among these that sell or sold a plan. */
export async function findPlanVariantIds(shop: string, variantIds: readonly string[]): Promise<Set<string>> {
  if (variantIds.length === 0) return new Set();
  const rows = await db.syncedVariant.findMany({
    where: { shop, variantId: { in: [...variantIds] } },
    select: { variantId: true },
  });
  return new Set(rows.map(({ variantId }) => variantId));
}

/** A product's category and price: what offers depend on. */
export interface OffersQuery {
  categoryId: string;
  priceMinor: number;
}

/**
 * Finds in the synced catalogue what the shop sells for products of these categories at these prices. Each query gets
 * its offers and those of the formulas beside it, by term and price. Offers for single products are missing: only
 * live offers show them.
 */
export async function findOffers<Query extends OffersQuery>(
  shop: string,
  environment: Environment,
  universes: Universes,
  queries: readonly Query[],
): Promise<Map<Query, SoldReference[]>> {
  if (queries.length === 0) return new Map();
  const sold = await findSold(shop, environment, {
    productReferenceIds: { isEmpty: true },
    OR: queries.map(({ categoryId, priceMinor }) => ({
      categoryId: { in: [...universeOf(universes, categoryId)] },
      bandMinMinor: { lte: priceMinor },
      bandMaxMinor: { gte: priceMinor },
    })),
  });
  const byCategory = Map.groupBy(withoutSharedEnds(sold), ({ categoryId }) => categoryId);
  const fits = ({ categoryId, priceMinor }: Query) =>
    soldInUniverse(universeOf(universes, categoryId), byCategory).filter(
      ({ bandMinMinor, bandMaxMinor }) => bandMinMinor <= priceMinor && bandMaxMinor >= priceMinor,
    );
  return new Map(queries.map((query) => [query, fits(query)]));
}

/** Adds the formula names that the storefront shows. */
function soldInUniverse(
  universe: readonly string[],
  byCategory: ReadonlyMap<string, SoldReference[]>,
): SoldReference[] {
  const members = universe.map((id) => ({ category: { id }, sold: byCategory.get(id) ?? [] }));
  return universe.length > 1 ? inUniverse(members) : members.flatMap(({ sold }) => sold);
}

export interface SoldBands {
  bands: CompactContent["bands"];
  /** the key of each formula's coverage text, by formula name; empty if there is only one formula */
  formulas: ReadonlyMap<string, string>;
}

/** All plans of these categories and of the formulas beside each, by price band, from the synced catalogue. */
export async function findBands(
  shop: string,
  environment: Environment,
  universes: Universes,
  categoryIds: readonly string[],
): Promise<Map<string, SoldBands>> {
  if (categoryIds.length === 0) return new Map();
  const members = categoryIds.flatMap((id) => universeOf(universes, id));
  const sold = await findSold(shop, environment, { categoryId: { in: [...new Set(members)] } });
  const byCategory = Map.groupBy(sold, ({ categoryId }) => categoryId);
  return new Map(
    categoryIds.map((id) => {
      const offered = soldInUniverse(universeOf(universes, id), byCategory);
      const formulas = offered.flatMap((each) =>
        each.formula === null ? [] : [[each.formula, coverKeyOf(each)] as const],
      );
      return [id, { bands: bandsOf(offered), formulas: new Map(formulas) }];
    }),
  );
}

/**
 * These references with their variants, for products of a universe. References without a variant on sale are missing.
 * @param universe its categories in their order
 */
export async function findSoldReferences(
  shop: string,
  environment: Environment,
  universe: readonly string[],
  referenceIds: readonly string[],
): Promise<SoldReference[]> {
  const sold = await findSold(shop, environment, { referenceId: { in: [...referenceIds] } });
  return soldInUniverse(
    universe,
    Map.groupBy(sold, ({ categoryId }) => categoryId),
  );
}

/** The references without a problem that meet the condition and that the shop sells, by term and price. */
async function findSold(
  shop: string,
  environment: Environment,
  condition: Prisma.ReferenceWhereInput,
): Promise<SoldReference[]> {
  const rows = await db.reference.findMany({
    where: { shop, environment, state: "offered", problem: null, ...condition },
    orderBy: [{ termMonths: "asc" }, { priceMinor: "asc" }, { referenceId: "asc" }],
  });
  const variants = await findVariantsOnSale(
    shop,
    environment,
    rows.map(({ referenceId }) => referenceId),
  );
  return rows.flatMap((row) => {
    const variant = variants.get(row.referenceId);
    return variant ? [{ ...referenceFromRow(row), formula: row.formula, ...variant }] : [];
  });
}

/** The variants that sell these references, with their prices. References without a variant on sale are missing. */
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
