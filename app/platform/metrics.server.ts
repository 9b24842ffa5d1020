/** The Prometheus metrics of this process, served by app/processes/operations.server.ts. */
import { createMetrics } from "./metric-definitions.server.ts";
import { processParts } from "./process-parts.server.ts";

export const metrics = (processParts.metrics ??= createMetrics());

/** Seconds since a time of another clock, never negative: the clocks may differ. */
export function secondsSince(moment: Date): number {
  return Math.max(0, (Date.now() - moment.getTime()) / 1_000);
}
