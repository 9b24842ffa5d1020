/** Faults of the insurance service's stand-in. */
import { fault } from "#test/sandbox/faults.ts";
import type { z } from "zod";
import type { TestApp } from "./stage.ts";

/** Has the service go wrong in these ways. Not by its control address: a busy machine may lose that request. */
export function breakService(testApp: TestApp, ...faults: z.input<typeof fault>[]): void {
  testApp.insurance.faults.add(...faults);
}

export function mendService(testApp: TestApp): void {
  testApp.insurance.faults.clear();
}

/** How an answer can go wrong. */
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

/** What can go wrong; the first fault is the most frequent. */
export const operations = [
  "plans.create",
  "plans.create",
  "plans.list",
  "orders.record",
  "orders.cancel",
] as const;
