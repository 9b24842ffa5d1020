/**
 * An introspected schema knows the names of its scalars, not what they accept. The platform refuses a `Money` that is no
 * number; so does this.
 */
import { GraphQLError, isScalarType, valueFromASTUntyped } from "graphql";
import type { GraphQLSchema } from "graphql";

type Accepts = (value: unknown) => boolean;
const numeric: Accepts = (value) =>
  (typeof value === "number" && Number.isFinite(value)) ||
  (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
const text: Accepts = (value) => typeof value === "string";

const rules: Record<string, Accepts> = {
  Decimal: numeric,
  Money: numeric,
  UnsignedInt64: (value) =>
    (typeof value === "number" && Number.isInteger(value) && value >= 0) ||
    (typeof value === "string" && /^\d+$/.test(value)),
  DateTime: (value) =>
    typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value)),
  Date: (value) =>
    typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  URL: (value) => typeof value === "string" && (URL.canParse(value) || value.startsWith("/")),
  HTML: text,
  FormattedString: text,
  Color: (value) => typeof value === "string" && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value),
  ARN: text,
  UtcOffset: text,
  StorefrontID: text,
};

export function rejectInvalidScalars(schema: GraphQLSchema): void {
  for (const [name, accepts] of Object.entries(rules)) {
    const scalar = schema.getType(name);
    if (!isScalarType(scalar)) continue;
    const check = (value: unknown): unknown => {
      if (!accepts(value))
        throw new GraphQLError(`Could not coerce value ${JSON.stringify(value)} to ${name}`);
      return value;
    };
    scalar.parseValue = check;
    scalar.parseLiteral = (node, variables) => check(valueFromASTUntyped(node, variables));
  }
}
