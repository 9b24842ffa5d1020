/** Reads the service's JSON with the resources' schemas; what does not fit is named by its field. */
import type { z } from "zod";
import { listIn, unwrapped } from "./list.ts";

/** The JSON is not what the specification describes. The message quotes no value: values may be personal. */
export class Unexpected extends Error {
  override name = "Unexpected";
  /** e.g. `[3].price_band_min`; null when the answer as a whole is not understood. */
  readonly field: string | null;

  constructor(what: string, field: string | null) {
    super(what);
    this.field = field;
  }
}

/**
 * A reader of a list answer.
 * @param name the resource's own name, in the plural
 * @param single accept one object that is not in a list (the offers query may answer so)
 */
export function list<T extends z.ZodType>(
  schema: T,
  name: string,
  single: "single too" | "lists only" = "lists only",
) {
  return (answer: unknown): z.output<T>[] => {
    const items = listIn(answer, [name]);
    if (items !== null) return items.map((item, index) => parse(schema, item, `[${index}]`));
    if (single === "single too" && isObject(answer)) return [one(schema, [name])(answer)];
    throw new Unexpected(`no list of ${name} in it`, null);
  };
}

/**
 * A reader of an answer that holds one object: bare, wrapped, or in a list of one.
 * @param names the resource's own names, e.g. `["plans", "plan"]`
 */
export function one<T extends z.ZodType>(schema: T, names: string[]) {
  return (answer: unknown): z.output<T> => {
    // Bare first: a resource may have a field of its own that is called like a wrapping.
    const bare = schema.safeParse(answer);
    if (bare.success) return bare.data;
    const value = unwrapped(answer, names);
    if (!Array.isArray(value)) return parse(schema, value, "");
    if (value.length === 1) return parse(schema, value[0], "");
    throw new Unexpected(`${value.length} ${names[0] ?? "items"} where one is expected`, null);
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
  throw new Unexpected(
    `${field === "" ? "the object" : field} ${complaint(valueAt(value, path), issue?.message ?? "")}`,
    field === "" ? null : field,
  );
}

function complaint(value: unknown, message: string): string {
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
