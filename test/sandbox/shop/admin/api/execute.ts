/** Runs one Admin API operation for one shop: parse, validate, price, throttle, check scopes, resolve. */
import {
  execute,
  getNamedType,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  validate,
} from "graphql";
import type {
  DocumentNode,
  ExecutionResult,
  FragmentDefinitionNode,
  GraphQLResolveInfo,
  OperationDefinitionNode,
} from "graphql";
import { accessDenied, NotImplemented, toWireError } from "./errors.ts";
import type { WireError } from "./errors.ts";
import { operationCost } from "./cost.ts";
import type { CostInput } from "./cost.ts";
import { adminSchema } from "./schema.ts";
import type { Access } from "./schema.ts";
import type { Bucket, ThrottleStatus } from "./throttle.ts";
import { unpaginated } from "./view.ts";
import type { View } from "./view.ts";

export interface OperationContext {
  scopes: readonly string[];
  /** QueryRoot and Mutation */
  roots: { query: View; mutation: View };
  /** Lists are whole, as in a bulk operation, and nothing is priced. */
  bulk: boolean;
  bucket: Bucket;
  /** of a single query; the platform's where missing */
  maximumCost?: number | undefined;
  /** answered as if other calls had emptied the bucket a moment ago */
  throttled?: boolean;
}

export interface GraphqlResponse {
  data?: Record<string, unknown> | null;
  errors?: WireError[];
  extensions?: {
    cost: { requestedQueryCost: number; actualQueryCost: number | null; throttleStatus: ThrottleStatus };
  };
}

/** A single query or mutation may not cost more, whatever the plan. */
const platformMaximum = 1000;
const listLimit = 250;

/** The platform's schema does not allow the operation. */
class InvalidDocument extends Error {
  readonly findings: readonly GraphQLError[];
  constructor(findings: readonly GraphQLError[]) {
    super("The operation is not valid");
    this.findings = findings;
  }
}

/** The app sends the same few operations again and again; judging one against the whole schema takes long. */
const judged = new Map<string, DocumentNode>();

/** @throws GraphQLError where the text is no operation @throws InvalidDocument */
function validDocument(source: string): DocumentNode {
  const known = judged.get(source);
  if (known !== undefined) return known;
  const document = parse(source);
  const findings = validate(adminSchema().schema, document);
  if (findings.length > 0) throw new InvalidDocument(findings);
  judged.set(source, document);
  return document;
}

export async function executeOperation(
  call: OperationContext,
  source: string,
  variables: Record<string, unknown>,
  operationName: string | null,
): Promise<GraphqlResponse> {
  const { schema } = adminSchema();
  let document: DocumentNode;
  try {
    document = validDocument(source);
  } catch (error) {
    if (error instanceof GraphQLError)
      return { errors: [{ ...toWireError(error), extensions: { code: "PARSE_ERROR" } }] };
    if (error instanceof InvalidDocument) return { errors: error.findings.map(toWireError) };
    throw error;
  }
  const operation = getOperationAST(document, operationName);
  if (operation == null)
    return {
      errors: [
        {
          message:
            operationName === null
              ? "An operation name is required"
              : `No operation named "${operationName}"`,
        },
      ],
    };
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (coerced.errors !== undefined) return { errors: coerced.errors.map(toWireError) };
  const input: CostInput = {
    schema,
    operation,
    fragments: fragmentsOf(document),
    variables: coerced.coerced,
  };

  if (call.bulk) return withoutCost(await resolve(call, document, operation, variables));
  const requested = operationCost(input);
  const cost = (actual: number | null) => ({
    cost: { requestedQueryCost: requested, actualQueryCost: actual, throttleStatus: call.bucket.status() },
  });
  const { maximumCost = platformMaximum } = call;
  if (requested > maximumCost) {
    return {
      errors: [
        {
          message: `Query cost is ${requested}, which exceeds the single query max cost limit (${maximumCost}).\n\nSee https://shopify.dev/concepts/about-apis/rate-limits for more information on how the\ncost of a query is calculated.\n\nTo query larger amounts of data with fewer limits, bulk operations should be used instead.\nSee https://shopify.dev/api/usage/bulk-operations/queries for usage details.\n`,
          extensions: {
            code: "MAX_COST_EXCEEDED",
            cost: requested,
            maxCost: maximumCost,
            documentation: "https://shopify.dev/api/usage/rate-limits",
          },
        },
      ],
    };
  }
  if (call.throttled === true || !call.bucket.take(requested)) {
    return {
      errors: [
        {
          message: "Throttled",
          extensions: { code: "THROTTLED", documentation: "https://shopify.dev/api/usage/rate-limits" },
        },
      ],
      extensions: cost(null),
    };
  }
  const result = await resolve(call, document, operation, variables);
  const actual = Math.min(requested, operationCost(input, result.data ?? null));
  call.bucket.giveBack(requested - actual);
  return { ...withoutCost(result), extensions: cost(actual) };
}

async function resolve(
  call: OperationContext,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Promise<ExecutionResult> {
  return execute({
    schema: adminSchema().schema,
    document,
    operationName: operation.name?.value ?? null,
    variableValues: variables,
    rootValue: operation.operation === OperationTypeNode.MUTATION ? call.roots.mutation : call.roots.query,
    contextValue: call,
    fieldResolver,
    typeResolver: (value) => (isView(value) ? value.__typename : undefined),
  });
}

function fieldResolver(
  source: unknown,
  args: Record<string, unknown>,
  call: OperationContext,
  info: GraphQLResolveInfo,
): unknown {
  const denied = missingAccess(
    call,
    info.parentType.name,
    info.fieldName,
    getNamedType(info.returnType).name,
  );
  if (denied !== null) throw accessDenied(info.fieldName, denied);
  if (!isView(source) || !(info.fieldName in source))
    throw new NotImplemented(`${info.parentType.name}.${info.fieldName}`);
  refuseLongLists(args);
  const value = source[info.fieldName];
  const answer = isResolver(value) ? value(call.bulk ? { ...args, [unpaginated]: true } : args) : value;
  return Array.isArray(answer)
    ? answer.map((each: unknown) => checkAccess(call, info, each))
    : checkAccess(call, info, answer);
}

/** Arguments that are lists hold 250 items at most; what is inside input objects has limits of its own. */
function refuseLongLists(args: Record<string, unknown>): void {
  for (const value of Object.values(args))
    if (Array.isArray(value) && value.length > listLimit)
      throw new GraphQLError(
        `The input array size of ${value.length} is greater than the maximum allowed of ${listLimit}.`,
        { extensions: { code: "MAX_INPUT_SIZE_EXCEEDED" } },
      );
}

/** The interface `Node` needs no scope; the object behind an id does. */
function checkAccess(call: OperationContext, info: GraphQLResolveInfo, answer: unknown): unknown {
  if (!isView(answer)) return answer;
  const denied = missingAccess(call, info.parentType.name, info.fieldName, answer.__typename);
  // An error in a list is the error of its place; alone it is the error of the field.
  return denied === null ? answer : accessDenied(info.fieldName, denied);
}

/** What the token lacks for a field and for the type that it returns; null when it may. */
function missingAccess(
  call: OperationContext,
  parent: string,
  field: string,
  returns: string,
): Access | null {
  const { access } = adminSchema();
  for (const key of [`${parent}.${field}`, nodeType(returns)]) {
    const needed = access.get(key);
    if (needed !== undefined && !needed.scopes.some((scope) => has(call.scopes, scope))) return needed;
  }
  return null;
}

/** A connection or an edge gives access to its nodes: the one of products to products. */
function nodeType(name: string): string {
  return name.replace(/(Connection|Edge)$/, "");
}

/** A scope that writes a resource reads it, too. */
function has(scopes: readonly string[], scope: string): boolean {
  return (
    scopes.includes(scope) || (scope.startsWith("read_") && scopes.includes(scope.replace("read_", "write_")))
  );
}

function isResolver(value: unknown): value is (args: Record<string | symbol, unknown>) => unknown {
  return typeof value === "function";
}

function isView(value: unknown): value is View {
  return typeof value === "object" && value !== null && "__typename" in value;
}

function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  return Object.fromEntries(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((definition) => [definition.name.value, definition]),
  );
}

function withoutCost(result: ExecutionResult): GraphqlResponse {
  return {
    ...(result.data === undefined ? {} : { data: result.data === null ? null : { ...result.data } }),
    ...(result.errors === undefined ? {} : { errors: result.errors.map(toWireError) }),
  };
}
