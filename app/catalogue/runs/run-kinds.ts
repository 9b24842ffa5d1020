/** Why runs are started, and the job of each kind of run. */
import type { SyncRun } from "#app/platform/prisma/client.ts";
import type { RunKind } from "./progress.ts";

export const reasons = [
  "merchant",
  "schedule",
  "currency",
  "retry",
  "rules",
  "connection",
  "live",
  "import",
  "changes",
] as const;

export type RunReason = (typeof reasons)[number];

export const jobNames = {
  catalogue: "catalogue-sync",
  products: "product-categories",
} as const satisfies Record<RunKind, string>;

export function kindOf({ kind }: SyncRun): RunKind {
  return kind === "products" ? "products" : "catalogue";
}
