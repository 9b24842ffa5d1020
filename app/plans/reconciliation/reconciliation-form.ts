/** The form that starts a reconciliation or the backfill, for both sides of the page. */
import { z } from "zod";
import { isIsoDay } from "#app/platform/day.ts";
import type { FieldProblems } from "#app/platform/field-problems.ts";

/** What a merchant can start; the hourly runs are started by the clock. */
export const requestableKinds = ["manual", "backfill"] as const;

export const reconciliationProblems = ["missing", "order", "future", "too_long"] as const;
export type ReconciliationProblem = (typeof reconciliationProblems)[number];
export type ReconciliationProblems = FieldProblems<"kind" | "start" | "end", ReconciliationProblem>;
const message = (problem: ReconciliationProblem) => problem;

/** Sales data goes back two years. */
const YEARS = 2;

/** The first day that can be chosen. @param today `YYYY-MM-DD` */
export function firstDay(today: string): string {
  return `${Number(today.slice(0, 4)) - YEARS}${today.slice(4)}`.replace(/02-29$/, "02-28");
}

// Two days are compared only where both are days.
const day = z.string().refine(isIsoDay, { error: message("missing"), abort: true });

/** @param today `YYYY-MM-DD` in the shop's time zone */
export function reconciliationForm(today: string) {
  return z
    .object({ kind: z.enum(requestableKinds), start: day, end: day })
    .superRefine(({ start, end }, context) => {
      const complain = (path: "start" | "end", problem: ReconciliationProblem) =>
        context.addIssue({ code: "custom", path: [path], message: message(problem) });
      if (end > today) complain("end", "future");
      else if (end < start) complain("end", "order");
      if (start < firstDay(today)) complain("start", "too_long");
    });
}
