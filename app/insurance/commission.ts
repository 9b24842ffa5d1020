import { z } from "zod";
import { date } from "./dates.ts";
import { amount, id, minorUnits, text } from "./fields.ts";

/**
 * Spec, "Commission (organisation analytics)": tied to one collection on a contract. Floats become integer euro cents:
 * `amount` → `amount_minor`, `price` → `price_minor`. The spec does not show the sign of a refund: the amount is stored
 * as received, and `billing_type` marks a refund.
 */
export const commission = z
  .object({
    id,
    /** Date of the collection, ISO 8601, see parseDate. */
    date,
    /** Name of the point of sale. */
    store: text,
    /** The service's identifier of the store: an integer there, a string here. */
    store_id: id,
    /** The merchant's own identifier of the store; "" when none is set. */
    store_external_id: z
      .union([z.string(), z.int().transform(String)])
      .nullish()
      .transform((value) => value ?? ""),
    amount,
    price: amount,
    /** The sale (contract) it belongs to. */
    plan_sale_id: id,
    /** True when billed monthly, false when billed once. */
    monthly: z.boolean(),
    billing_type: z.enum(["collected", "refunded"]),
    type: z.enum(["front", "air"]),
  })
  .transform(({ amount, price, ...rest }, context) => ({
    ...rest,
    /** Commission of the point of sale, euro cents. */
    amount_minor: minorUnits(amount, "EUR", "amount", context),
    /** Amount collected, euro cents. */
    price_minor: minorUnits(price, "EUR", "price", context),
  }));
export type Commission = z.infer<typeof commission>;
