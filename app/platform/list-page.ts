/**
 * Pages of a list by cursor: a cursor is the last (or first) row's sort key, so that a page costs the same wherever it
 * is, and rows that come meanwhile move nothing.
 */

export interface ListPage<T> {
  items: T[];
  /** cursors of the pages beside this one; null where there is none */
  previous: string | null;
  next: string | null;
}

/** Which page is asked for: after one cursor, before another, or (neither) the first. */
export interface PageRequest {
  after: string | null;
  before: string | null;
}

/** The page that an address asks for (`?after=…` or `?before=…`). */
export function readPageRequest(search: URLSearchParams): PageRequest {
  const after = search.get("after");
  return { after, before: after === null ? search.get("before") : null };
}

/**
 * Makes the page of what a query found. Ask the query for `size + 1` rows from the cursor on, cursor excluded; for
 * `before`, in reverse order.
 */
export function toListPage<T>(
  found: T[],
  size: number,
  request: PageRequest,
  cursorOf: (row: T) => string,
): ListPage<T> {
  const backwards = request.before !== null;
  const more = found.length > size;
  const items = found.slice(0, size);
  if (backwards) items.reverse();
  const first = items.at(0);
  const last = items.at(-1);
  const hasPrevious = backwards ? more : request.after !== null;
  const hasNext = backwards || more;
  return {
    items,
    previous: hasPrevious && first !== undefined ? cursorOf(first) : null,
    next: hasNext && last !== undefined ? cursorOf(last) : null,
  };
}
