/**
 * The calculated cost of an operation: objects 1, scalars 0, a mutation 10 and more, a connection by its page.
 *
 * The platform publishes the values of objects and mutations, and formulas for some mutations. For connections it only
 * says "sized by first and last"; the curve here is fitted to published answers (250 variants with one object each: 24
 * points), so figures for connections are near, not exact.
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
import { mutationCosts } from "./mutation-costs.ts";

export interface CostInput {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
}

/** Before execution, from the document alone; after it with the data that came back. */
export function operationCost(input: CostInput, data?: Record<string, unknown> | null): number {
  const root = input.schema.getRootType(input.operation.operation);
  if (root === null || root === undefined) return 0;
  const after = data !== undefined;
  const total = selectionCost(
    input,
    input.operation.selectionSet,
    root,
    after ? (data ?? {}) : undefined,
    input.operation.operation === OperationTypeNode.MUTATION,
  );
  return Math.max(after ? 0 : 1, Math.ceil(total - 1e-9));
}

/** Points of a page of a connection whose nodes cost `each`. */
function pageCost(size: number, each: number): number {
  return size === 0 ? 2 : 2 + Math.floor(2 * Math.log(size + 1) * each);
}

function selectionCost(
  input: CostInput,
  set: SelectionSetNode,
  type: GraphQLNamedType,
  data: unknown,
  mutation = false,
): number {
  const perType = new Map<string, number>();
  let own = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      own += fieldCost(input, selection, type, data, mutation);
      continue;
    }
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? input.fragments[selection.name.value] : selection;
    if (fragment === undefined) continue;
    const conditionName = fragment.typeCondition?.name.value;
    const condition = (conditionName === undefined ? undefined : input.schema.getType(conditionName)) ?? type;
    const cost = selectionCost(input, fragment.selectionSet, condition, data, mutation);
    // Interfaces and unions cost as much as their dearest possible type.
    if (isAbstractType(type) && isObjectType(condition))
      perType.set(condition.name, (perType.get(condition.name) ?? 0) + cost);
    else own += cost;
  }
  return own + Math.max(0, ...perType.values());
}

function fieldCost(
  input: CostInput,
  node: FieldNode,
  parent: GraphQLNamedType,
  data: unknown,
  mutation: boolean,
): number {
  if (!isObjectType(parent) && !isInterfaceType(parent)) return 0;
  const field = parent.getFields()[node.name.value];
  if (field === undefined || node.selectionSet === undefined) return 0;
  const type = getNamedType(field.type);
  const value = data === undefined ? undefined : read(data, node.alias?.value ?? node.name.value);
  if (data !== undefined && value == null) return mutation ? 10 : 0;
  const args = getArgumentValues(field, node, input.variables);
  if (mutation)
    return (mutationCosts[field.name]?.(args) ?? 10) + childrenCost(input, node.selectionSet, type, value);
  if (type.name.endsWith("Connection")) return connectionCost(input, node.selectionSet, type, value, args);
  const cost = childrenCost(input, node.selectionSet, type, value, 1);
  // `nodes(ids:)`: each of them may be there.
  return data === undefined && Array.isArray(args["ids"]) ? cost * args["ids"].length : cost;
}

/** `own` points and the children, once per element of a list. */
function childrenCost(
  input: CostInput,
  set: SelectionSetNode,
  type: GraphQLNamedType,
  value: unknown,
  own = 0,
): number {
  if (!Array.isArray(value)) return own + selectionCost(input, set, type, value);
  const elements: unknown[] = value;
  return elements.reduce<number>(
    (sum, element) => sum + (element == null ? 0 : own + selectionCost(input, set, type, element)),
    0,
  );
}

function connectionCost(
  input: CostInput,
  set: SelectionSetNode,
  type: GraphQLNamedType,
  value: unknown,
  args: Record<string, unknown>,
): number {
  const requested = args["first"] ?? args["last"];
  let size = typeof requested === "number" ? requested : 0;
  let each = 0;
  let beside = 0;
  for (const selection of fieldsOf(input, set)) {
    if (selection.selectionSet === undefined) continue;
    const name = selection.name.value;
    const inner = typeOfField(type, name);
    if (inner === undefined || name === "pageInfo") continue;
    const found = value === undefined ? undefined : read(value, selection.alias?.value ?? name);
    if (name !== "nodes" && name !== "edges") {
      beside += childrenCost(input, selection.selectionSet, inner, found, 1);
      continue;
    }
    if (Array.isArray(found)) {
      size = found.length;
      const total = found.reduce<number>(
        (sum, element) => sum + nodeCost(input, selection.selectionSet, inner, name, element),
        0,
      );
      each = Math.max(each, size === 0 ? 0 : total / size);
    } else each = Math.max(each, nodeCost(input, selection.selectionSet, inner, name, undefined));
  }
  return pageCost(size, each) + beside;
}

/** The fields of a selection, those of its fragments among them. */
function fieldsOf(input: CostInput, set: SelectionSetNode): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? input.fragments[selection.name.value] : selection;
    return fragment === undefined ? [] : fieldsOf(input, fragment.selectionSet);
  });
}

function typeOfField(type: GraphQLNamedType, name: string): GraphQLNamedType | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const field = type.getFields()[name];
  return field === undefined ? undefined : getNamedType(field.type);
}

function nodeCost(
  input: CostInput,
  set: SelectionSetNode | undefined,
  type: GraphQLNamedType,
  list: string,
  value: unknown,
): number {
  if (set === undefined) return 0;
  // An edge is free; its node is the object.
  return list === "edges"
    ? selectionCost(input, set, type, value)
    : 1 + selectionCost(input, set, type, value);
}

function read(data: unknown, key: string): unknown {
  return typeof data === "object" && data !== null && key in data
    ? (data as Record<string, unknown>)[key]
    : null;
}
