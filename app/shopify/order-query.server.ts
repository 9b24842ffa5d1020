/**
 * Orders from the Admin API: one as it is now, or all that changed in a period. Refund and edit webhooks carry only
 * what changed, and webhooks get lost.
 */
import { AccessDenied, CostExceeded } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { AdminClient, AdminClientOptions } from "./graphql.server.ts";
import { LINES, ORDER, toShopOrder } from "./order-response.ts";
import type { ShopOrder } from "./order.ts";
import type { ParasolOrderFragment, ParasolOrderLinesQuery } from "./types/admin.generated.d.ts";

/**
 * The order as it is now; null where the shop has none.
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function fetchOrder(
  shop: string,
  orderId: string,
  options: Pick<AdminClientOptions, "isBackground"> = {},
): Promise<ShopOrder | null> {
  // The queue retries for longer, and its slots are few.
  const client = createAdminClient(shop, { attempts: 2, ...options });
  const { data, denied } = await client.requestAllowed(
    `#graphql
    query ParasolOrder($id: ID!) { order(id: $id) { ...ParasolOrder } }
    ${ORDER} ${LINES}`,
    { variables: { id: `gid://shopify/Order/${orderId}` }, requestedCost: ORDER_COST },
  );
  if (!data.order && denied.length > 0) {
    const context = { shop, operation: "ParasolOrder", requestId: null };
    throw new AccessDenied("the app is not given orders", context);
  }
  return data.order ? withAllLines(client, data.order) : null;
}

/** Requested cost of an order with its first lines, and of a page of 25 orders, by the platform's rules. */
export const ORDER_COST = 109;
export const PAGE_COST = 712;
/** Orders of a page, unless that costs too much. */
const PAGE_SIZE = 25;

export interface OrderPage {
  orders: ShopOrder[];
  /** where the next page starts; null after the last */
  next: string | null;
  /** the suggested size of the next page */
  size: number;
}

/**
 * Orders by their last change, one page at a time. A page whose cost the platform refuses is requested again at half
 * the size.
 * @param query in the platform's search syntax, e.g. `updated_at:>='2026-01-01T00:00:00Z'`
 * @throws AccessDenied, AdminRefused, AdminUnavailable, NoAccess
 */
export async function fetchOrders(
  shop: string,
  query: string,
  after: string | null,
  { size = PAGE_SIZE, signal }: { size?: number; signal?: AbortSignal } = {},
): Promise<OrderPage> {
  const client = createAdminClient(shop, { signal });
  try {
    const { data } = await client.requestAllowed(
      `#graphql
      query ParasolOrders($query: String!, $after: String, $size: Int!) {
        orders(first: $size, query: $query, after: $after, sortKey: UPDATED_AT) {
          nodes { ...ParasolOrder }
          pageInfo { hasNextPage endCursor }
        } }
      ${ORDER} ${LINES}`,
      { variables: { query, after, size }, requestedCost: PAGE_COST },
    );
    const { nodes, pageInfo } = data.orders;
    const orders: ShopOrder[] = [];
    for (const node of nodes) orders.push(await withAllLines(client, node));
    const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    return { orders, next, size };
  } catch (error) {
    if (!(error instanceof CostExceeded) || size === 1) throw error;
    return fetchOrders(shop, query, after, { size: Math.floor(size / 2), signal });
  }
}

/** Counts the orders that a query finds. @param query as for `fetchOrders` */
export async function countOrders(shop: string, query: string): Promise<number> {
  const { ordersCount } = await createAdminClient(shop).request(
    `#graphql
    query ParasolOrdersCount($query: String!) { ordersCount(query: $query, limit: null) { count } }`,
    { variables: { query } },
  );
  return ordersCount?.count ?? 0;
}

/** Fetches the rest of an order's lines, where there are more than one page. */
async function withAllLines(client: AdminClient, value: ParasolOrderFragment): Promise<ShopOrder> {
  const nodes = [...value.lineItems.nodes];
  let { hasNextPage, endCursor } = value.lineItems.pageInfo;
  while (hasNextPage) {
    const { order: more }: ParasolOrderLinesQuery = await client.request(
      `#graphql
      query ParasolOrderLines($id: ID!, $after: String) {
        order(id: $id) { lineItems(first: 250, after: $after) { ...ParasolLines } } }
      ${LINES}`,
      { variables: { id: value.id, after: endCursor } },
    );
    if (!more) break;
    nodes.push(...more.lineItems.nodes);
    ({ hasNextPage, endCursor } = more.lineItems.pageInfo);
  }
  return toShopOrder(value, nodes);
}
