/** Reads fulfilment orders and fulfils lines by hand. Both need the optional scopes (fulfilment.ts). */
import { z } from "zod";
import { AdminRefused } from "./errors.ts";
import type { FulfilmentLine, FulfilmentOrder } from "./fulfilment.ts";
import { numericId } from "./gid.ts";
import { createAdminClient } from "./graphql.server.ts";

const fulfilmentOrders = z.object({
  order: z
    .object({
      fulfillmentOrders: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            supportedActions: z.array(z.object({ action: z.string() })),
            lineItems: z.object({
              nodes: z.array(
                z.object({
                  id: z.string(),
                  remainingQuantity: z.int(),
                  lineItem: z.object({ id: z.string(), currentQuantity: z.int() }),
                }),
              ),
            }),
          }),
        ),
      }),
    })
    .nullable(),
});

/**
 * Null: the shop does not show such an order.
 * @throws AdminRefused where the scope is missing; AdminUnavailable, NoAccess
 */
export async function readFulfilmentOrders(shop: string, orderId: string): Promise<FulfilmentOrder[] | null> {
  const { order } = await createAdminClient(shop, { attempts: 2 }).request({
    query: `#graphql
    query ParasolFulfilmentOrders($id: ID!) { order(id: $id) {
      fulfillmentOrders(first: 10) { nodes {
        id supportedActions { action }
        lineItems(first: 100) { nodes { id remainingQuantity lineItem { id currentQuantity } } }
      } } } }`,
    variables: { id: `gid://shopify/Order/${orderId}` },
    schema: fulfilmentOrders,
    requestedCost: 60,
  });
  return (
    order &&
    order.fulfillmentOrders.nodes.map(({ id, supportedActions, lineItems }) => ({
      id,
      isOpen: supportedActions.some(({ action }) => action === "CREATE_FULFILLMENT"),
      lines: lineItems.nodes.map((line): FulfilmentLine => ({
        id: line.id,
        lineId: numericId(line.lineItem.id),
        currentQuantity: line.lineItem.currentQuantity,
        remainingQuantity: line.remainingQuantity,
      })),
    }))
  );
}

/**
 * Fulfils pieces of one fulfilment order; the customer is not notified, nothing was sent. Sent once: a repetition could
 * fulfil another piece.
 * @throws AdminRefused where the platform does not accept it; AdminUnavailable, NoAccess
 */
export async function createFulfilment(
  shop: string,
  fulfilmentOrderId: string,
  lines: { id: string; quantity: number }[],
): Promise<void> {
  const { fulfillmentCreate } = await createAdminClient(shop, { attempts: 1 }).request({
    query: `#graphql
    mutation ParasolFulfil($fulfillment: FulfillmentInput!) {
      fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { message } } }`,
    variables: {
      fulfillment: {
        notifyCustomer: false,
        lineItemsByFulfillmentOrder: [
          { fulfillmentOrderId: fulfilmentOrderId, fulfillmentOrderLineItems: lines },
        ],
      },
    },
    schema: z.object({
      fulfillmentCreate: z.object({ userErrors: z.array(z.object({ message: z.string() })) }),
    }),
  });
  const [problem] = fulfillmentCreate.userErrors;
  if (problem) throw new AdminRefused(problem.message, { shop, operation: "ParasolFulfil", requestId: null });
}
