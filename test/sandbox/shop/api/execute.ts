/** Runs one Admin API operation for one shop: parse, validate, price, throttle, resolve. */
import { execute, getOperationAST, getVariableValues, GraphQLError, Kind, parse, validate } from "graphql";
import type { DocumentNode, GraphQLFormattedError } from "graphql";
import { actualCost, requestedCost } from "./cost.ts";
import type { CostInput } from "./cost.ts";
import { resolveField, typenameOf } from "./resolve.ts";
import type { Call, GraphqlResponse } from "./resolver.ts";
import { adminSchema } from "./schema.ts";

/** Caches validated operations: the app sends the same few repeatedly, and validation is slow. */
const validDocuments = new Map<string, DocumentNode>();

function readDocument(source: string): DocumentNode | { errors: readonly GraphQLFormattedError[] } {
  let document = validDocuments.get(source);
  if (document !== undefined) return document;
  try {
    document = parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error.toJSON()] };
    throw error;
  }
  const errors = validate(adminSchema().schema, document);
  if (errors.length > 0) return { errors: errors.map((error) => error.toJSON()) };
  validDocuments.set(source, document);
  return document;
}

export async function executeOperation(
  { shop, scopes }: Pick<Call, "shop" | "scopes">,
  source: string,
  variables: Record<string, unknown>,
): Promise<GraphqlResponse> {
  const { api } = shop;
  const runInBulk = (...operation: [string, Record<string, unknown>]) =>
    executeInBulk({ ...call, isBulk: true }, ...operation);
  const call: Call = { shop, scopes, isBulk: false, runInBulk };
  const document = readDocument(source);
  if ("errors" in document) return document;
  const input = costInput(document, variables);
  if ("errors" in input) return input;
  const requestedQueryCost = requestedCost(input);
  const cost = (actualQueryCost: number | null) => ({
    cost: { requestedQueryCost, actualQueryCost, throttleStatus: api.bucket.status() },
  });
  if (requestedQueryCost > api.maximumCost) {
    const message = `Query cost is ${requestedQueryCost}, which exceeds the single query max cost limit (${api.maximumCost}).`;
    const extensions = { code: "MAX_COST_EXCEEDED", cost: requestedQueryCost, maxCost: api.maximumCost };
    return { errors: [{ message, extensions }] };
  }
  if (!api.bucket.take(requestedQueryCost))
    return {
      errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
      extensions: cost(null),
    };
  const result = await resolve(call, document, variables);
  const actual = Math.min(requestedQueryCost, actualCost(input, result.data ?? null));
  api.bucket.giveBack(requestedQueryCost - actual);
  return { ...result, extensions: cost(actual) };
}

/** An operation of a bulk operation: whole lists, no price. */
async function executeInBulk(
  call: Call,
  source: string,
  variables: Record<string, unknown>,
): Promise<GraphqlResponse> {
  const document = readDocument(source);
  return "errors" in document ? document : resolve(call, document, variables);
}

function costInput(
  document: DocumentNode,
  variables: Record<string, unknown>,
): CostInput | { errors: readonly GraphQLFormattedError[] } {
  const { schema } = adminSchema();
  const operation = getOperationAST(document);
  if (operation == null) return { errors: [{ message: "A document has one operation" }] };
  const read = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (read.errors !== undefined)
    return {
      errors: read.errors.map(({ message }) => ({ message, extensions: { code: "INVALID_VARIABLE" } })),
    };
  const fragments = Object.fromEntries(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [],
    ),
  );
  return { schema, operation, fragments, variables: read.coerced };
}

async function resolve(
  call: Call,
  document: DocumentNode,
  variables: Record<string, unknown>,
): Promise<GraphqlResponse> {
  const { data, errors } = await execute({
    schema: adminSchema().schema,
    document,
    variableValues: variables,
    contextValue: call,
    fieldResolver: resolveField,
    typeResolver: typenameOf,
  });
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map((error) => error.toJSON()) }),
  };
}
