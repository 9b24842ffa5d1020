/** What the pages of orders send: filter and choices of the list, actions on a plan, the customer's data. */
import { z } from "zod";
import type { CustomerField } from "#app/orders/customer.ts";
import { orderFilterNames, orderSorts, planChoices } from "./order-choices.ts";
import type { Reason, ItemState } from "#app/orders/book/item-states.ts";
import { isIsoDay } from "#app/platform/day.ts";
import { emailAddress } from "#app/platform/email-address.ts";
import type { FieldProblems } from "#app/platform/field-problems.ts";

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

export const itemActions = ["retry", "end", "confirm_cancelled", "keep"] as const;
export type ItemAction = (typeof itemActions)[number];

export interface ActionableItem {
  state: ItemState;
  wanted: boolean;
  contractId: string | null;
  reason: Reason | null;
  /** the merchant alone ended it, and its contract is not cancelled yet */
  canKeepInsured: boolean;
}

/** Trying again cannot help: the order's page has a form for the one, and there is nothing to do about the other. */
const notRetryable: readonly (Reason | null)[] = ["missing_customer_data", "customer_erased"];

export function availableItemActions({
  state,
  wanted,
  contractId,
  reason,
  canKeepInsured,
}: ActionableItem): ItemAction[] {
  const stuck = state === "refused" || state === "attention";
  return [
    ...(stuck && contractId === null && !notRetryable.includes(reason) ? (["retry"] as const) : []),
    ...(state === "attention" && contractId !== null ? (["confirm_cancelled"] as const) : []),
    ...(canKeepInsured ? (["keep"] as const) : []),
    ...(wanted && state !== "cancelled" ? (["end"] as const) : []),
  ];
}

/** The keys of the fields' messages. */
export const customerDataProblems = [
  "missing",
  "email",
  "email_known",
  "phone",
  "country",
  "too_long",
] as const;
export type CustomerDataProblem = (typeof customerDataProblems)[number];
const message = (problem: CustomerDataProblem) => problem;

const text = z.string().trim().max(200, message("too_long"));
const required = text.min(1, message("missing"));

export const customerDataForm = z.object({
  email: required.pipe(emailAddress(message("email"))),
  /** one of the two is enough */
  firstName: text,
  lastName: text,
  /** empty where the contract does not need one */
  phone: text.regex(/^(?:\+?[\d\s().-]{6,25})?$/, message("phone")),
  address1: required,
  address2: text,
  /** empty where the country has none */
  zip: text,
  city: required,
  /** ISO 3166-1 alpha-2 */
  country: required.toUpperCase().regex(/^[A-Z]{2}$/, message("country")),
} satisfies Record<CustomerField, z.ZodType>);

export type CustomerDataProblems = FieldProblems<CustomerField, CustomerDataProblem>;
