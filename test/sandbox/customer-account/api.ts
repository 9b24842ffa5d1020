/**
 * Shopify's Customer Account API, as far as extensions use it: the published schema, one customer's own orders, and the
 * app's declared scopes for this API.
 */
import { buildClientSchema, execute, GraphQLError, parse, validate } from "graphql";
import type { GraphQLSchema } from "graphql";
import { readPublished } from "#test/sandbox/shop/api/schema.ts";
import { readAppConfiguration } from "#test/sandbox/shop/app-configuration.ts";

let built: GraphQLSchema | undefined;

export interface CustomerOrder {
  id: string;
  name: string;
  processedAt: string;
  /** the value of the app's metafield `cover`; null: none */
  cover: string | null;
}

/** Shopify's limit of orders on one page. */
const MOST = 250;

export interface ApiAnswer {
  status: number;
  body: unknown;
}

const { scopes } = readAppConfiguration();

function requireScope(field: string, scope: string): void {
  if (scopes.includes(scope)) return;
  throw new GraphQLError(`Access denied for ${field} field. Required access: \`${scope}\` access scope.`, {
    extensions: { code: "ACCESS_DENIED" },
  });
}

/** @param orders the signed-in customer's, newest first */
export async function customerAccountApi(
  orders: readonly CustomerOrder[],
  request: { query: string; variables?: Record<string, unknown> },
): Promise<ApiAnswer> {
  const schema = (built ??= buildClientSchema(readPublished("customer_2026-07").data));
  const document = parse(request.query);
  const errors = validate(schema, document);
  if (errors.length > 0) return { status: 200, body: { errors } };
  const view = ({ cover, ...order }: CustomerOrder) => ({
    ...order,
    metafield: ({ namespace, key }: { namespace: string; key: string }) =>
      cover !== null && namespace === "$app" && key === "cover" ? { value: cover } : null,
  });
  const pageOfOrders = ({ first, after }: { first: number; after?: string | null }) => {
    requireScope("orders", "customer_read_orders");
    const start = after == null ? 0 : Number(after);
    const end = start + Math.min(first, MOST);
    return {
      nodes: orders.slice(start, end).map(view),
      pageInfo: { hasNextPage: end < orders.length, endCursor: String(end) },
    };
  };
  const rootValue = {
    order: ({ id }: { id: string }) => {
      requireScope("order", "customer_read_orders");
      return orders.filter((order) => order.id === id).map(view)[0] ?? null;
    },
    customer: () => {
      requireScope("customer", "customer_read_customers");
      return { orders: pageOfOrders };
    },
  };
  const result = await execute({ schema, document, rootValue, variableValues: request.variables });
  return { status: 200, body: result };
}
