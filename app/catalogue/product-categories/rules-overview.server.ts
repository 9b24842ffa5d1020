/** The data of the page where the merchant decides the insurance of each product. */
import type { Actor } from "#app/audit/actor.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { callInsurer, type InsurerResult } from "#app/merchants/insurance-connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { queryOrNull } from "#app/shopify/graphql.server.ts";
import { listCategories, saveCategories } from "#app/catalogue/references/categories.server.ts";
import type { RunProblems, RunView } from "#app/catalogue/runs/run.ts";
import { listRules } from "./rules.server.ts";
import type { Rule } from "./rules.ts";
import { readLastRun, startRun } from "#app/catalogue/runs/runs.server.ts";
import { categorySuggester } from "./suggest.ts";

export interface ProductType {
  /** "" for products without a type */
  productType: string;
  products: number;
  /** the number of products that neither a rule nor an override decides */
  undecided: number;
  /** the suggested category and the formulas beside it; empty if no category is certain */
  suggestion: string[];
}

export interface RulesOverview {
  rules: Rule[];
  /** the number of products that each rule decides, by rule id; `override` for the merchant's choices */
  decided: Record<string, number>;
  products: number;
  /** the names of the insurer's categories */
  categories: string[];
  /** those with most undecided products first */
  productTypes: ProductType[];
  /** the current or last read of the products */
  run: RunView | null;
  problems: RunProblems;
}

export async function rulesOverview(shop: string, environment: Environment): Promise<RulesOverview> {
  const [rules, groups, stored, { run, problems }] = await Promise.all([
    listRules(shop),
    db.shopProduct.groupBy({ by: ["productType", "decidedBy"], where: { shop }, _count: { _all: true } }),
    listCategories(shop, environment),
    readLastRun(shop, "products"),
  ]);
  const categories = stored.filter(({ vanished }) => !vanished).map(({ category }) => category);
  const suggest = categorySuggester(categories);
  const decided: Record<string, number> = {};
  const types = new Map<string, ProductType>();
  let products = 0;
  for (const { productType, decidedBy, _count } of groups) {
    const count = _count._all;
    products += count;
    const type = types.get(productType) ?? {
      productType,
      products: 0,
      undecided: 0,
      suggestion: suggest(productType),
    };
    type.products += count;
    if (decidedBy === null) type.undecided += count;
    else decided[decidedBy] = (decided[decidedBy] ?? 0) + count;
    types.set(productType, type);
  }
  return {
    rules,
    decided,
    products,
    categories: categories.map(({ id }) => id),
    productTypes: [...types.values()].sort(
      (a, b) => b.undecided - a.undecided || (a.productType < b.productType ? -1 : 1),
    ),
    run,
    problems,
  };
}

/**
 * Reads the insurer's categories now and starts reading the shop's products. The merchant can then make rules before
 * the first sale.
 * @returns the run's id
 */
export async function readProductsAndCategories(shop: string, actor: Actor): Promise<InsurerResult<string>> {
  return callInsurer(shop, async ({ environment, client }) => {
    await saveCategories(shop, environment, await client.categories.list());
    return (await startRun(shop, "products", "merchant", { actor })).id;
  });
}

// The names of the objects that rules reference by id.

/** By field and id: `collection 123` → "Smartphones". Objects that no longer exist are missing. */
export type RuleNames = Record<string, string>;

export async function readRuleNames(shop: string, rules: readonly Rule[]): Promise<RuleNames> {
  const ids = (field: "collection" | "product") =>
    rules.flatMap(({ conditions }) =>
      conditions.flatMap((condition) => (condition.field === field ? [condition.value] : [])),
    );
  const products = await productNames(shop, ids("product"));
  const collections = await collectionNames(shop, ids("collection"));
  const names: RuleNames = {};
  for (const { productId, title } of products) names[`product ${productId}`] = title;
  for (const [id, title] of collections) names[`collection ${id}`] = title;
  return names;
}

async function productNames(shop: string, productIds: string[]) {
  if (productIds.length === 0) return [];
  return db.shopProduct.findMany({
    where: { shop, productId: { in: productIds } },
    select: { productId: true, title: true },
  });
}

/** Limit of collections that Shopify returns in one call. */
const AT_ONCE = 250;

/** If Shopify does not respond, a collection's name is its number. */
async function collectionNames(shop: string, collectionIds: string[]): Promise<Map<string, string>> {
  const ids = [...new Set(collectionIds)];
  const names = new Map<string, string>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const slice = ids.slice(start, start + AT_ONCE);
    const collections = await queryOrNull(
      shop,
      "the names of collections",
      `#graphql
    query ParasolCollections($ids: [ID!]!) { nodes(ids: $ids) { ... on Collection { id title } } }`,
      { variables: { ids: slice.map((id) => gid("Collection", id)) } },
    );
    if (collections === null) return new Map([...ids.map((id) => [id, id] as const), ...names]);
    for (const node of collections.nodes)
      if (node && "title" in node) names.set(numericId(node.id), node.title);
  }
  return names;
}
