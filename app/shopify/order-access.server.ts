/** Queries the platform whether it lets the app read orders. */
import { z } from "zod";
import { AccessDenied } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";
import { judgeOrderAccess } from "./order-access.ts";
import type { OrderAccess } from "./order-access.ts";

const text = z.string().nullable();
const address = z
  .object({ firstName: text, lastName: text, address1: text, phone: text })
  .nullable()
  .transform((value) => (value && Object.values(value).some((part) => part !== null) ? value : null));
const latest = z.object({
  orders: z.object({
    nodes: z.array(
      z.object({
        sourceName: text,
        email: text,
        phone: text,
        billingAddress: address,
        shippingAddress: address,
      }),
    ),
  }),
});

/** @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
export async function readOrderAccess(shop: string, signal?: AbortSignal): Promise<OrderAccess> {
  const client = createAdminClient(shop, { signal, attempts: 2 });
  try {
    const { data, denied } = await client.requestAllowed({
      query: `#graphql
      query ParasolOrderAccess {
        orders(first: 5, reverse: true, sortKey: CREATED_AT) {
          nodes {
            sourceName email phone
            billingAddress { firstName lastName address1 phone }
            shippingAddress { firstName lastName address1 phone }
          }
        }
      }`,
      schema: latest,
    });
    return judgeOrderAccess(data.orders.nodes, denied);
  } catch (error) {
    if (error instanceof AccessDenied) return "none";
    throw error;
  }
}
