/** Parses response bodies with the resources' schemas, and names the field that does not fit. */
import { AppError } from "#app/platform/app-error.ts";
import type { z } from "zod";
import { unwrapList, unwrap } from "./unwrap.ts";

/** The JSON is not what the specification describes. The message quotes no value: values may be personal. */
export class ResponseValidationError extends AppError {
  override name = "Unexpected";
  /** e.g. `[3].price_band_min`; null when the body as a whole is not understood. */
  readonly field: string | null;

  constructor(message: string, field: string | null) {
    super(message);
    this.field = field;
  }
}

export interface ListOptions {
  /** One object outside of a list is a list of one (the offers endpoint may answer so). */
  isSingleAllowed?: boolean;
  maxItems?: number;
}

/**
 * A parser of a body that holds a list.
 * @param name the resource's own name, in the plural
 */
export function listReader<T extends z.ZodType>(
  schema: T,
  name: string,
  { isSingleAllowed = false, maxItems = Infinity }: ListOptions = {},
) {
  const readItem = itemReader(schema);
  return (body: unknown): z.output<T>[] => {
    const items = unwrapList(body, [name]);
    if (items !== null && items.length > maxItems)
      throw new ResponseValidationError(`more than ${maxItems} ${name}`, null);
    if (items !== null) return items.map(readItem);
    if (isSingleAllowed && isObject(body)) return [objectReader(schema, [name])(body)];
    throw new ResponseValidationError(`no list of ${name} in it`, null);
  };
}

/** A parser of one item of a list. */
export function itemReader<T extends z.ZodType>(schema: T) {
  return (item: unknown, index: number): z.output<T> => parse(schema, item, `[${index}]`);
}

/**
 * A parser of a body that holds one object: bare, wrapped, or in a list of one.
 * @param names the resource's own names, e.g. `["plans", "plan"]`
 */
export function objectReader<T extends z.ZodType>(schema: T, names: string[]) {
  return (body: unknown): z.output<T> => {
    // Bare first: a resource may have a field that is called like a wrapper.
    const bare = schema.safeParse(body);
    if (bare.success) return bare.data;
    const value = unwrap(body, names);
    if (!Array.isArray(value)) return parse(schema, value, "");
    if (value.length === 1) return parse(schema, value[0], "");
    throw new ResponseValidationError(`${value.length} ${names[0] ?? "items"} where one is expected`, null);
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function parse<T extends z.ZodType>(schema: T, value: unknown, at: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  const field = path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    at,
  );
  throw new ResponseValidationError(
    `${field === "" ? "the object" : field} ${describeIssue(valueAt(value, path), issue?.message ?? "")}`,
    field === "" ? null : field,
  );
}

function describeIssue(value: unknown, message: string): string {
  if (value === undefined) return "is missing";
  if (value === null) return "is null";
  return `is not readable: ${message}`;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let part = value;
  for (const key of path) {
    if (typeof part !== "object" || part === null) return undefined;
    part = Reflect.get(part, key);
  }
  return part;
}
