/** Reads response bodies: parses the JSON, finds the payload in it, and names the field that does not fit. */
import { parseChunked } from "@discoveryjs/json-ext";
import type { z } from "zod";
import { isDeepJson, jsonDepthCheck } from "#app/platform/deep-json.ts";
import { storableJson } from "#app/platform/storable-text.ts";

/** Ends the reading: the JSON is not what the specification describes. It quotes no value: values may be personal. */
export type Refuse = (reason: string, field: string | null) => never;
export type ReceivedHeaders = Record<string, string | string[] | undefined>;
export type Read<T> = (body: unknown, refuse: Refuse, headers: ReceivedHeaders) => T | Promise<T>;

export const megabytes = (count: number) => count * 1024 * 1024;

/** Larger JSON is parsed in slices, and other work runs in between. */
const MAX_BYTES_AT_ONCE = 256 * 1024;
const SLICE_BYTES = 64 * 1024;
/** Items that are read at once, some milliseconds. */
const SLICE_ITEMS = 200;

const otherWork = () => new Promise<void>((resume) => void setImmediate(resume));

/** A string, or an integer that no double holds: it is an identifier, and is kept as text. */
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]+|\\.)*"?|(?<![\d.eE+])-?\d{16,}(?![\d.eE])/gs;

/**
 * @param exactDecimals keep numbers written with a decimal point as text; for small JSON only
 * @param charset of the Content-Type header; UTF-8 if it names none, or one that does not exist
 * @throws SyntaxError, also for lists in lists without end: they would take a hundred times their memory
 */
export async function parseJson(
  bytes: Uint8Array,
  exactDecimals: boolean,
  charset?: string,
): Promise<unknown> {
  const decoder = decoderOf(charset);
  if (bytes.length > MAX_BYTES_AT_ONCE) return parseChunked(readableSlices(bytes, decoder));
  const text = decoder.decode(bytes);
  if (isDeepJson(text)) throw new SyntaxError("Failed to parse JSON: nested too deeply");
  const json = storableJson(text).replace(STRING_OR_LONG_INTEGER, quoted);
  if (!exactDecimals) return JSON.parse(json);
  try {
    return JSON.parse(json, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === "number" && /^-?\d+\.\d+$/.test(context?.source ?? "") ? context?.source : value,
    );
  } catch (error) {
    // A shorter text's lists in lists may still be too deep for a reviver.
    if (!(error instanceof RangeError)) throw error;
    throw new SyntaxError("Failed to parse JSON: nested too deeply", { cause: error });
  }
}

const quoted = (match: string) =>
  match.startsWith('"') || Number.isSafeInteger(Number(match)) ? match : `"${match}"`;

function decoderOf(charset = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder();
  }
}

async function* readableSlices(bytes: Uint8Array, decoder: TextDecoder): AsyncGenerator<string> {
  const isTooDeep = jsonDepthCheck();
  let isInString = false;
  // A slice may end in a string, which the next one closes.
  const withQuotedIntegers = (text: string) => {
    const prefix = isInString ? '"' : "";
    return (prefix + text)
      .replace(STRING_OR_LONG_INTEGER, (match) => {
        isInString = match.startsWith('"') && !/^"(?:[^"\\]+|\\.)*"$/s.test(match);
        return quoted(match);
      })
      .slice(prefix.length);
  };
  let unfinished = "";
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const slice = decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true });
    if (isTooDeep(slice)) throw new SyntaxError("Failed to parse JSON: nested too deeply");
    // Neither an escape nor a number goes on after a closing brace.
    const end = slice.lastIndexOf("}") + 1;
    if (end > 0) yield withQuotedIntegers(storableJson(unfinished + slice.slice(0, end)));
    unfinished = end > 0 ? slice.slice(end) : unfinished + slice;
    await otherWork();
  }
  yield withQuotedIntegers(storableJson(unfinished + decoder.decode()));
}

/**
 * How lists and created objects are wrapped is not shown in the specification, so every usual form is read: bare, under
 * the resource's own name, under one of these keys, or one inside the other (`{"data": {"offers": […]}}`).
 */
const GENERIC_KEYS = ["data", "items", "results", "records"];

/**
 * The payload, or the body itself when nothing is wrapped in it.
 * @param names the resource's own names, e.g. `["plans", "plan"]`; the first key present holds the payload
 */
function unwrap(body: unknown, names: string[], depth = 2): unknown {
  if (depth === 0 || typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const entries = new Map<string, unknown>(Object.entries(body));
  for (const key of [...names, ...GENERIC_KEYS]) {
    const value = entries.get(key);
    if (typeof value === "object") return unwrap(value, names, depth - 1);
  }
  return body;
}

interface ListOptions {
  /** The resource's name in the singular: one object outside of a list is a list of one, an empty object an empty list. */
  single?: string;
  maxItems?: number;
  /** The caller reads page after page. Any other list must be whole. */
  isPaged?: boolean;
}

const TOTALS = ["total", "total_count", "count"];
const PAGES = ["total_pages", "page_count", "pages", "last_page"];
const FURTHER = ["next", "next_page", "has_more"];

/**
 * Whether what wraps a list says that the list is longer: beside it, one level up, or in an object beside it. What is
 * missing in such a list may exist all the same, and would be created again.
 */
function hasFurtherPages(wrapper: unknown, length: number, depth = 3): boolean {
  if (depth === 0 || typeof wrapper !== "object" || wrapper === null || Array.isArray(wrapper)) return false;
  return Object.entries(wrapper).some(
    ([key, value]: [string, unknown]) =>
      (TOTALS.includes(key) && Number(value) > length) ||
      (PAGES.includes(key) && Number(value) > 1) ||
      (FURTHER.includes(key) && Boolean(value)) ||
      hasFurtherPages(value, length, depth - 1),
  );
}

/**
 * Reads a body that holds a list; null is an empty one.
 * @param name the resource's own name, in the plural
 */
export function readList<T extends z.ZodType>(
  schema: T,
  name: string,
  { single, maxItems = Infinity, isPaged = false }: ListOptions = {},
): Read<z.output<T>[]> {
  return async (body, refuse, headers) => {
    const names = single === undefined ? [name] : [name, single];
    const items = unwrap(body, names);
    if (items === null) return [];
    if (!Array.isArray(items)) {
      if (single !== undefined && typeof items === "object")
        return Object.keys(items).length === 0
          ? []
          : [await readObject(schema, names)(body, refuse, headers)];
      return refuse(`no list of ${name} in it`, null);
    }
    if (!isPaged && hasFurtherPages(body, items.length)) return refuse(`one page of several ${name}`, null);
    if (items.length > maxItems) return refuse(`more than ${maxItems} ${name}`, null);
    const result: z.output<T>[] = [];
    for (const [index, item] of items.entries()) {
      if (index > 0 && index % SLICE_ITEMS === 0) await otherWork();
      result.push(parse(schema, item, `[${index}]`, refuse));
    }
    return result;
  };
}

/**
 * Reads a body that holds one object: bare, wrapped, or in a list of one.
 * @param names the resource's own names, e.g. `["plans", "plan"]`
 */
export function readObject<T extends z.ZodType>(schema: T, names: string[]): Read<z.output<T>> {
  return (body, refuse) => {
    // Bare first: a resource may have a field that is called like a wrapper.
    const bare = schema.safeParse(body);
    if (bare.success) return bare.data;
    const value = unwrap(body, names);
    if (!Array.isArray(value)) return parse(schema, value, "", refuse);
    if (value.length === 1) return parse(schema, value[0], "", refuse);
    return refuse(`${value.length} ${names[0] ?? "items"} where one is expected`, null);
  };
}

function parse<T extends z.ZodType>(schema: T, value: unknown, at: string, refuse: Refuse): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  const field = path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    at,
  );
  return refuse(
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
