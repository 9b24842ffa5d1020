/**
 * The link to an order's page of withdrawal. It is in the order's cover (app/plans/order-cover) and names no person:
 * everybody who sees the order's page has it, guests too.
 */
import { env } from "#app/platform/env.server.ts";
import { signPart, takeSignedLink } from "#app/platform/signed-link.server.ts";

export function withdrawalLink(shop: string, orderId: string): string {
  return `${env.SHOPIFY_APP_URL}/withdrawals/${shop}/${signPart("withdrawal links", shop, orderId)}`;
}

/**
 * The shop and order of a link's address. Null: its signature is not valid.
 * @throws Response 429
 */
export async function readWithdrawalLink(params: {
  shop?: string;
  link?: string;
}): Promise<{ shop: string; orderId: string } | null> {
  const taken = await takeSignedLink("withdrawal links", params);
  return taken && { shop: taken.shop, orderId: taken.id };
}
