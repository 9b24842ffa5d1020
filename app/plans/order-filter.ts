/** Which orders a list shows, as it stands in the list's address. */
import { z } from "zod";
import { isDay } from "#app/insurance/dates.ts";
import type { UnitState } from "./unit-states.ts";

/** What the list can be narrowed to: orders with a plan in one of these states, or with none at all. */
export const statesOf = {
  active: ["active"],
  under_way: ["pending", "creating", "unknown", "cancelling"],
  attention: ["attention", "refused"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly UnitState[]>;

export const planChoices = ["insured", "active", "under_way", "attention", "cancelled", "none"] as const;
export type PlanChoice = (typeof planChoices)[number];

const day = z.string().refine(isDay).nullable().catch(null);

/** What is malformed filters nothing. */
export const orderFilter = z.object({
  /** an order's name or id, a customer's e-mail, a plan's id */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
  plans: z.enum(planChoices).nullable().catch(null),
  /** first and last day of purchase in the shop's time zone, both included */
  start: day,
  end: day,
});
export type OrderFilter = z.infer<typeof orderFilter>;
export const orderFilterNames = Object.keys(orderFilter.shape);
