/** The names of what rules point to by id, so that a person can read them. */
import { db } from "#app/platform/db.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import type { Rule } from "./rules.ts";

/** By field and id: `collection 123` → "Smartphones". What is gone from the shop is left out. */
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
  for (const { id, title } of collections) names[`collection ${numericId(id)}`] = title;
  return names;
}

async function productNames(shop: string, productIds: string[]) {
  if (productIds.length === 0) return [];
  return db.shopProduct.findMany({
    where: { shop, productId: { in: productIds } },
    select: { productId: true, title: true },
  });
}

async function collectionNames(
  shop: string,
  collectionIds: string[],
): Promise<{ id: string; title: string }[]> {
  if (collectionIds.length === 0) return [];
  const { nodes } = await createAdminClient(shop, { attempts: 2 }).request(
    `#graphql
    query ParasolCollections($ids: [ID!]!) { nodes(ids: $ids) { ... on Collection { id title } } }`,
    { variables: { ids: [...new Set(collectionIds)].map((id) => gid("Collection", id)) } },
  );
  return nodes.flatMap((node) => (node && "title" in node ? [node] : []));
}
