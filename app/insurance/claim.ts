import { z } from "zod";
import { customer } from "./customer.ts";
import { date } from "./dates.ts";
import { currencyCode, id } from "./fields.ts";

/** Spec, "Claim (sinistre)". */
export const claim = z.object({
  id,
  approval_status: z.enum(["approved", "refused", "pending"]),
  /** Processing status, open-ended: e.g. pending_repairs, pending_replacement. */
  status: z.string(),
  /** Open-ended: e.g. theft, breakage. */
  claim_type: z.string(),
  customer,
  /** The contract concerned. */
  plan_id: id,
  /** ISO 8601, see parseDate. */
  filed_date: date,
  /** ISO 8601, see parseDate; null while the claim is open. */
  closed_date: date.nullish().transform((value) => value ?? null),
  /** Compensation paid, integer minor units; null while none is decided (the service may leave it out). */
  compensation_amount: z
    .int()
    .nullish()
    .transform((value) => value ?? null),
  compensation_currency_code: currencyCode.nullish().transform((value) => value ?? null),
});
export type Claim = z.infer<typeof claim>;
