/**
 * The platform's search syntax: `product_type:Smartphone AND (tag:'a b' OR -status:draft)`, `created_at:>=2026-01-01`.
 * Terms beside each other are joined by AND. A field that is not listed is refused loudly.
 */
import { NotImplemented } from "./errors.ts";

/** How the fields of one kind of object are searched: the values of an item; text is compared without case. */
export type SearchFields<T> = Record<string, (item: T) => readonly SearchValue[]>;
export type SearchValue = { text: string } | { id: string } | { date: string } | { number: number };

type Expression =
  | { kind: "and" | "or"; parts: Expression[] }
  | { kind: "not"; part: Expression }
  | { kind: "term"; field: string; comparator: string; value: string };

/** `default` are the fields that a term without a field searches. */
export function search<T>(
  query: string | null | undefined,
  fields: SearchFields<T>,
  defaults: readonly string[],
): (item: T) => boolean {
  const tokens = tokenize(query ?? "");
  if (tokens.length === 0) return () => true;
  const expression = new Parser(tokens).parse();
  check(expression, fields);
  return (item) => holds(expression, item, fields, defaults);
}

function tokenize(query: string): string[] {
  return (
    query.match(
      /\(|\)|-?[A-Za-z_][\w.]*:(?:>=|<=|>|<)?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s()]+)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s()]+/g,
    ) ?? []
  );
}

class Parser {
  readonly #tokens: string[];
  #at = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const parts = [this.#conjunction()];
    while (this.#tokens[this.#at] === "OR") {
      this.#at += 1;
      parts.push(this.#conjunction());
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "or", parts };
  }

  #conjunction(): Expression {
    const parts: Expression[] = [];
    for (
      let token = this.#tokens[this.#at];
      token !== undefined && token !== "OR" && token !== ")";
      token = this.#tokens[this.#at]
    ) {
      if (token === "AND") this.#at += 1;
      else parts.push(this.#term());
    }
    return { kind: "and", parts };
  }

  #term(): Expression {
    const token = this.#tokens[this.#at] ?? "";
    this.#at += 1;
    if (token === "NOT") return { kind: "not", part: this.#term() };
    if (token === "(") {
      const inner = this.parse();
      this.#at += 1;
      return inner;
    }
    if (token.startsWith("-") && token.length > 1) return { kind: "not", part: term(token.slice(1)) };
    return term(token);
  }
}

function term(token: string): Expression {
  const match = /^([A-Za-z_][\w.]*):(>=|<=|>|<)?([\s\S]*)$/.exec(token);
  const [, field = "", comparator = "", value = token] = match ?? [];
  return {
    kind: "term",
    field,
    comparator,
    value: value.replace(/^(["'])([\s\S]*)\1$/, "$2").replace(/\\(.)/g, "$1"),
  };
}

function check<T>(expression: Expression, fields: SearchFields<T>): void {
  if (expression.kind === "not") check(expression.part, fields);
  else if (expression.kind !== "term") for (const part of expression.parts) check(part, fields);
  else if (expression.field !== "" && !(expression.field in fields))
    throw new NotImplemented(`the search field ${expression.field}`);
}

function holds<T>(
  expression: Expression,
  item: T,
  fields: SearchFields<T>,
  defaults: readonly string[],
): boolean {
  switch (expression.kind) {
    case "and":
      return expression.parts.every((part) => holds(part, item, fields, defaults));
    case "or":
      return expression.parts.some((part) => holds(part, item, fields, defaults));
    case "not":
      return !holds(expression.part, item, fields, defaults);
    case "term": {
      const names = expression.field === "" ? defaults : [expression.field];
      const values = names.flatMap((name) => fields[name]?.(item) ?? []);
      // `field:*` matches where there is a value.
      if (expression.value === "*") return values.length > 0;
      return values.some((value) =>
        matches(value, expression.comparator, expression.value, expression.field === ""),
      );
    }
  }
}

function matches(value: SearchValue, comparator: string, wanted: string, anywhere: boolean): boolean {
  if ("id" in value) return /^\d+$/.test(wanted) && compared(BigInt(value.id), BigInt(wanted), comparator);
  if ("date" in value) return compared(Date.parse(value.date), instant(wanted), comparator);
  if ("number" in value) return compared(value.number, Number(wanted), comparator);
  const text = value.text.toLowerCase();
  const needle = wanted.toLowerCase();
  if (needle.endsWith("*"))
    return anywhere
      ? text.split(/\s+/).some((word) => word.startsWith(needle.slice(0, -1)))
      : text.startsWith(needle.slice(0, -1));
  return anywhere ? text.includes(needle) : text === needle;
}

function compared<V extends bigint | number>(value: V, wanted: V, comparator: string): boolean {
  switch (comparator) {
    case ">":
      return value > wanted;
    case ">=":
      return value >= wanted;
    case "<":
      return value < wanted;
    case "<=":
      return value <= wanted;
    default:
      return value === wanted;
  }
}

function instant(text: string): number {
  return text === "now" ? Date.now() : Date.parse(text);
}
