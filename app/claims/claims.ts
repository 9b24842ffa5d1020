/** Filters and order of the list of claims. The insurer returns all claims at once (spec, "Endpoints" 7). */
import { z } from "zod";
import type { Claim } from "#app/insurance/claims.ts";
import type { TextKey } from "#app/platform/keyset.ts";
import { type ListPage, pageOfList } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { approvals, stages } from "./claim-choices.ts";
import { cutText } from "#app/platform/storable-text.ts";

/** The filters of the list, as URL search parameters; a malformed one is ignored. */
export const claimFilter = z.object({
  approval: z.enum(approvals).nullable().catch(null),
  stage: z.enum(stages).nullable().catch(null),
  /** claims on one contract */
  plan: z.string().min(1).nullable().catch(null),
  /** in the contract's number, the claim's id, the customer's name or e-mail */
  query: z.string().min(1).nullable().catch(null),
});
export type ClaimFilter = z.infer<typeof claimFilter>;

function matches(claim: Claim, { approval, stage, plan, query }: ClaimFilter): boolean {
  if (approval !== null && claim.approvalStatus !== approval) return false;
  if (stage !== null && (claim.closedDate === null) !== (stage === "open")) return false;
  if (plan !== null && claim.planId !== plan) return false;
  if (query === null) return true;
  const { email, firstName, lastName } = claim.customer;
  const searchText = [claim.id, claim.planId, email, [firstName, lastName].join(" ")]
    .join("\n")
    .toLowerCase();
  return searchText.includes(query.toLowerCase());
}

/** Filed last comes first; the id decides between claims of one day. */
const keyOf = (claim: Claim): TextKey => [claim.filedDate, claim.id];

/** One page of the claims that the filter lets through. */
export function pageOfClaims(
  claims: Claim[],
  filter: ClaimFilter,
  request: PageRequest,
  size: number,
): ListPage<Claim> {
  const matching = claims.filter((claim) => matches(claim, filter));
  return pageOfList(matching, keyOf, request, size);
}

// What a contract's customer sees of its claims: what happened, its status and when. Nothing personal.

export const contractClaim = z.object({
  id: z.string(),
  /** open-ended: theft, breakage, … */
  type: z.string(),
  /** open-ended: approved, refused, pending */
  approval: z.string(),
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

/**
 * A contract's first claim is news if it was filed after the last check or within this time before it: the insurer may
 * list it later, and its day has no time.
 */
const NEW_MS = 2 * 24 * 3_600_000;

/**
 * The claims that are new or have another state.
 * @param announced as they were announced last; null: never, so what is old is no news
 * @param checkedAt when the claims were checked last
 */
export function changedClaims(
  claims: readonly ContractClaim[],
  announced: readonly ContractClaim[] | null,
  checkedAt: Date,
): ContractClaim[] {
  return claims.filter((claim) => {
    const previous = announced?.find(({ id }) => id === claim.id);
    if (!previous) return announced !== null || checkedAt.getTime() - Date.parse(claim.filedOn) < NEW_MS;
    return (
      previous.approval !== claim.approval ||
      previous.status !== claim.status ||
      previous.closedOn !== claim.closedOn
    );
  });
}
