/** What the list of orders can be narrowed to, for the page: without the schema, whose library the page need not load. */
import type { UnitState } from "#app/plans/ledger/unit-states.ts";

/** Orders with a plan in one of these states, or with none at all. */
export const statesByChoice = {
  active: ["active"],
  under_way: ["pending", "creating", "unknown", "cancelling"],
  attention: ["attention", "refused"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly UnitState[]>;

export const planChoices = ["insured", "active", "under_way", "attention", "cancelled", "none"] as const;
export type PlanChoice = (typeof planChoices)[number];

export const orderFilterNames = ["query", "plans", "start", "end"] as const;
