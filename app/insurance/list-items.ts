/**
 * The items of a list in JSON, one by one: parsing tens of megabytes at once may take many times their memory, and
 * a thread that has used up its memory within JSON.parse takes the whole process with it.
 */
import {
  BACKSLASH,
  COLON,
  COMMA,
  LIST,
  LIST_END,
  OBJECT,
  OBJECT_END,
  QUOTE,
} from "#app/platform/json-characters.ts";
import { wrapperKeys } from "./unwrap.ts";

/**
 * What is between two items is checked here, the items by whoever parses them.
 * @param names the list's own names where it is wrapped, see `unwrap`
 * @returns null where there is no list
 * @throws SyntaxError, also while the items are read
 */
export function listItems(json: Uint8Array, names: string[]): Iterable<Uint8Array> | null {
  const start = afterSpace(json, hasByteOrderMark(json) ? 3 : 0);
  if (json[start] !== LIST && json[start] !== OBJECT) return null;
  if (afterSpace(json, endOfValue(json, start)) < json.length) throw new SyntaxError("More than one value");
  const list = findList(json, start, names, 2);
  return list === null ? null : itemsAt(json, list);
}

function* itemsAt(json: Uint8Array, list: number): Generator<Uint8Array> {
  for (const { from, to } of partsOf(json, list)) yield json.subarray(from, to);
}

/** Where the list begins that `unwrap` would find. */
function findList(json: Uint8Array, at: number, names: string[], depth: number): number | null {
  if (json[at] === LIST) return at;
  if (json[at] !== OBJECT || depth === 0) return null;
  const keys = wrapperKeys(names);
  const values = new Map<string, number>();
  for (const { key, from } of partsOf(json, at)) {
    if (json[from] === LIST || json[from] === OBJECT) values.set(key, from);
  }
  const value = keys.map((key) => values.get(`"${key}"`)).find((from) => from !== undefined);
  return value === undefined ? null : findList(json, value, names, depth - 1);
}

/** Longer names of fields are none that is looked for. */
const MAX_KEY_LENGTH = 40;

/** The items of a list, or the fields of an object with their names in quotation marks. */
function* partsOf(json: Uint8Array, start: number): Generator<{ key: string; from: number; to: number }> {
  const isList = json[start] === LIST;
  const end = isList ? LIST_END : OBJECT_END;
  let at = afterSpace(json, start + 1);
  if (json[at] === end) return;
  for (;;) {
    let key = "";
    if (!isList) {
      if (json[at] !== QUOTE) throw new SyntaxError("A field without a name");
      const keyEnd = endOfText(json, at);
      if (keyEnd - at <= MAX_KEY_LENGTH) key = String.fromCharCode(...json.subarray(at, keyEnd));
      at = afterSpace(json, keyEnd);
      if (json[at] !== COLON) throw new SyntaxError("A field without a value");
      at = afterSpace(json, at + 1);
    }
    const to = endOfValue(json, at);
    yield { key, from: at, to };
    at = afterSpace(json, to);
    if (json[at] === end) return;
    if (json[at] !== COMMA) throw new SyntaxError("Nothing between two values");
    at = afterSpace(json, at + 1);
  }
}

/** Where the value that begins here is over; one that is neither text, list nor object goes up to what comes next. */
function endOfValue(json: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfText(json, at) - 1;
      if (depth === 0) return at + 1;
    } else if (byte === LIST || byte === OBJECT) depth += 1;
    else if (byte === LIST_END || byte === OBJECT_END) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  throw new SyntaxError("Cut short");
}

function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === BACKSLASH) at += 1;
    else if (json[at] === QUOTE) return at + 1;
  }
  throw new SyntaxError("Cut short");
}

function afterSpace(json: Uint8Array, start: number): number {
  let at = start;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at += 1;
  return at;
}

function hasByteOrderMark(json: Uint8Array): boolean {
  return json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf;
}
