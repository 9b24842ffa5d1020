/**
 * What the resolvers answer with: plain objects in the shape of a schema type. A field is a value, or a function of the
 * field's arguments that is called only when a query names it. A field that the object lacks is not implemented.
 */
import { z } from "zod";
import { badRequest } from "./errors.ts";

export interface View {
  __typename: string;
  [field: string]: unknown;
}

const pageArguments = z.object({
  first: z.number().nullish(),
  last: z.number().nullish(),
  after: z.string().nullish(),
  before: z.string().nullish(),
  reverse: z.boolean().nullish(),
});

/** Lists of a bulk operation are whole: no page is requested, and none is given. */
export const unpaginated = Symbol("whole list");

/** How one list becomes a connection. */
export interface ConnectionSource<T> {
  /** sorted; `reverse` is done here */
  items: readonly T[];
  /** unique in the list: what a cursor holds */
  id: (item: T) => string;
  view: (item: T) => View;
}

/**
 * The page of a connection. Refuses what the platform refuses: neither or both of first and last, a page of more than
 * 250, a foreign cursor.
 */
export function connection<T>(
  typename: string,
  { items, id, view }: ConnectionSource<T>,
  args: unknown,
): View {
  const whole = isWhole(args);
  const { first, last, after, before, reverse } = whole ? pageArguments.parse({}) : pageArguments.parse(args);
  if (!whole) {
    if (first == null && last == null) throw badRequest("you must provide one of first or last");
    if (first != null && last != null) throw badRequest("you must provide only one of first or last");
    const size = first ?? last ?? 0;
    if (size < 1 || size > 250)
      throw badRequest(`${first == null ? "last" : "first"} must be between 1 and 250`);
  }
  const sorted = reverse === true ? items.toReversed() : items;
  const position = (cursor: string): number => {
    const wanted = readCursor(cursor);
    const found = sorted.findIndex((item) => id(item) === wanted);
    if (found < 0) throw badRequest(`Invalid cursor for current pagination sort: ${cursor}`);
    return found;
  };
  const from = after == null ? 0 : position(after) + 1;
  const to = before == null ? sorted.length : position(before);
  const start = last == null ? from : Math.max(from, to - last);
  const end = first == null ? to : Math.min(to, from + first);
  const page = sorted.slice(start, end);
  const node = (item: T): View => view(item);
  return {
    __typename: `${typename}Connection`,
    nodes: () => page.map(node),
    edges: () =>
      page.map((item): View => ({
        __typename: `${typename}Edge`,
        cursor: cursorOf(id(item)),
        node: () => node(item),
      })),
    pageInfo: () => {
      const firstItem = page[0];
      const lastItem = page.at(-1);
      return {
        __typename: "PageInfo",
        hasNextPage: end < sorted.length,
        hasPreviousPage: start > 0,
        startCursor: firstItem === undefined ? null : cursorOf(id(firstItem)),
        endCursor: lastItem === undefined ? null : cursorOf(id(lastItem)),
      };
    },
  };
}

function isWhole(args: unknown): boolean {
  return typeof args === "object" && args !== null && unpaginated in args;
}

function cursorOf(id: string): string {
  return Buffer.from(JSON.stringify({ last_id: id })).toString("base64");
}

function readCursor(cursor: string): string | null {
  const text = Buffer.from(cursor, "base64").toString("utf8");
  return /^\{"last_id":"([^"]+)"\}$/.exec(text)?.[1] ?? null;
}
