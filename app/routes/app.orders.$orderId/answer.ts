import type { ActionResult } from "#app/plans/orders/actions.server.ts";
import type { SupplyProblems } from "#app/plans/orders/customer-form.ts";
import type { UnitAction } from "#app/plans/orders/unit-actions.ts";

/** What the page's action answers. */
export type Answer =
  | { did: UnitAction | "end_all" | "work_now" | "supply"; state: ActionResult }
  | { did: UnitAction; state: "failed"; reason: string }
  | { did: "supply"; state: "invalid"; problems: SupplyProblems };
