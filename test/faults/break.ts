/** Faults of the insurance service's stand-in. */
import type { House } from "./stage.ts";

/** Tells the service to go wrong in these ways. */
export async function breakService(house: House, ...faults: Record<string, unknown>[]): Promise<void> {
  const answer = await fetch(`${house.insurance.control_url}/faults`, {
    method: "POST",
    body: JSON.stringify(faults),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function mendService(house: House): Promise<void> {
  await fetch(`${house.insurance.control_url}/faults`, { method: "DELETE" });
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

/** What can go wrong; most is asked of the first. */
export const operations = [
  "plans.create",
  "plans.create",
  "plans.list",
  "orders.record",
  "orders.cancel",
] as const;
