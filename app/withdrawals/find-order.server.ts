/** How a customer finds their order's page of withdrawal without its link. */
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";

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
