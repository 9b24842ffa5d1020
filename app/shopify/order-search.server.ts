/** Searches the shop's orders by their customer, in Shopify: the app keeps customers sealed and has no index of them. */
import { log } from "#app/platform/log.server.ts";
import { ShopError } from "./errors.ts";
import { numericId } from "./gid.ts";
import { createAdminClient } from "./graphql.server.ts";

/** Of one search; Shopify's cost of them is small. */
const MAX_ORDERS = 100;
/** A person waits. */
const TIMEOUT_MS = 3_000;

/**
 * Ids of orders in which Shopify finds each word, latest first. Its search looks at more than the customer, so the
 * caller checks them. Without the scope `read_all_orders`, Shopify searches the last 60 days.
 * @returns null: Shopify refuses, or does not answer in time
 */
export async function searchOrders(shop: string, words: readonly string[]): Promise<string[] | null> {
  // A term in Shopify's search syntax. Signs would be operators.
  const terms = words.flatMap((word) => word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  if (terms.length === 0) return [];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { orders } = await createAdminClient(shop, { signal, attempts: 1 }).request(
      `#graphql
      query ParasolOrderSearch($query: String!, $size: Int!) {
        orders(first: $size, query: $query, sortKey: PROCESSED_AT, reverse: true) { nodes { id } } }`,
      { variables: { query: terms.map((term) => `${term}*`).join(" "), size: MAX_ORDERS } },
    );
    return orders.nodes.map(({ id }) => numericId(id));
  } catch (error) {
    if (!(error instanceof ShopError) && !signal.aborted) throw error;
    log.warn({ err: error, shop }, "Failed to search the shop's orders by their customer");
    return null;
  }
}
