/** Requests for a quote's link. */
import { takeSignedLink } from "#app/platform/signed-link.server.ts";
import { findLinkedLead } from "./open.server.ts";
import type { LinkedLead } from "./open.server.ts";

/**
 * The quote of a link's address. Null: there is none.
 * @throws Response 429
 */
export async function findSignedLead(params: {
  shop?: string;
  link?: string;
}): Promise<(LinkedLead & { shop: string }) | null> {
  const taken = await takeSignedLink("quote links", params);
  const lead = taken && (await findLinkedLead(taken.shop, taken.id));
  return lead && { ...lead, shop: taken.shop };
}
