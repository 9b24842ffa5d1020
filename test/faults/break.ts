/** Faults of the insurer. */

/** The kinds of faulty answers. */
export const outcomes = [
  { kind: "reset_after" },
  { kind: "reset_before" },
  { kind: "status", status: 500, after_work: true },
  { kind: "status", status: 500 },
  { kind: "status", status: 503, body: "html" },
  { kind: "status", status: 429, retry_after: "1" },
  { kind: "garbage" },
  { kind: "truncated" },
  { kind: "cut" },
  { kind: "empty" },
] as const;

/** All faults; the first is the most frequent. */
export const operations = [
  "plans.create",
  "plans.create",
  "plans.list",
  "orders.record",
  "orders.cancel",
] as const;
