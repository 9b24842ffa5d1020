/** What a contract's customer sees of its claims: what happened, its status and when. Nothing personal. */
import { z } from "zod";
import type { Claim } from "#app/insurance/claims.ts";
import { cutText } from "#app/platform/storable-text.ts";

export const contractClaim = z.object({
  id: z.string(),
  /** open-ended: theft, breakage, … */
  type: z.string(),
  approval: z.enum(["approved", "refused", "pending"]),
  /** open-ended: pending_repairs, … */
  status: z.string(),
  /** a day or a moment, ISO 8601 */
  filedOn: z.string(),
  /** null while it is open */
  closedOn: z.string().nullable(),
});
export type ContractClaim = z.infer<typeof contractClaim>;

/** Of a contract; who has more has them at the insurer. */
const MOST_CLAIMS = 20;
const MAX_TEXT = 80;

/**
 * The latest claims on one contract. The query names that contract alone, and its response is filtered again: another
 * customer's claim must not be shown.
 */
export function claimsOn(contractId: string, claims: readonly Claim[]): ContractClaim[] {
  return claims
    .filter(({ planId }) => planId === contractId)
    .sort((a, b) => b.filedDate.localeCompare(a.filedDate))
    .slice(0, MOST_CLAIMS)
    .map((claim) => ({
      id: cutText(claim.id, MAX_TEXT),
      type: cutText(claim.claimType, MAX_TEXT),
      approval: claim.approvalStatus,
      status: cutText(claim.status, MAX_TEXT),
      filedOn: claim.filedDate,
      closedOn: claim.closedDate,
    }));
}
