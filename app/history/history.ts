/** The entries of the page History, and its filter. */
import { z } from "zod";
import type { AuditEntryView } from "#app/audit/audit-entries.server.ts";
import type { RunEntry } from "#app/catalogue/catalogue-rows.server.ts";
import { isIsoDay } from "#app/platform/day.ts";
import type { PlanEntry } from "#app/plans/plan-rows.server.ts";
import { areas, type historyFilterNames } from "./areas.ts";

const day = z.string().refine(isIsoDay).nullable().catch(null);

/** What is malformed filters nothing. */
export const historyFilter = z.object({
  /** null: every change, without the views of personal data */
  what: z.enum(areas).nullable().catch(null),
  /** `app`, `staff` or the id of one member of the staff */
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

export type HistoryEntry =
  ({ source: "audit" } & AuditEntryView) | ({ source: "plan" } & PlanEntry) | ({ source: "run" } & RunEntry);
