/** The filter of a list of orders, as the list's address holds it. */
import { z } from "zod";
import { isIsoDay } from "#app/platform/day.ts";
import { orderSorts, planChoices } from "./order-choices.ts";
import type { orderFilterNames } from "./order-choices.ts";

const day = z.string().refine(isIsoDay).nullable().catch(null);

/** What is malformed filters nothing. */
export const orderFilter = z.object({
  /** an order's name or id, a customer's e-mail, a plan's id */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
  plans: z.enum(planChoices).nullable().catch(null),
  /** first and last day of purchase in the shop's time zone, both included */
  start: day,
  end: day,
  /** orders of the test account are shown, too, although the shop uses the one for production */
  tests: z.literal("shown").nullable().catch(null),
  sort: z.enum(orderSorts).nullable().catch(null),
} satisfies Record<(typeof orderFilterNames)[number] | "sort", z.ZodType>);
export type OrderFilter = z.infer<typeof orderFilter>;
