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

export const otherWork = () => new Promise<void>((resume) => void setImmediate(resume));

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
 * How lists and objects are wrapped is not shown in the specification. The resource's own name comes first, then a usual
 * key, then any key: the list is the only array of objects in the answer, the object the only one that fits.
 */
const GENERIC_KEYS = ["data", "items", "results", "records"];
const MAX_WRAPPERS = 3;
/** Arrays under these keys say something of the answer. */
const NOT_LISTS = /^(?:errors?|violations|warnings|messages|links|included)$/i;

interface RowsOptions {
  name: string;
  single?: string;
}

/** The rows of a list; null where there is no list, or where it is not clear which. A null body is an empty list. */
export function findRows(body: unknown, { name, single }: RowsOptions): unknown[] | null {
  const rows = listIn(body, [name, ...GENERIC_KEYS], single !== undefined, MAX_WRAPPERS);
  if (rows !== null) return rows.map(flattened);
  if (body === null) return [];
  if (single !== undefined) {
    const object = objectIn(body, [name, single, ...GENERIC_KEYS], 2);
    if (object === null) return null;
    return Object.keys(object).length === 0 || isEmptyWrapper(object) ? [] : [flattened(object)];
  }
  return isEmptyWrapper(body) ? [] : null;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** @param mayBeObject an empty list under any other key may be a field of a single object */
function listIn(value: unknown, names: string[], mayBeObject: boolean, depth: number): unknown[] | null {
  if (isList(value)) return value;
  if (depth === 0) return null;
  const entries = new Map(entriesOf(value));
  for (const key of names) {
    const list = entries.has(key) ? listIn(entries.get(key), names, mayBeObject, depth - 1) : null;
    if (list !== null) return list;
  }
  const lists = [...entries]
    .filter(([key]) => !NOT_LISTS.test(key) && !key.startsWith("@"))
    .map(([, each]) => listIn(each, names, mayBeObject, depth - 1))
    .filter((list) => list !== null)
    .filter((list) => list.every((row) => typeof row === "object" && row !== null));
  const [only, second] = lists.filter((list) => list.length > 0);
  if (only !== undefined) return second === undefined ? only : null;
  return mayBeObject ? null : (lists[0] ?? null);
}

function objectIn(value: unknown, names: string[], depth: number): object | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries = new Map(entriesOf(value));
  for (const key of depth === 0 ? [] : names) {
    const object = objectIn(entries.get(key), names, depth - 1);
    if (object !== null) return object;
  }
  return value;
}

/** HAL leaves the list out when it is empty; others write null. */
const isEmptyWrapper = (value: unknown): boolean =>
  entriesOf(value).length > 0 &&
  entriesOf(value).every(
    ([key, each]) =>
      each === null ||
      /^_?(?:page|links|meta|total.*)$/i.test(key) ||
      (key === "data" && isEmptyWrapper(each)),
  );

/** A row of JSON:API has its fields under `attributes`. */
function flattened(row: unknown): unknown {
  const entries = new Map(entriesOf(row));
  const attributes = entries.get("attributes");
  return entriesOf(attributes).length === 0
    ? row
    : { id: entries.get("id"), ...Object.fromEntries(entriesOf(attributes)) };
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
    const value = unwrap(body, [...names, ...GENERIC_KEYS], MAX_WRAPPERS);
    if (Array.isArray(value))
      return refuse(`${value.length} ${names[0] ?? "items"} where one is expected`, null);
    const named = schema.safeParse(value);
    if (named.success) return named.data;
    const fitting = objectsIn(body, MAX_WRAPPERS)
      .map((object) => schema.safeParse(object))
      .filter(({ success }) => success);
    const [only, second] = fitting;
    if (only?.success === true && second === undefined) return only.data;
    const { reason, field } = explainIssue(named.error, value, "");
    return refuse(reason, field);
  };
}

/** The payload under its own name or a usual key, out of a list of one, or the body itself. */
function unwrap(body: unknown, names: string[], depth: number): unknown {
  if (Array.isArray(body)) return body.length === 1 ? unwrap(body[0], names, depth) : body;
  if (depth === 0) return flattened(body);
  const entries = new Map(entriesOf(body));
  for (const key of names) {
    const value = entries.get(key);
    if (typeof value === "object") return unwrap(value, names, depth - 1);
  }
  return flattened(body);
}

/** Every object in the body, with those in lists of one. */
export function objectsIn(value: unknown, depth: number): unknown[] {
  if (depth < 0) return [];
  if (Array.isArray(value)) return value.length === 1 ? objectsIn(value[0], depth) : [];
  const entries = entriesOf(value);
  if (entries.length === 0) return [];
  return [flattened(value), ...entries.flatMap(([, each]) => objectsIn(each, depth - 1))];
}

/** Why an object cannot be read, and the field at fault. It quotes no value: values may be personal. */
export function explainIssue(
  { issues }: z.ZodError,
  value: unknown,
  at: string,
): { reason: string; field: string | null } {
  const [issue] = issues;
  const path = issue?.path ?? [];
  const field = path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    at,
  );
  const words = describeIssue(valueAt(value, path), issue?.message ?? "");
  return { reason: `${field === "" ? "the object" : field} ${words}`, field: field === "" ? null : field };
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
