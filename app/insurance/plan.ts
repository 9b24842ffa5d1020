import { z } from "zod";
import { customer, customerBody, type NewCustomer } from "./customer.ts";
import { date, dateOrNull } from "./dates.ts";
import { amount, currencyCode, id, minorUnits } from "./fields.ts";
import { termMonths } from "./term.ts";
import { variantBody, type NewVariant } from "./variant.ts";

/** Spec, "Plan (insurance contract subscribed by a customer)". `price` (float) becomes `price_minor`. */
export const plan = z
  .object({
    /** The contract number. */
    id,
    order_reference_id: id,
    offer_reference_id: id,
    /** `active` and `cancelled` are known; more may come. */
    status: z.string(),
    /** ISO 8601, see parseDate. */
    purchase_date: date,
    title: z.string(),
    /** Months. */
    term_length: termMonths,
    price: amount,
    currency_code: currencyCode,
    customer,
  })
  .transform(({ price, ...rest }, context) => ({
    ...rest,
    /** Integer minor units. */
    price_minor: minorUnits(price, rest.currency_code, "price", context),
  }));
export type Plan = z.infer<typeof plan>;

/** What a plan's status says. The spec names two and shows no others, so any other is `unclear`. */
export function planStanding(status: string): "active" | "cancelled" | "unclear" {
  const word = status.trim().toLowerCase();
  return word === "active" || word === "cancelled" ? word : "unclear";
}

/**
 * Spec, "Endpoints" 5: the response per created plan. The plan exists by then and its number is what counts: an
 * unreadable date becomes null instead of making the whole response unreadable.
 */
export const createdPlan = z.object({
  /** The contract number: the id of the plan. */
  contract_id: id,
  status: z.string(),
  /** ISO 8601, see parseDate. */
  activation_date: dateOrNull,
  /** ISO 8601, see parseDate. */
  expiration_date: dateOrNull,
});
export type CreatedPlan = z.infer<typeof createdPlan>;

/** A plan to create: spec, "Endpoints" note 2, the single form. */
export interface NewPlan {
  offerReferenceId: string;
  orderReferenceId: string;
  variant: NewVariant;
  customer: NewCustomer;
}

/** The request body. */
export function planBody(value: NewPlan) {
  return {
    offer_reference_id: value.offerReferenceId,
    order_reference_id: value.orderReferenceId,
    variant: variantBody(value.variant),
    customer: { ...customerBody(value.customer), birth_date: undefined },
  };
}
