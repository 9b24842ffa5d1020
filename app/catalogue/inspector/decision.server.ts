/** What the catalogue knows of one product: the rule that decides, the bands, the references and their state. */
import { type OfferedReference, readProductAndOverride } from "#app/catalogue/catalogue-rows.server.ts";
import { db } from "#app/platform/db.server.ts";
import { listRules } from "#app/catalogue/product-categories/rules.server.ts";
import { decideCategory } from "#app/catalogue/product-categories/rules.ts";
import { universeOf, universesOf } from "#app/catalogue/product-categories/universe.ts";

export interface ExplainedDecision {
  categoryId: string | null;
  decidedBy: "override" | "rule" | "nothing";
  /** the rule's place in the list, from 1 */
  rule: number | null;
}

/**
 * What the rules say of a product, worked out now, with the categories that it gets: its own and the formulas beside it.
 * A product that is not known yet is decided by nothing.
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
  if (decidedBy === "override") return { categoryId, decidedBy, rule: null, isInsurance, universe };
  const rule = rules.findIndex(({ id }) => id === decidedBy) + 1;
  return { categoryId, decidedBy: "rule", rule, isInsurance, universe };
}

/** The keys of the categories whose compact catalogue is in the shop's metafields. */
export async function publishedCategoryKeys(shop: string): Promise<Set<string>> {
  const rows = await db.publishedCatalogue.findMany({ where: { shop }, select: { key: true } });
  return new Set(rows.map(({ key }) => key));
}

/** The price bands in which something of these is sold, ascending. */
export function bandsWithOffers(references: readonly OfferedReference[]): { min: number; max: number }[] {
  const bands = new Map(
    references
      .filter(({ problem }) => problem === null)
      .map(({ bandMinMinor: min, bandMaxMinor: max }) => [`${min} ${max}`, { min, max }]),
  );
  return [...bands.values()].sort((a, b) => a.min - b.min);
}
