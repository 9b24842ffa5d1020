import { z } from "zod";
import { date } from "./dates.ts";
import { amount, id, minorUnits, text } from "./fields.ts";

const amountOrNull = amount.nullish().transform((value) => value ?? null);

/**
 * Spec, "Sales (organisation analytics)": one sale made by a point of sale. Floats become integer cents: `price` →
 * `price_minor`, `front_eur` → `front_minor`, `air_eur` → `air_minor`.
 */
export const sale = z
  .object({
    /** Identifier of the sale, which is the contract. */
    id,
    status: z.string(),
    /** ISO 8601, see parseDate; null while the contract is not cancelled. */
    cancellation_date: date.nullish().transform((value) => value ?? null),
    /** True when billed monthly, false when billed once. */
    monthly: z.boolean(),
    /** Subscription date, `YYYY-MM-DD`. */
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
    product_reference_id: id.nullish().transform((value) => value ?? ""),
    category: text,
    price: amount,
    seller: text,
    front_eur: amountOrNull,
    air_eur: amountOrNull,
  })
  .transform(({ price, front_eur, air_eur, ...rest }, context) => ({
    ...rest,
    /** Contract price in the store's currency, which is not sent: read as one with two decimals. */
    price_minor: minorUnits(price, "EUR", "price", context),
    /** Annual: the whole commission. Monthly: the year-1 advance, null when none is configured. Euro cents. */
    front_minor: front_eur === null ? null : minorUnits(front_eur, "EUR", "front_eur", context),
    /** Monthly: the commission of each month (from year 2 after an advance, else from year 1). Annual: null. Euro cents. */
    air_minor: air_eur === null ? null : minorUnits(air_eur, "EUR", "air_eur", context),
  }));
export type Sale = z.infer<typeof sale>;
