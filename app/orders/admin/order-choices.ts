/** What the list of orders can be narrowed and sorted by; apart from its schema: the page does not load zod. */
import type { ItemState } from "#app/orders/book/item-states.ts";

/** Orders with a plan in one of these states. */
export const statesByChoice = {
  attention: ["attention", "refused"],
  under_way: ["pending", "creating", "unknown", "cancelling"],
  active: ["active"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly ItemState[]>;

/** The list's tabs beside all orders; `none`: orders without any plan. */
export const planChoices = ["attention", "under_way", "active", "cancelled", "none"] as const;
export type PlanChoice = (typeof planChoices)[number];

/** How the list is sorted; latest first where the address says nothing. */
export const orderSorts = ["oldest", "highest", "lowest"] as const;

export const orderFilterNames = ["query", "plans", "start", "end", "tests"] as const;

/** Customers' data is sealed and has no index: these many of the newest orders are opened to find a name. */
export const OPENED_ORDERS = 2_000;
