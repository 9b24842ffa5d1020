/** Filters and order of the list of claims. The service returns all claims at once (spec, "Endpoints" 7). */
import { z } from "zod";
import type { Claim } from "#app/insurance/claim.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";

export const approvals = ["pending", "approved", "refused"] as const;
export const stages = ["open", "closed"] as const;

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
export const claimFilterNames = Object.keys(claimFilter.shape);

function matches(claim: Claim, { approval, stage, plan, query }: ClaimFilter): boolean {
  if (approval !== null && claim.approval_status !== approval) return false;
  if (stage !== null && (claim.closed_date === null) !== (stage === "open")) return false;
  if (plan !== null && claim.plan_id !== plan) return false;
  if (query === null) return true;
  const { email, first_name, last_name } = claim.customer;
  const searchText = [claim.id, claim.plan_id, email, [first_name, last_name].join(" ")]
    .join("\n")
    .toLowerCase();
  return searchText.includes(query.toLowerCase());
}

/** Filed last comes first; the id decides between claims of one day. */
const sortKey = (claim: Claim) => `${claim.filed_date}|${claim.id}`;

/** One page of the claims that the filter lets through. */
export function pageOfClaims(
  claims: Claim[],
  filter: ClaimFilter,
  request: PageRequest,
  size: number,
): ListPage<Claim> {
  const { after, before } = request;
  const sorted = claims
    .filter((claim) => matches(claim, filter))
    .map((claim) => ({ claim, key: sortKey(claim) }))
    .sort((a, b) => (a.key < b.key ? 1 : -1));
  const found =
    before === null
      ? sorted.filter(({ key }) => after === null || key < after).slice(0, size + 1)
      : sorted
          .filter(({ key }) => key > before)
          .reverse()
          .slice(0, size + 1);
  const page = toListPage(found, size, request, ({ key }) => key);
  return { ...page, items: page.items.map(({ claim }) => claim) };
}
