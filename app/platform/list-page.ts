/** A page of a list in the admin: its rows, and the cursors of the neighbouring pages (keyset.ts). */
import { z } from "zod";
import {
  encodeCursor,
  type Keyset,
  keyText,
  keyTime,
  type PageRequest,
  readKeyset,
  type SortKey,
  type TextKey,
  textKey,
} from "./keyset.ts";

export interface ListPage<T> {
  items: T[];
  /** cursors of the neighbouring pages; null if there is none */
  previous: string | null;
  next: string | null;
  /** number of rows of a full page */
  size: number;
}

/** Rows per page: fewer on a phone, where each row is a card. Tablets and desktops get `size`. */
export function readPageSize(request: Request, size: number): number {
  const isPhone = /\bMobi/.test(request.headers.get("user-agent") ?? "");
  return isPhone ? Math.min(size, 15) : size;
}

/**
 * Builds a page from the rows of a query.
 * @param rows up to `size + 1` rows from the keyset on, in the keyset's direction
 */
export function toListPage<T, Key extends SortKey>(
  rows: T[],
  size: number,
  { key, backwards }: Keyset<Key>,
  keyOf: (row: T) => Key,
): ListPage<T> {
  const more = rows.length > size;
  const items = rows.slice(0, size);
  if (backwards) items.reverse();
  const first = items.at(0);
  const last = items.at(-1);
  const hasPrevious = backwards ? more : key !== null;
  const hasNext = backwards || more;
  return {
    size,
    items,
    previous: hasPrevious && first !== undefined ? encodeCursor(keyOf(first)) : null,
    next: hasNext && last !== undefined ? encodeCursor(keyOf(last)) : null,
  };
}

/** A page of a list in memory, the highest key first. */
export function pageOfList<T>(
  rows: readonly T[],
  keyOf: (row: T) => TextKey,
  request: PageRequest,
  size: number,
): ListPage<T> {
  const keyset = readKeyset(textKey, request);
  const { key, backwards } = keyset;
  const direction = backwards ? -1 : 1;
  const pageRows = rows
    .filter((row) => key === null || compareKeys(keyOf(row), key) * direction > 0)
    .sort((a, b) => compareKeys(keyOf(a), keyOf(b)) * direction)
    .slice(0, size + 1);
  return toListPage(pageRows, size, keyset, keyOf);
}

/** Negative if `a` comes before `b`. */
function compareKeys([textA, idA]: TextKey, [textB, idB]: TextKey): number {
  if (textA !== textB) return textA < textB ? 1 : -1;
  return idA === idB ? 0 : idA < idB ? 1 : -1;
}

// One list of entries from several tables: latest first, then by source and id. Each table is queried for at most one
// page of rows, and a cursor marks the same position in all of them.

export interface TimelineEntry {
  at: Date;
  /** the entry's table */
  source: string;
  /** sortable as text */
  id: string;
}

const timelineKey = z.tuple([keyTime, keyText, keyText]);
const keyOf = ({ at, source, id }: TimelineEntry) => [at, source, id] as const;

/** The query of one table: its rows beyond a time and an id, or beyond a time. */
export interface TimelineQuery {
  keyset: Keyset<SortKey>;
  /** includes the rows at the key's own time */
  inclusive: boolean;
  take: number;
}

export function toTimelineQuery(source: string, request: PageRequest, size: number): TimelineQuery {
  const { key, backwards } = readKeyset(timelineKey, request);
  const take = size + 1;
  if (key === null) return { keyset: { key, backwards }, inclusive: false, take };
  const [at, keySource, id] = key;
  if (source === keySource) return { keyset: { key: [at, id], backwards }, inclusive: false, take };
  // Entries at the same time are sorted by source.
  const comesLater = source > keySource;
  return { keyset: { key: [at], backwards }, inclusive: comesLater !== backwards, take };
}

/** Merges the rows of the tables into one page. */
export function mergeTimelinePage<T extends TimelineEntry>(
  tables: T[][],
  request: PageRequest,
  size: number,
): ListPage<T> {
  const keyset = readKeyset(timelineKey, request);
  const sorted = tables.flat().sort((a, b) => compare(a, b) * (keyset.backwards ? -1 : 1));
  return toListPage(sorted, size, keyset, keyOf);
}

function compare(a: TimelineEntry, b: TimelineEntry): number {
  const later = b.at.getTime() - a.at.getTime();
  if (later !== 0) return later;
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return a.id < b.id ? 1 : -1;
}
