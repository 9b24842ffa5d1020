/** Shared by the resolvers of the Admin API: their type, their context, and their refusals. */
import { GraphQLError } from "graphql";
import type { GraphQLFormattedError } from "graphql";
import { parseGid } from "../ids.ts";
import { decimalAmount } from "../money.ts";
import type { ShopSandbox } from "../sandbox.ts";
import type { ThrottleStatus } from "./limits.ts";

export interface GraphqlResponse {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[];
  extensions?: {
    cost: { requestedQueryCost: number; actualQueryCost: number | null; throttleStatus: ThrottleStatus };
  };
}

/** One request of the app to one shop. */
export interface Call {
  shop: ShopSandbox;
  scopes: readonly string[];
  /** Lists are whole, as in a bulk operation. */
  isBulk: boolean;
  /** Runs a document of a bulk operation. */
  runInBulk(source: string, variables: Record<string, unknown>): Promise<GraphqlResponse>;
}

/**
 * The schema has validated the arguments and the parent's resolver has chosen the source, so each resolver declares the
 * types of both. TypeScript lets a method narrow its parameters here.
 */
export type Resolver = {
  resolve(
    source: unknown,
    args: Record<string, unknown>,
    call: Call,
    typename: string,
    /** of the field's directive `@idempotent` */
    idempotencyKey: string | null,
  ): unknown;
}["resolve"];
/** By type and field. An interface's resolvers hold for its types. */
export type Resolvers = Record<string, Record<string, Resolver>>;

/** The field exists in the schema, but the stand-in does not know Shopify's answer. */
export class NotImplemented extends GraphQLError {
  constructor(what: string) {
    super(`${what} is not implemented in the stand-in (test/sandbox/shop/api)`, {
      extensions: { code: "NOT_IMPLEMENTED_IN_STAND_IN" },
    });
  }
}

/** Refuses an input that the schema allows and the stand-in would ignore. */
export function requireKnown(what: string, input: object, fields: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    // The schema adds these two as defaults.
    const isDefault = value === false || (Array.isArray(value) && value.length === 0);
    if (value != null && !isDefault && !fields.includes(name)) throw new NotImplemented(`${what}.${name}`);
  }
}

/** A mutation's user error, with the path in its arguments. */
export interface UserError {
  code: string;
  field: string[];
  message: string;
}

export const userError = (code: string, field: string[], message: string): UserError => ({
  code,
  field,
  message,
});

/** The numeric part of a GID; refuses one of another type. */
export function requireId(type: string, id: string): string {
  const parsed = parseGid(id);
  if (parsed?.type !== type)
    throw new GraphQLError(`Invalid global id '${id}'`, {
      extensions: { code: "argumentLiteralsIncompatible", typeName: "CoercionError" },
    });
  return parsed.id;
}

/** An object whose field is an interface or a union. */
export function typed(typename: string, item: object | undefined): object | null {
  return item === undefined ? null : { ...item, __typename: typename };
}

export function moneyV2(minor: number, currency: string) {
  return { amount: decimalAmount(minor, currency), currencyCode: currency };
}
