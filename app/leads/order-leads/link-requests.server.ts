/** Requests for a quote's link: anybody may send them, and only those that the app has signed cost the database anything. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { findLinkedLead } from "./open.server.ts";
import type { LinkedLead } from "./open.server.ts";
import { readLink } from "./link.server.ts";

/** Whoever has a link cannot invent another one: each is counted by itself. */
export const linkLimits = { requests: 30, seconds: 60 } as const;
const requests = new RateLimiterMemory({ points: linkLimits.requests, duration: linkLimits.seconds });

/**
 * The quote of a link's address. Null: there is none.
 * @throws Response 429
 */
export async function findSignedLead({
  shop,
  link,
}: {
  shop?: string;
  link?: string;
}): Promise<(LinkedLead & { shop: string }) | null> {
  const linkId = readLink(shop ?? "", link ?? "");
  if (linkId === null || shop === undefined) return null;
  try {
    await requests.consume(linkId);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const retryAfter = String(Math.ceil(refused.msBeforeNext / 1_000));
    throw new Response(null, { status: 429, headers: { "retry-after": retryAfter } });
  }
  const lead = await findLinkedLead(shop, linkId);
  return lead && { ...lead, shop };
}
