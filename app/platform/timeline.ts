/**
 * One list of what happened, from several tables: latest first, ties by source and id. A page takes from each table no
 * more than fits on it, and a cursor names one moment in all of them.
 */
import { toListPage } from "./list-page.ts";
import type { ListPage, PageRequest } from "./list-page.ts";

export interface TimelineKey {
  at: Date;
  /** which table it is from */
  source: string;
  /** sortable as text */
  id: string;
}

/** From where a table is read: which of the rows at `at` itself still count, all, none, or those beyond an id. */
export interface TimelineBound {
  at: Date;
  ties: "all" | "none" | { id: string };
}

export interface TimelineQuery {
  /** null: from the latest */
  beyond: TimelineBound | null;
  /** earliest first, towards the present */
  backwards: boolean;
  take: number;
}

const cursorOf = ({ at, source, id }: TimelineKey) => `${at.toISOString()}|${source}|${id}`;

function readCursor(cursor: string | null): TimelineKey | null {
  const [at = "", source = "", ...id] = (cursor ?? "").split("|");
  const moment = { at: new Date(at), source, id: id.join("|") };
  return Number.isNaN(moment.at.getTime()) ? null : moment;
}

/** What one table is asked for. A cursor that cannot be read asks for the first page. */
export function toTimelineQuery(source: string, request: PageRequest, size: number): TimelineQuery {
  const backwards = request.before !== null;
  const from = readCursor(request.after ?? request.before);
  if (from === null) return { beyond: null, backwards: false, take: size + 1 };
  const { at, id } = from;
  const comesLater = source > from.source;
  const ties = source === from.source ? { id } : comesLater === backwards ? "none" : "all";
  return { beyond: { at, ties }, backwards, take: size + 1 };
}

/** The page made of what each table answered. */
export function mergeTimelinePage<T extends TimelineKey>(
  found: T[][],
  request: PageRequest,
  size: number,
): ListPage<T> {
  const backwards = request.before !== null && readCursor(request.before) !== null;
  const sorted = found.flat().sort((a, b) => compare(a, b) * (backwards ? -1 : 1));
  return toListPage(sorted, size, backwards ? request : { after: request.after, before: null }, cursorOf);
}

function compare(a: TimelineKey, b: TimelineKey): number {
  const later = b.at.getTime() - a.at.getTime();
  if (later !== 0) return later;
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return a.id < b.id ? 1 : -1;
}
