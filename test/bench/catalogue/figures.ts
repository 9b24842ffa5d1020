/** What the measuring process reports to the benchmark. */
import { z } from "zod";

const run = z.object({
  serviceCalls: z.number(),
  adminCalls: z.number(),
  points: z.number(),
  seconds: z.number(),
  /** plan products and compact catalogues written */
  writes: z.number(),
});

export const measured = z.object({
  first: run,
  unchanged: run,
  changed: run,
  startMb: z.number(),
  peakMb: z.number(),
  bands: z.number(),
  /** of the largest compact catalogue */
  bytes: z.number(),
  live: z.number(),
});
export type Measured = z.infer<typeof measured>;
export type MeasuredRun = z.infer<typeof run>;

export const input = z.object({
  references: z.number(),
  categories: z.number(),
  service: z.object({
    base_url: z.string(),
    control_url: z.string(),
    store_id: z.string(),
    token_test: z.string(),
  }),
  shop: z.object({ shop: z.string(), storefront: z.string(), apiKey: z.string(), apiSecret: z.string() }),
});
