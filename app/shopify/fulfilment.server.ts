/** Reads fulfilment orders and fulfils lines by hand. Both need the optional scopes (fulfilment.ts). */
import type { FulfilmentLine, FulfilmentOrder } from "./fulfilment.ts";
import { gid, numericId } from "./gid.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { AdminClient } from "./graphql.server.ts";
import type {
  ParasolFulfilmentLinesFragment,
  ParasolFulfilmentOrderLinesQuery,
  ParasolFulfilmentOrdersQuery,
} from "./types/admin.generated.d.ts";

const FULFILMENT_LINES = `#graphql
  fragment ParasolFulfilmentLines on FulfillmentOrderLineItemConnection {
    pageInfo { hasNextPage endCursor }
    nodes { id remainingQuantity lineItem { id currentQuantity } }
  }`;

/**
 * All pages: an order has up to 500 lines, and the same number of fulfilment orders. Null: the shop has no such
 * order.
 * @throws AdminRefused if the scope is missing; AdminUnavailable, NoAccess
 */
export async function readFulfilmentOrders(shop: string, orderId: string): Promise<FulfilmentOrder[] | null> {
  const client = createAdminClient(shop, { attempts: 2 });
  const read: FulfilmentOrder[] = [];
  let after: string | null = null;
  do {
    const { order }: ParasolFulfilmentOrdersQuery = await client.request(
      `#graphql
      query ParasolFulfilmentOrders($id: ID!, $after: String) { order(id: $id) {
        fulfillmentOrders(first: 10, after: $after) { pageInfo { hasNextPage endCursor } nodes {
          id supportedActions { action } lineItems(first: 100) { ...ParasolFulfilmentLines } } } } }
      ${FULFILMENT_LINES}`,
      { variables: { id: gid("Order", orderId), after }, requestedCost: 60 },
    );
    if (!order) return null;
    for (const { id, supportedActions, lineItems } of order.fulfillmentOrders.nodes) {
      const isOpen = supportedActions.some(({ action }) => action === "CREATE_FULFILLMENT");
      read.push({ id, isOpen, lines: await readLines(client, id, lineItems) });
    }
    after = nextPage(order.fulfillmentOrders.pageInfo);
  } while (after !== null);
  return read;
}

async function readLines(
  client: AdminClient,
  id: string,
  firstPage: ParasolFulfilmentLinesFragment,
): Promise<FulfilmentLine[]> {
  const nodes = [...firstPage.nodes];
  let after = nextPage(firstPage.pageInfo);
  while (after !== null) {
    const { fulfillmentOrder }: ParasolFulfilmentOrderLinesQuery = await client.request(
      `#graphql
      query ParasolFulfilmentOrderLines($id: ID!, $after: String) { fulfillmentOrder(id: $id) {
        lineItems(first: 250, after: $after) { ...ParasolFulfilmentLines } } }
      ${FULFILMENT_LINES}`,
      { variables: { id, after }, requestedCost: 30 },
    );
    if (!fulfillmentOrder) break;
    nodes.push(...fulfillmentOrder.lineItems.nodes);
    after = nextPage(fulfillmentOrder.lineItems.pageInfo);
  }
  return nodes.map(({ id: fulfilmentLineId, remainingQuantity, lineItem }) => ({
    id: fulfilmentLineId,
    lineId: numericId(lineItem.id),
    currentQuantity: lineItem.currentQuantity,
    remainingQuantity,
  }));
}

const nextPage = ({ hasNextPage, endCursor }: ParasolFulfilmentLinesFragment["pageInfo"]): string | null =>
  hasNextPage ? endCursor : null;

/**
 * Fulfils items of one fulfilment order. The customer is not notified, because nothing was shipped. Sent once: a
 * retry could fulfil another item.
 * @throws AdminRefused if Shopify does not accept it; AdminUnavailable, NoAccess
 */
export async function createFulfilment(
  shop: string,
  fulfilmentOrderId: string,
  lines: { id: string; quantity: number }[],
): Promise<void> {
  await createAdminClient(shop, { attempts: 1 }).mutate(
    `#graphql
    mutation ParasolFulfil($fulfillment: FulfillmentInput!) {
      fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { message } } }`,
    {
      variables: {
        fulfillment: {
          notifyCustomer: false,
          lineItemsByFulfillmentOrder: [
            { fulfillmentOrderId: fulfilmentOrderId, fulfillmentOrderLineItems: lines },
          ],
        },
      },
    },
  );
}
