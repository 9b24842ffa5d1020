/** What the page Activity lists, and what it can be narrowed to. */
import { z } from "zod";
import type { RunActivity } from "#app/catalogue/activity.server.ts";
import type { EventActivity } from "#app/jobs/activity.server.ts";
import type { AppActivity } from "#app/merchants/activity.server.ts";
import type { PlanActivity } from "#app/plans/activity.server.ts";

export const activitySources = ["plan", "event", "catalogue", "app"] as const;
export type ActivitySource = (typeof activitySources)[number];

export const activityFilter = z.object({
  source: z.enum(activitySources).nullable().catch(null),
  /** an order, a contract, a topic, a lead */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
});
export type ActivityFilter = z.infer<typeof activityFilter>;
export const activityFilterNames = Object.keys(activityFilter.shape);

export type ActivityEntry =
  | ({ source: "app" } & AppActivity)
  | ({ source: "catalogue" } & RunActivity)
  | ({ source: "event" } & EventActivity)
  | ({ source: "plan" } & PlanActivity);
