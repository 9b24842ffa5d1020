/**
 * The calculated cost of an operation: objects 1, scalars 0, a mutation 10 and more, a connection by its page. Shopify
 * publishes the values of objects and mutations, and formulas for some mutations. For connections it only says "sized
 * by first and last". The curve here is fitted to published answers (250 variants with one object each: 24 points), so
 * connection costs are approximate.
 */
import {
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  OperationTypeNode,
} from "graphql";
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from "graphql";
import type {
  MutationMetafieldsSetArgs,
  MutationProductSetArgs,
  MutationProductVariantsBulkUpdateArgs,
} from "#app/shopify/types/admin.types.d.ts";
import { parseGid } from "../ids.ts";

export interface CostInput {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
}

/** The schema has validated the arguments, so each formula names their type. */
type CostOf = { cost(args: object): number }["cost"];

const ownerWeights: Record<string, number> = { Order: 10, Product: 4, ProductVariant: 2, Shop: 1 };

/** Mutations whose cost depends on their input, by Shopify's published formulas. All others cost 10. */
const mutationCosts: Record<string, CostOf> = {
  /** changelog 2025-10-01, "Dynamic complexity cost for productSet mutation" */
  productSet: ({ input }: MutationProductSetArgs) =>
    10 + (input.variants?.length ?? 0) * 0.2 + (input.files?.length ?? 0) * 1.9,
  /** changelog 2025-10-01, for the bulk mutations of variants */
  productVariantsBulkUpdate: ({ variants }: MutationProductVariantsBulkUpdateArgs) =>
    variants.reduce((sum, { metafields }) => sum + 0.2 + (metafields?.length ?? 0) * 0.4, 10),
  /** changelog 2026-09-15: 10 and a weight per distinct owner */
  metafieldsSet: ({ metafields }: MutationMetafieldsSetArgs) =>
    [...new Set(metafields.map(({ ownerId }) => ownerId))].reduce(
      (sum, owner) => sum + (ownerWeights[parseGid(owner)?.type ?? ""] ?? 0),
      10,
    ),
};

/** The points of an operation before it runs, from its document alone. */
export function requestedCost(input: CostInput): number {
  const root = input.schema.getRootType(input.operation.operation);
  const total = root ? selectionCost(input, input.operation.selectionSet, root) : 0;
  return Math.max(1, Math.ceil(total - 1e-9));
}

/** Points of a page of a connection whose nodes cost `each`. */
function pageCost(size: number, each: number): number {
  return size === 0 ? 2 : 2 + Math.floor(2 * Math.log(size + 1) * each);
}

function selectionCost(input: CostInput, set: SelectionSetNode, type: GraphQLNamedType): number {
  const perType = new Map<string, number>();
  let common = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      common += fieldCost(input, selection, type);
      continue;
    }
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? input.fragments[selection.name.value] : selection;
    if (fragment === undefined) continue;
    const condition = input.schema.getType(fragment.typeCondition?.name.value ?? "") ?? type;
    const cost = selectionCost(input, fragment.selectionSet, condition);
    // Interfaces and unions cost as much as their dearest possible type.
    if (isAbstractType(type) && isObjectType(condition))
      perType.set(condition.name, (perType.get(condition.name) ?? 0) + cost);
    else common += cost;
  }
  return common + Math.max(0, ...perType.values());
}

function fieldCost(input: CostInput, node: FieldNode, parent: GraphQLNamedType): number {
  if (!isObjectType(parent) && !isInterfaceType(parent)) return 0;
  const field = parent.getFields()[node.name.value];
  if (field === undefined || node.selectionSet === undefined) return 0;
  const type = getNamedType(field.type);
  const inner = selectionCost(input, node.selectionSet, type);
  // An edge is free, its node is the object; a connection's nodes are counted by its page.
  if (type.name.endsWith("Edge") || type.name === "PageInfo") return type.name === "PageInfo" ? 0 : inner;
  const args = getArgumentValues(field, node, input.variables);
  if (parent === input.schema.getMutationType()) return (mutationCosts[field.name]?.(args) ?? 10) + inner;
  if (type.name.endsWith("Connection")) return pageCost(Number(args["first"] ?? args["last"] ?? 0), inner);
  // `nodes(ids:)`: the cost counts every id.
  return Array.isArray(args["ids"]) ? (1 + inner) * args["ids"].length : 1 + inner;
}

/** The points of the actual response: mutations, connections by the size of their page, 1 for each other object. */
export function actualCost({ operation }: CostInput, data: Record<string, unknown> | null): number {
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const fields = Object.values(data ?? {});
  const total = fields.reduce<number>(
    (sum, field) => sum + (isMutation ? 10 + within(field) : objectCost(field)),
    0,
  );
  return Math.ceil(total - 1e-9);
}

function within(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, field) => sum + objectCost(field), 0);
}

function objectCost(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + objectCost(item), 0);
  if (typeof value !== "object" || value === null) return 0;
  const { nodes, edges } = value as { nodes?: unknown; edges?: { node: unknown }[] };
  const items = Array.isArray(nodes) ? nodes : Array.isArray(edges) ? edges.map(({ node }) => node) : null;
  return items === null
    ? 1 + within(value)
    : pageCost(items.length, objectCost(items) / Math.max(1, items.length));
}
