/** Refusals of the Admin API, in the platform's words and shapes. All travel with HTTP 200, in `errors`. */
import { GraphQLError } from "graphql";
import type { Access } from "./schema.ts";

/** The field exists in the schema, but the stand-in does not know what the platform would answer. */
export class NotImplemented extends GraphQLError {
  constructor(what: string) {
    super(`${what} is not implemented in the stand-in (test/sandbox/shop/admin/api)`, {
      extensions: { code: "NOT_IMPLEMENTED_IN_STAND_IN" },
    });
  }
}

export function accessDenied(fieldName: string, access: Access): GraphQLError {
  return new GraphQLError(`Access denied for ${fieldName} field. Required access: ${access.text}`, {
    extensions: {
      code: "ACCESS_DENIED",
      documentation: "https://shopify.dev/api/usage/access-scopes",
      requiredAccess: access.text,
    },
  });
}

/** The app was not approved for this part of the customers' data. */
export function dataProtected(what: string): GraphQLError {
  return new GraphQLError(
    `This app is not approved to ${what}. See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.`,
    { extensions: { code: "ACCESS_DENIED", documentation: "https://shopify.dev/api/usage/access-scopes" } },
  );
}

export function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
}

/** An id that is no GID of the requested type. */
export function invalidId(id: string): GraphQLError {
  return new GraphQLError(`Invalid global id '${id}'`, {
    extensions: { code: "argumentLiteralsIncompatible", typeName: "CoercionError" },
  });
}

export interface WireError {
  message: string;
  locations?: readonly { line: number; column: number }[];
  path?: readonly (string | number)[];
  extensions?: Record<string, unknown>;
}

/** graphql-js says the same things in other words: the platform's wording and codes for what people run into. */
const translations: {
  pattern: RegExp;
  to: (match: string[]) => { message: string; extensions: Record<string, unknown> };
}[] = [
  {
    pattern: /^Cannot query field "(\w+)" on type "(\w+)"/,
    to: ([, field = "", type = ""]) => ({
      message: `Field '${field}' doesn't exist on type '${type}'`,
      extensions: { code: "undefinedField", typeName: type, fieldName: field },
    }),
  },
  {
    pattern: /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"/,
    to: ([, argument = "", , field = ""]) => ({
      message: `Field '${field}' doesn't accept argument '${argument}'`,
      extensions: { code: "argumentNotAccepted", name: field, typeName: "Field", argumentName: argument },
    }),
  },
  {
    pattern: /^Field "(\w+)" argument "(\w+)" of type "[^"]+" is required/,
    to: ([, field = "", argument = ""]) => ({
      message: `Field '${field}' is missing required arguments: ${argument}`,
      extensions: { code: "missingRequiredArguments", className: "Field", name: field, arguments: argument },
    }),
  },
  {
    pattern:
      /^Variable "\$(\w+)" (?:of (?:non-null )?(?:required )?type "([^"]+)" (?:was not provided|must not be null)|got invalid value ([\s\S]*))/,
    to: ([message = "", name = "", , value]) => {
      const detail = value === undefined ? "Expected value to not be null" : value;
      const field = /at "[^".]+\.([^"]+)"/.exec(detail)?.[1];
      return {
        message: `Variable $${name} was provided invalid value${field === undefined ? "" : ` for ${field}`} (${detail})`,
        extensions: {
          code: "INVALID_VARIABLE",
          problems: [{ path: field?.split(".") ?? [], explanation: message }],
        },
      };
    },
  },
  {
    pattern: /^Variable "\$(\w+)" of type "([^"]+)" used in position expecting type "([^"]+)"/,
    to: ([, name = "", actual = "", expected = ""]) => ({
      message: `Type mismatch on variable $${name} and argument (${actual} / ${expected})`,
      extensions: { code: "variableMismatch", variableName: name, typeName: actual },
    }),
  },
];

export function toWireError(error: GraphQLError): WireError {
  const { message, locations, path, extensions } = error.toJSON();
  for (const { pattern, to } of translations) {
    const match = pattern.exec(message);
    if (match !== null && Object.keys(extensions ?? {}).length === 0)
      return { ...to([...match]), locations, path };
  }
  return {
    message,
    locations,
    path,
    extensions: Object.keys(extensions ?? {}).length === 0 ? { code: "GRAPHQL_ERROR" } : extensions,
  };
}
