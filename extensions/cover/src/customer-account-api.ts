/** Orders and their covers from the platform's Customer Account API, which shows each customer their own alone. */
import { readCover } from "./cover.ts";
import type { OrderCover } from "./cover.ts";

const ENDPOINT = "shopify://customer-account/api/2026-07/graphql.json";

export interface CoveredOrder {
  id: string;
  /** `#1001` */
  name: string;
  /** when it was placed, ISO 8601 */
  placedAt: string;
  cover: OrderCover;
}

export interface CoveredOrders {
  orders: CoveredOrder[];
  /** where the next page begins; null: there is none */
  next: string | null;
}

interface MetafieldAnswer {
  value?: unknown;
}

/** What the platform answers, as far as it is asked for; each part may be missing. */
interface Answer {
  data?: {
    order?: { metafield?: MetafieldAnswer | null } | null;
    customer?: {
      orders?: {
        nodes?: { id: string; name: string; processedAt: string; metafield?: MetafieldAnswer | null }[];
        pageInfo?: { hasNextPage?: boolean; endCursor?: string | null };
      };
    } | null;
  } | null;
}

/** @throws Error where the platform does not answer */
async function query(text: string, variables: Record<string, unknown>): Promise<Answer> {
  const response = await fetch(ENDPOINT, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: text, variables }),
  });
  if (!response.ok) throw new Error(`The Customer Account API answered ${response.status}`);
  return (await response.json()) as Answer;
}

/** The cover of one order as it is now; null where it cannot be read. @throws Error */
export async function fetchOrderCover(orderId: string): Promise<OrderCover | null> {
  const { data } = await query(
    `query ParasolOrderCover($id: ID!) { order(id: $id) { metafield(namespace: "$app", key: "cover") { value } } }`,
    { id: orderId },
  );
  return readCover(data?.order?.metafield?.value);
}

/** The customer's orders that have cover, the newest first, of one page of orders. @throws Error */
export async function fetchCoveredOrders(after: string | null): Promise<CoveredOrders> {
  const { data } = await query(
    `query ParasolCoveredOrders($after: String) { customer {
      orders(first: 50, after: $after, sortKey: PROCESSED_AT, reverse: true) {
        nodes { id name processedAt metafield(namespace: "$app", key: "cover") { value } }
        pageInfo { hasNextPage endCursor } } } }`,
    { after },
  );
  const found = data?.customer?.orders;
  if (!found) throw new Error("The Customer Account API shows no orders");
  const orders = (found.nodes ?? []).flatMap(({ id, name, processedAt, metafield }) => {
    const cover = readCover(metafield?.value);
    return cover ? [{ id, name, placedAt: processedAt, cover }] : [];
  });
  return { orders, next: found.pageInfo?.hasNextPage ? (found.pageInfo.endCursor ?? null) : null };
}
