/** Filters and order of the list of claims. The service returns all claims at once (spec, "Endpoints" 7). */
import { z } from "zod";
import type { Claim } from "#app/insurance/claims.ts";
import { readKeyset, textKey } from "#app/platform/keyset.ts";
import type { TextKey } from "#app/platform/keyset.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { approvals, stages } from "./claim-choices.ts";

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

/** Below zero where `a` comes before `b`. */
function compare([dayA, idA]: TextKey, [dayB, idB]: TextKey): number {
  if (dayA !== dayB) return dayA < dayB ? 1 : -1;
  return idA === idB ? 0 : idA < idB ? 1 : -1;
}

/** One page of the claims that the filter lets through. */
export function pageOfClaims(
  claims: Claim[],
  filter: ClaimFilter,
  request: PageRequest,
  size: number,
): ListPage<Claim> {
  const keyset = readKeyset(textKey, request);
  const { key, backwards } = keyset;
  const direction = backwards ? -1 : 1;
  const found = claims
    .filter((claim) => matches(claim, filter))
    .filter((claim) => key === null || compare(keyOf(claim), key) * direction > 0)
    .sort((a, b) => compare(keyOf(a), keyOf(b)) * direction)
    .slice(0, size + 1);
  return toListPage(found, size, keyset, keyOf);
}
