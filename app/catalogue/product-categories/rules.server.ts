/** Saves the merchant's category rules, and previews their effect. */
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { saveIfUnchanged } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { decideCategory, condition } from "./rules.ts";
import type { Condition, Rule } from "./rules.ts";
import { universesOf, withSameUniverses, type Universes } from "./universe.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";
import { hasPlanProducts } from "#app/catalogue/sync/synced-products.server.ts";

const conditions = z.array(condition);

export async function listRules(shop: string, client: Transaction = db): Promise<Rule[]> {
  const rows = await client.categoryRule.findMany({ where: { shop }, orderBy: { position: "asc" } });
  return rows.map(({ id, conditions: given, categoryId, otherCategoryIds }) => ({
    id: id.slice(shop.length + 1),
    conditions: conditions.parse(given),
    categoryId,
    ...(otherCategoryIds.length === 0 ? {} : { otherCategoryIds }),
  }));
}

/** Most shops have no universes, so this statement reads no row. */
export async function listUniverses(shop: string): Promise<Universes> {
  const rows = await db.categoryRule.findMany({
    where: { shop, otherCategoryIds: { isEmpty: false } },
    select: { categoryId: true, otherCategoryIds: true },
    orderBy: { position: "asc" },
  });
  return universesOf(rows);
}

/** @param productIds limits the result to these products */
export async function listOverrides(
  shop: string,
  productIds?: string[],
): Promise<Map<string, string | null>> {
  const ofProducts = productIds === undefined ? {} : { productId: { in: productIds } };
  const rows = await db.categoryOverride.findMany({ where: { shop, ...ofProducts } });
  return new Map(rows.map(({ productId, categoryId }) => [productId, categoryId]));
}

/**
 * Replaces the rules by these, in this order, and starts a run to apply them. If the universes change, a sync writes
 * their new catalogues.
 * @returns the run's id; null: another version was saved in the meantime
 */
export async function saveRules(
  shop: string,
  newRules: readonly Rule[],
  actor: Actor,
  version: string | null = null,
): Promise<string | null> {
  const rules = withSameUniverses(newRules);
  const hasPlans = await hasPlanProducts(shop);
  let runId: string | null = null;
  const read = (tx: Transaction) => listRules(shop, tx);
  await saveIfUnchanged(shop, version, read, async (tx, before) => {
    await tx.categoryRule.deleteMany({ where: { shop } });
    await tx.categoryRule.createMany({
      data: rules.map(({ id, conditions: ofRule, categoryId, otherCategoryIds = [] }, position) => ({
        id: `${shop}:${id}`,
        shop,
        position,
        conditions: ofRule,
        categoryId,
        otherCategoryIds,
      })),
    });
    const changes = changedFields(rulesInLog(before), rulesInLog(rules));
    await recordAudit({ shop, actor, action: "rules_saved", ...changes }, tx);
    const isSameUniverses =
      JSON.stringify([...universesOf(before)]) === JSON.stringify([...universesOf(rules)]);
    if (!isSameUniverses && hasPlans) await startRun(shop, "catalogue", "rules", { transaction: tx });
    runId = (await startRun(shop, "products", "rules", { transaction: tx })).id;
  });
  return runId;
}

/** The rules by position, as the audit log compares them: `rule.1.condition.1.vendor`. */
const rulesInLog = (rules: readonly Rule[]) => ({
  rule: byPlace(
    rules.map(({ conditions: given, categoryId, otherCategoryIds = [] }) => ({
      condition: byPlace(given.map(conditionInLog)),
      categoryId,
      otherCategoryIds: otherCategoryIds.length === 0 ? undefined : otherCategoryIds,
    })),
  ),
});

const conditionInLog = (ruleCondition: Condition) => {
  if (ruleCondition.field !== "price") return { [ruleCondition.field]: ruleCondition.value };
  const { minMinor, maxMinor } = ruleCondition;
  return { price: { minMinor, maxMinor } };
};

const byPlace = <T>(list: readonly T[]) => Object.fromEntries(list.map((each, at) => [at + 1, each]));

export interface RulesPreview {
  products: number;
  /** the number of products in each category; null: products without insurance */
  categories: { categoryId: string | null; products: number }[];
  /** the number of products that each rule decides, by rule id; `override` for the merchant's choices */
  rules: Record<string, number>;
  /** the number of products with a new category */
  changed: number;
  /** the first matches of each rule */
  examples: Record<string, { productId: string; title: string }[]>;
}

const EXAMPLES = 10;

/** The effect of these rules on the saved products. */
export async function previewRules(shop: string, rules: readonly Rule[]): Promise<RulesPreview> {
  const overrides = await listOverrides(shop);
  const byCategory = new Map<string | null, number>();
  const preview: RulesPreview = { products: 0, categories: [], rules: {}, changed: 0, examples: {} };
  for await (const page of productPages(shop)) {
    for (const row of page) {
      const { categoryId, decidedBy } = decideCategory(row, rules, overrides);
      preview.products += 1;
      byCategory.set(categoryId, (byCategory.get(categoryId) ?? 0) + 1);
      if (categoryId !== row.categoryId) preview.changed += 1;
      if (decidedBy === null) continue;
      preview.rules[decidedBy] = (preview.rules[decidedBy] ?? 0) + 1;
      const examples = (preview.examples[decidedBy] ??= []);
      if (examples.length < EXAMPLES) examples.push({ productId: row.productId, title: row.title });
    }
  }
  preview.categories = [...byCategory].map(([categoryId, products]) => ({ categoryId, products }));
  return preview;
}

const PAGE_SIZE = 5_000;

/** All saved products of the shop, page by page. */
export async function* productPages(shop: string) {
  for (let after = ""; ;) {
    const page = await db.shopProduct.findMany({
      where: { shop, productId: { gt: after } },
      orderBy: { productId: "asc" },
      take: PAGE_SIZE,
    });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    after = last.productId;
  }
}
