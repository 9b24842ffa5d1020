/**
 * Keyset pagination: a page begins after (or ends before) a row's sort key. So every page costs the same, and new
 * rows do not shift it. A cursor is a sort key as JSON.
 */
import { z } from "zod";

export type SortKey = readonly [KeyValue, ...KeyValue[]];
export type KeyValue = string | number | Date;

/** The start of a page. */
export interface Keyset<Key extends SortKey> {
  /** the sort key before its first row, excluded; null: the start of the list */
  key: Key | null;
  /** reads the list in reverse, towards its start */
  backwards: boolean;
}

/** Text of a key. PostgreSQL text cannot contain NUL, so a cursor with it is not valid. */
export const keyText = z.string().refine((text) => !text.includes("\0"));
export const keyTime = z.iso.datetime().transform((text) => new Date(text));

/** The key of a list sorted by time and id. */
export const timeKey = z.tuple([keyTime, keyText]);
export type TimeKey = z.infer<typeof timeKey>;

/** The key of a list sorted by a text, such as a day (`YYYY-MM-DD`) or a title, and id. */
export const textKey = z.tuple([keyText, keyText]);
export type TextKey = z.infer<typeof textKey>;

export function encodeCursor(key: SortKey): string {
  return JSON.stringify(key);
}

/** Null if there is no cursor, or an invalid one. */
function decodeCursor<Key>(schema: z.ZodType<Key>, cursor: string | null): Key | null {
  if (cursor === null) return null;
  try {
    return schema.safeParse(JSON.parse(cursor)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The requested page: after a cursor, before a cursor, or (without one) the first. */
export interface PageRequest {
  after: string | null;
  before: string | null;
}

/** The page in a URL (`?after=…` or `?before=…`). */
export function readPageRequest(search: URLSearchParams): PageRequest {
  const after = search.get("after");
  return { after, before: after === null ? search.get("before") : null };
}

/** The requested page; the first one if the cursor is invalid. */
export function readKeyset<Key extends SortKey>(
  schema: z.ZodType<Key>,
  { after, before }: PageRequest,
): Keyset<Key> {
  const key = decodeCursor(schema, after ?? before);
  return { key, backwards: key !== null && after === null };
}

/** Reads a list of any length in batches, so that memory holds only one batch. */
export async function* inBatches<T, Key extends SortKey>(
  size: number,
  read: (keyset: Keyset<Key>, size: number) => Promise<T[]>,
  keyOf: (row: T) => Key,
): AsyncGenerator<T> {
  let key: Key | null = null;
  for (;;) {
    const rows: T[] = await read({ key, backwards: false }, size);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    key = keyOf(last);
  }
}
