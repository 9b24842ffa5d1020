/**
 * The link to an order's page of withdrawal. It stands on the order (app/plans/order-cover) and names nobody: whoever
 * sees the order's page has it, guests too.
 */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "#app/platform/env.server.ts";
import { readSignedPart, signPart } from "#app/platform/signed-part.server.ts";

export function withdrawalLink(shop: string, orderId: string): string {
  return `${env.SHOPIFY_APP_URL}/withdrawals/${shop}/${signPart("withdrawal links", shop, orderId)}`;
}

/** Whoever has a link cannot invent another one: each is counted by itself. */
const requests = new RateLimiterMemory({ points: 30, duration: 60 });

/**
 * The shop and order of a link's address. Null: it is none of ours.
 * @throws Response 429
 */
export async function readWithdrawalLink({
  shop = "",
  link = "",
}: {
  shop?: string;
  link?: string;
}): Promise<{ shop: string; orderId: string } | null> {
  const orderId = readSignedPart("withdrawal links", shop, link);
  if (orderId === null) return null;
  try {
    await requests.consume(`${shop} ${orderId}`);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const retryAfter = String(Math.ceil(refused.msBeforeNext / 1_000));
    throw new Response(null, { status: 429, headers: { "retry-after": retryAfter } });
  }
  return { shop, orderId };
}
