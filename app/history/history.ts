/**
 * The entries of the History page and its filter values. The filter's schema is elsewhere, so that the page does not
 * load zod.
 */
import { accessActions, type AuditAction, auditActions, isAuditAction } from "#app/audit/actions.ts";
import type { AuditEntryView } from "#app/audit/audit-entries.server.ts";
import type { RunEntry } from "#app/catalogue/runs/run-history.server.ts";
import type { PlanEntry } from "./plan-entries.server.ts";

/** `views`: who viewed customers' data; these entries are shown only on request. */
export const areas = ["orders", "catalogue", "settings", "privacy", "views"] as const;
export type Area = (typeof areas)[number];

export const historyFilterNames = ["what", "who", "start", "end"] as const;

/** Subjects that belong to an order. */
const ofOrders = new Set(["order", "plan", "quote", "draft_order", "task", "event"]);

/** The areas of actions whose subject does not determine the area. */
const named: Partial<Record<AuditAction, Area>> = {
  catalogue_settings_saved: "catalogue",
  rules_saved: "catalogue",
  category_chosen: "catalogue",
  plan_product_restored: "catalogue",
  run_started: "catalogue",
  run_stopped: "catalogue",
  backfill_started: "orders",
  backfill_stopped: "orders",
  file_exported: "privacy",
  data_request_exported: "privacy",
  customer_data_requested: "privacy",
  customer_erased: "privacy",
  personal_data_expired: "privacy",
  quote_suppressed: "privacy",
  quote_allowed: "privacy",
  app_removed: "privacy",
  erasure_scheduled: "privacy",
  erasure_cancelled: "privacy",
};

function areaOf(action: AuditAction): Area {
  if (Object.hasOwn(accessActions, action)) return "views";
  return named[action] ?? (ofOrders.has(auditActions[action]) ? "orders" : "settings");
}

/** The actions of an area; null: all except the views. */
export const actionsOf = (what: Area | null): AuditAction[] =>
  Object.keys(auditActions)
    .filter(isAuditAction)
    .filter((action) => (what === null ? areaOf(action) !== "views" : areaOf(action) === what));

export type HistoryEntry =
  ({ source: "audit" } & AuditEntryView) | ({ source: "plan" } & PlanEntry) | ({ source: "run" } & RunEntry);
