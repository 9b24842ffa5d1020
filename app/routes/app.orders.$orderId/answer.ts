import type { ActionResult } from "#app/plans/orders/order-actions.server.ts";
import type { CustomerDataProblems } from "#app/plans/orders/customer-data-form.ts";
import type { UnitAction } from "#app/plans/orders/unit-actions.ts";

/** What the page's action answers. */
export type OrderActionResult =
  | { did: UnitAction | "end_all" | "issue_now" | "customer_data"; state: ActionResult }
  | { did: UnitAction; state: "failed"; reason: string }
  | { did: "customer_data"; state: "invalid"; problems: CustomerDataProblems };
