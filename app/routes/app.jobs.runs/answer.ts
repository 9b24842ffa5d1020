import type { AskedSweep } from "#app/plans/reconciliation/reconciliation-list.server.ts";

/** What the page's action answers. */
export type Answer = AskedSweep | { state: "stopped" | "over" };
