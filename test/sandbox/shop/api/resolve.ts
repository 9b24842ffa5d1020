/**
 * The value of a field of the published schema: from a resolver of types.ts, else from the property of that name in the
 * store's object. The schema's return type decides the form of ids, lists, counts and enum values.
 */
import { getDirectiveValues, getNamedType, GraphQLError, isAbstractType, isEnumType } from "graphql";
import type { GraphQLResolveInfo } from "graphql";
import { gid } from "../ids.ts";
import { NotImplemented } from "./resolver.ts";
import type { Call } from "./resolver.ts";
import { adminSchema } from "./schema.ts";
import { resolvers } from "./types.ts";

const MOST_ITEMS = 250;

export function resolveField(
  source: unknown,
  args: Record<string, unknown>,
  call: Call,
  info: GraphQLResolveInfo,
): unknown {
  const { parentType, fieldName } = info;
  requireAccess(call, fieldName, `${parentType.name}.${fieldName}`);
  requireAccess(call, fieldName, getNamedType(info.returnType).name);
  for (const value of Object.values(args))
    if (Array.isArray(value) && value.length > MOST_ITEMS)
      throw new GraphQLError(
        `The input array size of ${value.length} is greater than the maximum allowed of ${MOST_ITEMS}.`,
        { extensions: { code: "MAX_INPUT_SIZE_EXCEEDED" } },
      );
  const resolver = [parentType, ...parentType.getInterfaces()]
    .map(({ name }) => resolvers[name]?.[fieldName])
    .find((each) => each !== undefined);
  const value = resolver
    ? resolver(source, args, call, parentType.name, idempotencyKeyOf(info))
    : propertyOf(source, parentType.name, fieldName);
  return shaped(value, args, call, info);
}

function idempotencyKeyOf({ schema, fieldNodes, variableValues }: GraphQLResolveInfo): string | null {
  const directive = schema.getDirective("idempotent");
  const [field] = fieldNodes;
  const key = directive && field && getDirectiveValues(directive, field, variableValues)?.["key"];
  return typeof key === "string" ? key : null;
}

function propertyOf(source: unknown, type: string, field: string): unknown {
  const found: unknown =
    typeof source === "object" && source !== null ? Reflect.get(source, field) : undefined;
  if (found === undefined) throw new NotImplemented(`${type}.${field}`);
  return found;
}

function shaped(
  value: unknown,
  args: Record<string, unknown>,
  call: Call,
  { parentType, fieldName, returnType }: GraphQLResolveInfo,
): unknown {
  const type = getNamedType(returnType);
  if (fieldName === "id" && typeof value === "string" && /^\d+$/.test(value))
    return gid(parentType.name, value);
  if (type.name.endsWith("Connection") && Array.isArray(value)) return connection(value, args, call);
  if (type.name === "Count" && typeof value === "number") return countOf(value, args["limit"]);
  if (isEnumType(type) && typeof value === "string") return value.toUpperCase();
  if (!isAbstractType(type)) return value;
  // The interface `Node` needs no scope; the object behind an id does. An error in a list is that of its place.
  const check = (item: unknown): unknown => {
    const typename = typenameOf(item);
    return typename === undefined ? item : (missingAccess(call, fieldName, typename) ?? item);
  };
  return Array.isArray(value) ? value.map(check) : check(value);
}

export function typenameOf(item: unknown): string | undefined {
  return typeof item === "object" && item !== null && "__typename" in item
    ? String(item.__typename)
    : undefined;
}

function countOf(count: number, limit: unknown): object {
  return typeof limit === "number" && count > limit
    ? { count: limit, precision: "AT_LEAST" }
    : { count, precision: "EXACT" };
}

function requireAccess(call: Call, field: string, key: string): void {
  const denied = missingAccess(call, field, key);
  if (denied !== null) throw denied;
}

/** @param key a type or `Type.field`; a connection needs the scopes of its nodes */
function missingAccess({ scopes }: Call, field: string, key: string): GraphQLError | null {
  const needed = adminSchema().access.get(key.replace(/(Connection|Edge)$/, ""));
  // A scope that writes a resource also reads it.
  const has = (scope: string) => scopes.includes(scope) || scopes.includes(scope.replace(/^read_/, "write_"));
  if (needed === undefined || needed.scopes.some(has)) return null;
  return new GraphQLError(`Access denied for ${field} field. Required access: ${needed.text}`, {
    extensions: {
      code: "ACCESS_DENIED",
      documentation: "https://shopify.dev/api/usage/access-scopes",
      requiredAccess: needed.text,
    },
  });
}

interface PageArguments {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  reverse?: boolean | null;
}

/** Forward pages only. As Shopify does, it refuses pages of more than 250 and unknown cursors. */
function connection(items: unknown[], args: PageArguments, { isBulk }: Call): object {
  const { first, last, after, reverse } = isBulk ? { first: items.length, reverse: args.reverse } : args;
  if (last != null) throw new NotImplemented("`last`");
  if (first == null) throw badRequest("you must provide one of first or last");
  if (!isBulk && (first < 1 || first > MOST_ITEMS))
    throw badRequest(`first must be between 1 and ${MOST_ITEMS}`);
  const sorted = reverse === true ? items.toReversed() : items;
  const wanted = after == null ? null : Buffer.from(after, "base64").toString();
  const previous = sorted.findIndex((item, index) => cursorText(item, index) === wanted);
  if (wanted !== null && previous < 0)
    throw badRequest(`Invalid cursor for current pagination sort: ${after}`);
  const nodes = sorted.slice(previous + 1, previous + 1 + first);
  const edges = nodes.map((node, index) => ({
    node,
    cursor: Buffer.from(cursorText(node, previous + 1 + index)).toString("base64"),
  }));
  return {
    nodes,
    edges,
    pageInfo: {
      hasNextPage: previous + 1 + nodes.length < sorted.length,
      hasPreviousPage: previous >= 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
}

/** The cursor is the item's id, so that the next page follows even if the list has grown. */
function cursorText(item: unknown, index: number): string {
  const id: unknown = typeof item === "object" && item !== null && "id" in item ? item.id : index;
  return JSON.stringify({ last_id: id });
}
