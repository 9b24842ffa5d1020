/**
 * Generates the types of the Admin API's operations: every `#graphql` text of the app, checked against the published
 * schema in test/sandbox/schemas. `npm run prepare` writes them to app/shopify/types without network requests.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { ApiType, pluckConfig, preset } from "@shopify/api-codegen-preset";
import { type IntrospectionQuery, buildClientSchema, printSchema } from "graphql";

const published = JSON.parse(
  gunzipSync(readFileSync("test/sandbox/schemas/admin_2026-10.json.gz")).toString(),
) as { data: IntrospectionQuery };

export default {
  schema: printSchema(buildClientSchema(published.data)),
  documents: ["app/**/*.ts"],
  pluckConfig,
  config: {
    enumsAsTypes: true,
    // Shopify returns null and never omits a field.
    avoidOptionals: { field: true },
    scalars: { DateTime: "string", Decimal: "string", Money: "string", URL: "string", HTML: "string" },
    defaultScalarType: "unknown",
  },
  generates: {
    "app/shopify/types/admin.types.d.ts": { plugins: ["typescript"] },
    "app/shopify/types/admin.generated.d.ts": {
      preset,
      presetConfig: { apiType: ApiType.Admin, module: "#app/shopify/operations.ts" },
    },
  },
};
