/** Reconciliation runs: their kinds and counts. */
import { z } from "zod";
import { isIsoDay } from "#app/platform/day.ts";

export const reconciliationKinds = ["hourly", "backfill"] as const;
export type ReconciliationKind = (typeof reconciliationKinds)[number];
export const reconciliationStates = ["queued", "running", "done", "stopped"] as const;
export type ReconciliationState = (typeof reconciliationStates)[number];

const count = z.int().nonnegative().default(0);
export const reconciliationCounts = z.object({
  /** orders of the shop that were reconciled */
  orders: count,
  /** orders whose webhooks were lost */
  missed: count,
  /** orders of which a cancellation, a refund or an edit had not arrived */
  behind: count,
  /** orders whose issuing was resumed */
  resumed: count,
  /** contracts that were compared */
  contracts: count,
  /** contracts that differed from the book */
  different: count,
  /** tasks that were opened */
  tasks: count,
});
export type ReconciliationCounts = z.infer<typeof reconciliationCounts>;

/** Sales data goes back two years. */
const YEARS = 2;

/** Whether past orders can be sent since a day. @param today `YYYY-MM-DD` in the shop's time zone, as `since` */
export function isBackfillDay(since: string, today: string): boolean {
  const firstDay = `${Number(today.slice(0, 4)) - YEARS}${today.slice(4)}`.replace(/02-29$/, "02-28");
  return isIsoDay(since) && since >= firstDay && since <= today;
}
