import { z } from "zod";
import { claimStates } from "../../extensions/claim-states.ts";
import { claimant } from "./customer.ts";
import {
  type CentsOrUnits,
  centsOrUnits,
  currencyCode,
  date,
  id,
  isInUnits,
  minorUnits,
  openWord,
  orNull,
  withMoney,
} from "./fields.ts";
import type { Send } from "./request.ts";
import { type Listed, readWholeList } from "./list.ts";
import { megabytes } from "./response.ts";

/** Spec, "Claim (sinistre)". */
export const wireClaim = withMoney(
  z
    .object({
      id,
      approval_status: openWord(claimStates.approval),
      status: openWord(claimStates.status),
      claim_type: openWord(claimStates.type),
      customer: claimant,
      plan_id: id,
      filed_date: date,
      closed_date: orNull(date),
      compensation_amount: orNull(centsOrUnits),
      compensation_currency_code: orNull(currencyCode),
    })
    .transform((wire, context) => ({
      id: wire.id,
      /** `approved`, `refused` and `pending` are known; more may come. */
      approvalStatus: wire.approval_status,
      /** Processing status, open-ended: e.g. pending_repairs, pending_replacement. */
      status: wire.status,
      /** Open-ended: e.g. theft, breakage. */
      claimType: wire.claim_type,
      customer: wire.customer,
      /** The contract concerned. */
      planId: wire.plan_id,
      /** ISO 8601, see parseDate. */
      filedDate: wire.filed_date,
      /** ISO 8601, see parseDate; null while the claim is open. */
      closedDate: wire.closed_date,
      /** Compensation paid, integer minor units; null while none is decided (the insurer may leave it out). */
      compensationMinor: compensationOf(wire, context),
      compensationCurrency: wire.compensation_currency_code,
    })),
  "compensation_currency_code",
);
export type Claim = z.output<typeof wireClaim>;

function compensationOf(
  wire: { compensation_amount: CentsOrUnits | null; compensation_currency_code: string | null },
  context: z.RefinementCtx,
): number | null {
  const { compensation_amount: amount, compensation_currency_code: currency } = wire;
  if (amount === null) return null;
  return isInUnits(amount)
    ? minorUnits(amount, currency ?? "EUR", "compensation_amount", context)
    : Number(amount);
}

export interface ClaimQuery {
  planId?: string;
}

export function claims(send: Send, store: string) {
  /** Endpoint 7: all claims of the store, or those on one contract, without those that cannot be read. */
  const listReadable = ({ planId }: ClaimQuery = {}): Promise<Listed<Claim>> =>
    readWholeList(
      send,
      {
        method: "GET",
        endpoint: "claims",
        path: `${store}/claims`,
        query: { plan_id: planId },
        confidential: true,
        maxBytes: megabytes(planId === undefined ? 16 : 1),
      },
      { schema: wireClaim, name: "claims", isStrict: false },
    );
  return { listReadable };
}
