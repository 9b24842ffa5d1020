/**
 * The link to an order's page of withdrawal. It is in the order's cover (app/issuing/shop-steps.ts) and names no person:
 * everybody who sees the order's page has it, guests too.
 */
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { signPart, takeSignedLink } from "#app/platform/signed-link.server.ts";

export function withdrawalLink(shop: string, orderId: string): string {
  return `${env.SHOPIFY_APP_URL}/withdrawals/${shop}/${signPart("withdrawal links", shop, orderId)}`;
}

/**
 * The shop and order of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readWithdrawalLink(params: {
  shop?: string;
  link?: string;
}): Promise<{ shop: string; orderId: string } | null> {
  const taken = await takeSignedLink("withdrawal links", params);
  return taken && { shop: taken.shop, orderId: taken.id };
}

/** The page where a shop's customers find their order's. */
export const withdrawalSearch = (shop: string): string => `${env.SHOPIFY_APP_URL}/withdrawals/${shop}`;

/** @param name the order's, `1001` or `#1001` @returns null: there is no such order of this address */
export async function findWithdrawalLink(shop: string, name: string, email: string): Promise<string | null> {
  const order = await db.order.findFirst({
    where: {
      shop,
      name: { in: [name, `#${name}`] },
      emailDigest: digest(await dataKeyOf(shop), email),
    },
    select: { orderId: true },
    orderBy: { purchasedAt: "desc" },
  });
  return order && withdrawalLink(shop, order.orderId);
}
