/** Orders and their covers from Shopify's Customer Account API, which returns a customer's own orders alone. */
import { partOf, text } from "../../parts.ts";
import { readCover } from "./cover.ts";
import type { OrderCover } from "./cover.ts";

const ENDPOINT = "shopify://customer-account/api/2026-07/graphql.json";

export interface CoveredOrder {
  id: string;
  /** `#1001` */
  name: string;
  /** when the order was placed, ISO 8601 */
  placedAt: string;
  cover: OrderCover;
}

export interface CoveredOrders {
  orders: CoveredOrder[];
  /** cursor of the next page; null: none */
  next: string | null;
}

/** @throws Error if Shopify does not answer */
async function ask(query: string, variables: Record<string, unknown>): Promise<unknown> {
  const response = await fetch(ENDPOINT, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  if (!response.ok) throw new Error(`The Customer Account API answered ${response.status}`);
  return response.json();
}

/** The current cover of one order; null: unreadable. @throws Error */
export async function fetchOrderCover(orderId: string): Promise<OrderCover | null> {
  const answer = await ask(
    `query ParasolOrderCover($id: ID!) { order(id: $id) { metafield(namespace: "$app", key: "cover") { value } } }`,
    { id: orderId },
  );
  return readCover(partOf(answer, "data", "order", "metafield", "value"));
}

/** The customer's orders with cover, newest first, of one page of orders. @throws Error */
export async function fetchCoveredOrders(after: string | null): Promise<CoveredOrders> {
  const answer = await ask(
    `query ParasolCoveredOrders($after: String) { customer {
      orders(first: 50, after: $after, sortKey: PROCESSED_AT, reverse: true) {
        nodes { id name processedAt metafield(namespace: "$app", key: "cover") { value } }
        pageInfo { hasNextPage endCursor } } } }`,
    { after },
  );
  const found = partOf(answer, "data", "customer", "orders");
  const nodes = partOf(found, "nodes");
  if (!Array.isArray(nodes)) throw new Error("The Customer Account API shows no orders");
  const isLast = partOf(found, "pageInfo", "hasNextPage") !== true;
  return {
    orders: nodes.flatMap(readOrder),
    next: isLast ? null : text(partOf(found, "pageInfo", "endCursor")),
  };
}

/** A list with the order if it has a cover; otherwise, or if it is unreadable, an empty list. */
function readOrder(node: unknown): CoveredOrder[] {
  const [id, name, placedAt] = ["id", "name", "processedAt"].map((field) => text(partOf(node, field)));
  const cover = readCover(partOf(node, "metafield", "value"));
  return id && name && placedAt && cover ? [{ id, name, placedAt, cover }] : [];
}
