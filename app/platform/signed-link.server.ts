/** Requests for an address with a signed part: anybody may send them, and only those that the app has signed are counted. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import { countRequest, tooManyRequests } from "./request-limit.server.ts";
import { readSignedPart } from "./signed-part.server.ts";
import type { SignedPurpose } from "./signed-part.server.ts";

/** Whoever has a link cannot invent another one: each is counted by itself. */
const requests = new RateLimiterMemory({ points: 30, duration: 60 });

/**
 * The shop and the signed id of an address `…/:shop/:link`. Null: its signature is not valid.
 * @throws Response 429
 */
export async function takeSignedLink(
  purpose: SignedPurpose,
  { shop = "", link = "" }: { shop?: string; link?: string },
): Promise<{ shop: string; id: string } | null> {
  const id = readSignedPart(purpose, shop, link);
  if (id === null) return null;
  const retryAfter = await countRequest(requests, `${purpose} ${shop} ${id}`);
  if (retryAfter !== null) throw tooManyRequests(retryAfter);
  return { shop, id };
}
