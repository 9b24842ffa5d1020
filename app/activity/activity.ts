/** The entries of the page Activity, and its filter. */
import { z } from "zod";
import type { AuditEntryView } from "#app/audit/audit-log.server.ts";
import type { RunActivity } from "#app/catalogue/runs/activity.server.ts";
import type { EventActivity } from "#app/webhooks/activity.server.ts";
import type { PlanActivity } from "#app/plans/activity.server.ts";
import { activitySources } from "./sources.ts";

export const activityFilter = z.object({
  source: z.enum(activitySources).nullable().catch(null),
  /** an order, a contract, a topic, a lead */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
});
export type ActivityFilter = z.infer<typeof activityFilter>;

export type ActivityEntry =
  | ({ source: "app" } & AuditEntryView)
  | ({ source: "catalogue" } & RunActivity)
  | ({ source: "event" } & EventActivity)
  | ({ source: "plan" } & PlanActivity);
