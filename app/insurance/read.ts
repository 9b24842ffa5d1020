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
 * @param names the resource's own names, e.g. `["plans", "plan"]`
 * @param single accept one object that is not in a list (the offers query may answer so)
 */
export function list<T extends z.ZodType>(
  schema: T,
  names: string[],
  single: "single too" | "lists only" = "lists only",
) {
  return (answer: unknown): z.output<T>[] => {
    const value = unwrapped(answer, names);
    const items = listIn(value, names) ?? (single === "single too" && isObject(value) ? [value] : null);
    if (items === null) throw new Unexpected(`no list of ${names[0] ?? "items"} in it`, null);
    return items.map((item, index) => parse(schema, item, `[${index}]`));
  };
}

/** A reader of an answer that holds one object: bare, wrapped, or in a list of one. */
export function one<T extends z.ZodType>(schema: T, names: string[]) {
  return (answer: unknown): z.output<T> => {
    const value = unwrapped(answer, names);
    if (Array.isArray(value) && value.length !== 1) {
      throw new Unexpected(`${value.length} ${names[0] ?? "items"} where one is expected`, null);
    }
    return parse(schema, Array.isArray(value) ? value[0] : value, "");
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
