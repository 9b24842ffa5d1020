/** What the catalogue can tell about one product: the rule that decides, the bands, the references and their state. */
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { variantsOnSale } from "./categories.server.ts";
import { categoryKey } from "./compact.ts";
import { factsOf } from "./products.server.ts";
import { listOverrides, listRules } from "./rules.server.ts";
import { categoryOf } from "./rules.ts";

export interface ExplainedDecision {
  categoryId: string | null;
  decidedBy: "override" | "rule" | "nothing";
  /** the rule's place in the list, from 1 */
  rule: number | null;
}

/** What the rules say of a product, worked out now. A product that is not known yet is decided by nothing. */
export async function decisionFor(shop: string, productId: string): Promise<ExplainedDecision> {
  const [product, rules, overrides] = await Promise.all([
    db.shopProduct.findUnique({ where: { shop_productId: { shop, productId } } }),
    listRules(shop),
    listOverrides(shop),
  ]);
  if (!product) return { categoryId: null, decidedBy: "nothing", rule: null };
  const { categoryId, decidedBy } = categoryOf(factsOf(product), rules, overrides);
  if (decidedBy === "override") return { categoryId, decidedBy, rule: null };
  if (decidedBy === null) return { categoryId, decidedBy: "nothing", rule: null };
  return { categoryId, decidedBy: "rule", rule: rules.findIndex(({ id }) => id === decidedBy) + 1 };
}

/** Whether the shop's metafields hold the category's compact catalogue. */
export async function isPublished(shop: string, categoryId: string): Promise<boolean> {
  return (await db.writtenCatalogue.count({ where: { shop, key: categoryKey(categoryId) } })) > 0;
}

/** The price bands in which something of the category is sold, ascending. */
export async function soldBands(
  shop: string,
  environment: Environment,
  categoryId: string,
): Promise<{ min: number; max: number }[]> {
  const rows = await db.reference.findMany({
    where: { shop, environment, categoryId, state: "offered", problem: null },
    select: { bandMinCents: true, bandMaxCents: true },
    distinct: ["bandMinCents", "bandMaxCents"],
    orderBy: { bandMinCents: "asc" },
  });
  return rows.map(({ bandMinCents: min, bandMaxCents: max }) => ({ min, max }));
}

/** The references of a category whose band holds the price, with what is wrong with them. */
export async function referencesAt(
  shop: string,
  environment: Environment,
  categoryId: string,
  priceCents: number,
): Promise<{ referenceId: string; problem: string | null; currency: string; onSale: boolean }[]> {
  const rows = await db.reference.findMany({
    where: {
      shop,
      environment,
      categoryId,
      state: "offered",
      bandMinCents: { lte: priceCents },
      bandMaxCents: { gte: priceCents },
    },
    select: { referenceId: true, problem: true, currency: true },
    orderBy: [{ termMonths: "asc" }, { referenceId: "asc" }],
  });
  const sold = await variantsOnSale(
    shop,
    environment,
    rows.map(({ referenceId }) => referenceId),
  );
  return rows.map((row) => ({ ...row, onSale: sold.has(row.referenceId) }));
}
