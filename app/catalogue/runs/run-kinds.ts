/** Why runs are started, and the job of each kind of run. */
import type { SyncRun } from "#app/platform/prisma/client.ts";
import type { RunKind } from "./progress.ts";

export const runReasons = [
  "merchant",
  "schedule",
  "currency",
  "retry",
  "rules",
  "connection",
  "live",
  "import",
  "changes",
  "selling",
] as const;

export type RunReason = (typeof runReasons)[number];

export const runJobs = {
  catalogue: "catalogue-sync",
  products: "product-categories",
} as const satisfies Record<RunKind, string>;

export function kindOf({ kind }: SyncRun): RunKind {
  return kind === "products" ? "products" : "catalogue";
}
