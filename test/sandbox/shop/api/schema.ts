/** The published Admin API schema and the access scopes its fields need, of test/sandbox/schemas. Built once per process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildClientSchema, GraphQLError, isScalarType, valueFromASTUntyped } from "graphql";
import type { GraphQLSchema, IntrospectionQuery } from "graphql";

export const apiVersion = "2026-10";

const schemas = join(import.meta.dirname, "../../schemas");

export interface Access {
  scopes: string[];
  /** Shopify's sentence: "`read_orders` access scope or …" */
  text: string;
}

interface AdminSchema {
  schema: GraphQLSchema;
  /** Keyed by `Type` and `Type.field`; a missing key needs no scope. */
  access: ReadonlyMap<string, Access>;
}

interface Published {
  data: IntrospectionQuery;
}

interface AdminPublished extends Published {
  offline_scopes: {
    items: { typeName: string; fieldName?: string; requiredAccess: string; offlineScopes: string[] }[];
  };
}

let built: AdminSchema | undefined;

export function adminSchema(): AdminSchema {
  built ??= build();
  return built;
}

function build(): AdminSchema {
  const published = readPublished(`admin_${apiVersion}`) as AdminPublished;
  const access = new Map<string, Access>();
  for (const item of published.offline_scopes.items) {
    if (item.offlineScopes.length === 0) continue;
    const key = item.fieldName === undefined ? item.typeName : `${item.typeName}.${item.fieldName}`;
    access.set(key, { scopes: [...new Set(item.offlineScopes)], text: item.requiredAccess });
  }
  const schema = buildClientSchema(published.data, { assumeValid: true });
  readDecimals(schema);
  return { schema, access };
}

/** @param name of a published schema, such as `customer_2026-07` */
export function readPublished(name: string): Published {
  const file = join(schemas, `${name}.json.gz`);
  // A file of this repository, not input: its shape is the introspection query's.
  return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as Published;
}

/** An introspected schema does not define valid scalar values. Shopify refuses money that is no number. */
function readDecimals(schema: GraphQLSchema): void {
  for (const name of ["Decimal", "Money"]) {
    const scalar = schema.getType(name);
    if (!isScalarType(scalar)) continue;
    const read = (value: unknown): string => {
      const text = typeof value === "number" ? String(value) : value;
      if (typeof text !== "string" || !/^-?\d+(\.\d+)?$/.test(text))
        throw new GraphQLError(`Could not coerce value ${JSON.stringify(value)} to ${name}`);
      return text;
    };
    scalar.parseValue = read;
    scalar.parseLiteral = (node, variables) => read(valueFromASTUntyped(node, variables));
  }
}
