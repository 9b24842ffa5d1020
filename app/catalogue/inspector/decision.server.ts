/** The catalogue's knowledge of one product: the deciding rule, the bands, and the references with their state. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { Decider } from "#app/catalogue/product-categories/product-list.ts";
import { listRules } from "#app/catalogue/product-categories/rules.server.ts";
import { decideCategory } from "#app/catalogue/product-categories/rules.ts";
import { universeOf, universesOf } from "#app/catalogue/product-categories/universe.ts";
import type { OfferedReference } from "#app/catalogue/references/offered-references.server.ts";

export interface ExplainedDecision {
  categoryId: string | null;
  decidedBy: Decider;
  /** the position of the rule in the list, from 1 */
  rule: number | null;
}

/**
 * Applies the current rules to one product. The result includes its own category and the formulas sold beside it. No
 * rule decides an unknown product.
 */
export async function explainDecision(
  shop: string,
  productId: string,
): Promise<ExplainedDecision & { isInsurance: boolean; universe: readonly string[] }> {
  const [{ product, override, isInsurance }, rules] = await Promise.all([
    readProductAndOverride(shop, productId),
    listRules(shop),
  ]);
  const none = { categoryId: null, decidedBy: "nothing", rule: null, isInsurance, universe: [] } as const;
  if (!product) return none;
  const overrides = new Map(override ? [[productId, override.categoryId]] : []);
  const { categoryId, decidedBy } = decideCategory(product, rules, overrides);
  if (decidedBy === null) return none;
  const universe = categoryId === null ? [] : universeOf(universesOf(rules), categoryId);
  if (decidedBy === "override" || decidedBy === "bundle")
    return { categoryId, decidedBy, rule: null, isInsurance, universe };
  const rule = rules.findIndex(({ id }) => id === decidedBy) + 1;
  return { categoryId, decidedBy: "rule", rule, isInsurance, universe };
}

const productWithOverride = z.tuple([
  z.object({
    product: z
      .object({
        productId: z.string(),
        title: z.string(),
        productType: z.string(),
        vendor: z.string(),
        tags: z.array(z.string()),
        collections: z.array(z.string()),
        isBundle: z.boolean(),
        minPriceMinor: z.int().nullable(),
      })
      .nullable(),
    override: z.object({ categoryId: z.string().nullable() }).nullable(),
    isInsurance: z.boolean(),
  }),
]);

/** Reads a product, its override, and whether it is a plan product, in one statement. */
async function readProductAndOverride(shop: string, productId: string) {
  const rows = await db.$queryRaw`
    SELECT
      (SELECT to_jsonb(p) FROM "ShopProduct" AS p WHERE p.shop = ${shop} AND p."productId" = ${productId}) AS product,
      (SELECT to_jsonb(o) FROM "CategoryOverride" AS o WHERE o.shop = ${shop} AND o."productId" = ${productId}) AS override,
      EXISTS (SELECT FROM "SyncedProduct" AS s WHERE s.shop = ${shop} AND s."productId" = ${productId}) AS "isInsurance"`;
  return productWithOverride.parse(rows)[0];
}

/** The keys of the categories with a compact catalogue in the shop's metafields. */
export async function publishedCategoryKeys(shop: string): Promise<Set<string>> {
  const rows = await db.publishedCatalogue.findMany({ where: { shop }, select: { key: true } });
  return new Set(rows.map(({ key }) => key));
}

/** The price bands in which the shop sells any of these references, ascending. */
export function bandsWithOffers(references: readonly OfferedReference[]): { min: number; max: number }[] {
  const bands = new Map(
    references
      .filter(({ problem }) => problem === null)
      .map(({ bandMinMinor: min, bandMaxMinor: max }) => [`${min} ${max}`, { min, max }]),
  );
  return [...bands.values()].sort((a, b) => a.min - b.min);
}
