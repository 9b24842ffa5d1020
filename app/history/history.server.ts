/**
 * History: what the app and the shop's staff did, from every feature that keeps a record. It is above the features, so
 * that none of them needs to know the others.
 */
import { readAuditEntries } from "#app/audit/audit-entries.server.ts";
import { readRunEntries } from "#app/catalogue/catalogue-rows.server.ts";
import { readPlanEntries } from "#app/plans/plan-rows.server.ts";
import { type Cell, csvTable, type FileLanguage } from "#app/platform/csv.server.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { mergeTimelinePage, type TimelineQuery, toTimelineQuery } from "#app/platform/timeline.ts";
import { actionsOf } from "./areas.ts";
import type { HistoryEntry, HistoryFilter } from "./history.ts";

/** Whose history it is, and the time zone of the filter's days. */
interface Reader {
  shop: string;
  timezone: string;
}

type Read = (reader: Reader, filter: HistoryFilter, query: TimelineQuery) => Promise<HistoryEntry[]>;

const sources: Record<HistoryEntry["source"], Read> = {
  audit: async (reader, filter, query) => {
    const rows = await readAuditEntries(reader, { ...filter, actions: actionsOf(filter.what) }, query);
    return rows.map((row) => ({ source: "audit", ...row }));
  },
  plan: async (...query) => (await readPlanEntries(...query)).map((row) => ({ source: "plan", ...row })),
  run: async (...query) => (await readRunEntries(...query)).map((row) => ({ source: "run", ...row })),
};

/** Contracts and syncs are the app's own work; what staff requested is an entry of the audit log. */
function selectSources({ what, who }: HistoryFilter): HistoryEntry["source"][] {
  const isByApp = who === null || who === "app";
  const shows = (area: HistoryFilter["what"]) => isByApp && (what === null || what === area);
  return [
    "audit",
    ...(shows("orders") ? ["plan" as const] : []),
    ...(shows("catalogue") ? ["run" as const] : []),
  ];
}

/** One page, latest first. */
export async function listHistory(
  reader: Reader,
  filter: HistoryFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<HistoryEntry>> {
  const found = await Promise.all(
    selectSources(filter).map((name) => sources[name](reader, filter, toTimelineQuery(name, request, size))),
  );
  return mergeTimelinePage(found, request, size);
}

async function* readAll(reader: Reader, filter: HistoryFilter): AsyncGenerator<HistoryEntry> {
  let after: string | null = null;
  do {
    const page: ListPage<HistoryEntry> = await listHistory(reader, filter, { after, before: null }, 500);
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

/** The entry as columns of the file. */
function toRow(entry: HistoryEntry) {
  const values = (of: object | null) => (of === null ? "" : JSON.stringify(of));
  switch (entry.source) {
    case "audit":
      return {
        by: [entry.actorKind, entry.actorId, entry.actorName ?? ""],
        action: entry.action,
        subject: entry.subjectName ?? entry.subject,
        change: [values(entry.before), values(entry.after)],
      };
    case "plan":
      return {
        by: ["system", "", ""],
        action: `plan_${entry.cause}`,
        subject: entry.orderName,
        change: ["", entry.note ?? ""],
      };
    case "run":
      return { by: ["system", "", ""], action: `sync_${entry.state}`, subject: entry.kind, change: ["", ""] };
  }
}

const columns: Record<string, (entry: HistoryEntry) => Cell> = {
  at: ({ at }) => at,
  actorKind: (entry) => toRow(entry).by[0] ?? "",
  actorId: (entry) => toRow(entry).by[1] ?? "",
  actorName: (entry) => toRow(entry).by[2] ?? "",
  action: (entry) => toRow(entry).action,
  subject: (entry) => toRow(entry).subject,
  before: (entry) => toRow(entry).change[0] ?? "",
  after: (entry) => toRow(entry).change[1] ?? "",
};

/** All that the filter lets through, as a file. */
export function exportHistory(reader: Reader, filter: HistoryFilter, language: FileLanguage): Response {
  return csvTable("history.csv", columns, readAll(reader, filter), language);
}
