/**
 * One list of entries from several tables: latest first, then by source and id. Each table is queried for at most one
 * page of rows, and a cursor marks one place in all of them.
 */
import { z } from "zod";
import { keyText, keyTime, readKeyset } from "./keyset.ts";
import type { Keyset, SortKey } from "./keyset.ts";
import { toListPage } from "./list-page.ts";
import type { ListPage, PageRequest } from "./list-page.ts";

export interface TimelineEntry {
  at: Date;
  /** which table it is from */
  source: string;
  /** sortable as text */
  id: string;
}

const timelineKey = z.tuple([keyTime, keyText, keyText]);
const keyOf = ({ at, source, id }: TimelineEntry) => [at, source, id] as const;

/** What one table is queried for: its rows beyond a time and an id, or a time alone. */
export interface TimelineQuery {
  keyset: Keyset<SortKey>;
  /** the rows at the key's own time count too */
  inclusive: boolean;
  take: number;
}

export function toTimelineQuery(source: string, request: PageRequest, size: number): TimelineQuery {
  const { key, backwards } = readKeyset(timelineKey, request);
  const take = size + 1;
  if (key === null) return { keyset: { key, backwards }, inclusive: false, take };
  const [at, keySource, id] = key;
  if (source === keySource) return { keyset: { key: [at, id], backwards }, inclusive: false, take };
  // At the same time, sources follow each other by name.
  const comesLater = source > keySource;
  return { keyset: { key: [at], backwards }, inclusive: comesLater !== backwards, take };
}

/** Merges what the tables returned into one page. */
export function mergeTimelinePage<T extends TimelineEntry>(
  found: T[][],
  request: PageRequest,
  size: number,
): ListPage<T> {
  const keyset = readKeyset(timelineKey, request);
  const sorted = found.flat().sort((a, b) => compare(a, b) * (keyset.backwards ? -1 : 1));
  return toListPage(sorted, size, keyset, keyOf);
}

function compare(a: TimelineEntry, b: TimelineEntry): number {
  const later = b.at.getTime() - a.at.getTime();
  if (later !== 0) return later;
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return a.id < b.id ? 1 : -1;
}
