/**
 * Activity: what the app did and received, from every feature that keeps a record. It is above the features, so that
 * none of them needs to know the others.
 */
import { listAuditActivity } from "#app/audit/audit-log.server.ts";
import { runActivity } from "#app/catalogue/runs/activity.server.ts";
import { listEventActivity } from "#app/webhooks/activity.server.ts";
import { listPlanActivity } from "#app/plans/activity.server.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { mergeTimelinePage, toTimelineQuery } from "#app/platform/timeline.ts";
import type { TimelineQuery } from "#app/platform/timeline.ts";
import type { ActivitySource } from "./sources.ts";
import type { ActivityEntry, ActivityFilter } from "./activity.ts";

type Read = (shop: string, search: string | null, query: TimelineQuery) => Promise<ActivityEntry[]>;

const sources: Record<ActivitySource, Read> = {
  app: async (...asked) => (await listAuditActivity(...asked)).map((row) => ({ source: "app", ...row })),
  catalogue: async (...asked) =>
    (await runActivity(...asked)).map((row) => ({ source: "catalogue", ...row })),
  event: async (...asked) => (await listEventActivity(...asked)).map((row) => ({ source: "event", ...row })),
  plan: async (...asked) => (await listPlanActivity(...asked)).map((row) => ({ source: "plan", ...row })),
};

/** One page, latest first. */
export async function listActivity(
  shop: string,
  { source, query }: ActivityFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<ActivityEntry>> {
  const selected = Object.entries(sources).filter(([name]) => source === null || name === source);
  const found = await Promise.all(
    selected.map(([name, read]) => read(shop, query, toTimelineQuery(name, request, size))),
  );
  return mergeTimelinePage(found, request, size);
}
