/**
 * GET /account/orders?ids=1,2 with a customer's session token, for the page "My insurance" in their account
 * (extensions/cover). It returns the claims on their contracts and the link to insure the other items. The audit log is
 * about the merchant's staff, so these requests are not in it; only failures are logged.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { MOST_ORDERS, readCustomerOrders } from "#app/claims/customer-orders.server.ts";
import { authenticateCustomer, readable } from "#app/shopify/customer-token.server.ts";
import { accountsOf, inShopSlot } from "#app/shopify/proxy-limits.server.ts";

const orderIds = z
  .string()
  .max(MOST_ORDERS * 21)
  .transform((text) => [...new Set(text.split(","))])
  .pipe(
    z
      .array(z.string().regex(/^\d{1,20}$/))
      .min(1)
      .max(MOST_ORDERS),
  );

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const customer = await authenticateCustomer(request);
  if (customer.type === "refused") return customer.response;
  const { shop, customerId, answer } = customer;
  const ids = orderIds.safeParse(new URL(request.url).searchParams.get("ids") ?? "");
  if (!ids.success) return answer({ error: `ids: up to ${MOST_ORDERS} orders, separated by commas` }, 400);
  const read = () => readCustomerOrders(shop, customerId, ids.data);
  try {
    const merchant = await findMerchant(shop);
    if (merchant?.uninstalledAt !== null) return answer({ error: "This shop does not have the app" }, 404);
    return answer({ orders: await inShopSlot(accountsOf(shop), ids.data.length, read) });
  } catch (thrown) {
    throw thrown instanceof Response ? readable(thrown) : thrown;
  }
}
