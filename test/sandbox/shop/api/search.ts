/**
 * Shopify's search syntax: `product_type:Smartphone AND (tag:'a b' OR -status:draft)`, `created_at:>=2026-01-01`.
 * Terms beside each other are joined by AND. A field that is not listed is refused loudly. A term without a field is
 * searched word by word in the item's `default` values, if it has any.
 */
import { NotImplemented } from "./resolver.ts";

/** The values of an item by search field: dates and ids are compared, texts are equal without case. */
export type SearchFields<T> = Record<string, (item: T) => string | readonly string[]>;

type Test<T> = (item: T) => boolean;

const TOKEN =
  /\(|\)|-?[A-Za-z_][\w.]*:(?:>=|<=|>|<)?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s()]+)|"[^"]*"|'[^']*'|[^\s()]+/g;

export function search<T>(items: Iterable<T>, query: unknown, fields: SearchFields<T>): T[] {
  const tokens = typeof query === "string" ? (query.match(TOKEN) ?? []) : [];
  return tokens.length === 0 ? [...items] : [...items].filter(alternatives(tokens, fields));
}

/** Consumes tokens from the front, up to a closing bracket. */
function alternatives<T>(tokens: string[], fields: SearchFields<T>): Test<T> {
  const parts = [conjunction(tokens, fields)];
  while (tokens[0] === "OR") {
    tokens.shift();
    parts.push(conjunction(tokens, fields));
  }
  return (item) => parts.some((part) => part(item));
}

function conjunction<T>(tokens: string[], fields: SearchFields<T>): Test<T> {
  const parts: Test<T>[] = [];
  while (tokens[0] !== undefined && tokens[0] !== "OR" && tokens[0] !== ")")
    if (tokens[0] === "AND") tokens.shift();
    else parts.push(term(tokens, fields));
  return (item) => parts.every((part) => part(item));
}

function term<T>(tokens: string[], fields: SearchFields<T>): Test<T> {
  const token = tokens.shift() ?? "";
  if (token === "(") {
    const inner = alternatives(tokens, fields);
    tokens.shift();
    return inner;
  }
  const isNot = token === "NOT" || token.startsWith("-");
  if (isNot) {
    if (token !== "NOT") tokens.unshift(token.slice(1));
    const inner = term(tokens, fields);
    return (item) => !inner(item);
  }
  if (!token.includes(":") && fields["default"] !== undefined) return defaultTerm(token, fields["default"]);
  const [, field = "", comparator = "", quoted = ""] = /^([\w.]+):(>=|<=|>|<)?([\s\S]*)$/.exec(token) ?? [];
  const valuesOf = fields[field];
  if (valuesOf === undefined) throw new NotImplemented(`the search for ${token}`);
  const wanted = quoted.replace(/^(["'])([\s\S]*)\1$/, "$2").replace(/\\(.)/g, "$1");
  return (item) => [valuesOf(item)].flat().some((value) => matches(value, comparator, wanted));
}

/** A whole word, or the beginning of one before a `*`. Signs that are operators have to be escaped or quoted. */
function defaultTerm<T>(token: string, valuesOf: SearchFields<T>[string]): Test<T> {
  const [, wanted, star] = /^([\p{L}\p{N}]+)(\*?)$/u.exec(token) ?? [];
  if (wanted === undefined) throw new NotImplemented(`the search for ${token}`);
  return (item) =>
    [valuesOf(item)]
      .flat()
      .flatMap((value) => value.match(/[\p{L}\p{N}]+/gu) ?? [])
      .some((word) => matches(word, "", wanted + (star ?? "")));
}

function matches(value: string, comparator: string, wanted: string): boolean {
  const [left, right] = [comparable(value), comparable(wanted)];
  switch (comparator) {
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    default:
      return wanted.endsWith("*")
        ? value.toLowerCase().startsWith(wanted.slice(0, -1).toLowerCase())
        : value.toLowerCase() === wanted.toLowerCase();
  }
}

/** Ids are larger than a double holds. */
function comparable(text: string): bigint | number {
  return /^\d+$/.test(text) ? BigInt(text) : Date.parse(text);
}
