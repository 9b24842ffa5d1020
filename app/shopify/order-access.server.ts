/** Whether the platform lets the app read orders. */
import { AccessDenied } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";
import { judgeOrderAccess } from "./order-access.ts";
import type { OrderAccess } from "./order-access.ts";

/** @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
export async function readOrderAccess(shop: string, signal?: AbortSignal): Promise<OrderAccess> {
  const client = createAdminClient(shop, { signal, attempts: 2 });
  try {
    const { data, denied } = await client.requestAllowed(
      `#graphql
      query ParasolOrderAccess {
        orders(first: 5, reverse: true, sortKey: CREATED_AT) {
          nodes {
            sourceName email phone
            billingAddress { firstName lastName address1 phone }
            shippingAddress { firstName lastName address1 phone }
          }
        }
      }`,
      {},
    );
    return judgeOrderAccess(data.orders.nodes, denied);
  } catch (error) {
    if (error instanceof AccessDenied) return "none";
    throw error;
  }
}
