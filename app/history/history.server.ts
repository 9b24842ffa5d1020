/**
 * The history: actions of the app and the shop's staff, from every feature with a record. It imports the features, so
 * that they need not know each other.
 */
import { z } from "zod";
import { readAuditEntries } from "#app/audit/audit-entries.server.ts";
import { readRunEntries } from "#app/catalogue/runs/run-history.server.ts";
import { isIsoDay } from "#app/platform/day.ts";
import { type Cell, csvTable, type FileLanguage } from "#app/platform/csv.server.ts";
import {
  type ListPage,
  mergeTimelinePage,
  type TimelineQuery,
  toTimelineQuery,
} from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { actionsOf, areas, type HistoryEntry, type historyFilterNames } from "./history.ts";
import { readPlanEntries } from "./plan-entries.server.ts";

const day = z.string().refine(isIsoDay).nullable().catch(null);

/** A malformed value does not filter. */
export const historyFilter = z.object({
  /** null: every change, without views of personal data */
  what: z.enum(areas).nullable().catch(null),
  /** `app`, `staff` or the id of one staff member */
  who: z
    .string()
    .regex(/^(\d{1,20}|app|staff)$/)
    .nullable()
    .catch(null),
  /** first and last day in the shop's time zone, both included */
  start: day,
  end: day,
} satisfies Record<(typeof historyFilterNames)[number], z.ZodType>);
export type HistoryFilter = z.infer<typeof historyFilter>;

/** The shop of the history, and the time zone of the filter's days. */
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

/** Contracts and syncs are the app's actions; staff requests are entries of the audit log. */
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
  const entryLists = await Promise.all(
    selectSources(filter).map((name) => sources[name](reader, filter, toTimelineQuery(name, request, size))),
  );
  return mergeTimelinePage(entryLists, request, size);
}

async function* readAll(reader: Reader, filter: HistoryFilter): AsyncGenerator<HistoryEntry> {
  let after: string | null = null;
  do {
    const page: ListPage<HistoryEntry> = await listHistory(reader, filter, { after, before: null }, 500);
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

/** The columns of an entry in the CSV file. */
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

/** All matching entries as a file. */
export function exportHistory(reader: Reader, filter: HistoryFilter, language: FileLanguage): Response {
  return csvTable("history", columns, readAll(reader, filter), language);
}
