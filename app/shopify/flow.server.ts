/** Starts Shopify Flow workflows with a trigger of the app (a `flow_trigger` extension). Needs no scope. */
import { createAdminClient } from "./graphql.server.ts";

/**
 * Sent once: a retry after a lost response could start the workflows twice.
 * @param payload by the trigger's keys; an order's is its number under `order_id`
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function triggerFlow(
  shop: string,
  handle: string,
  payload: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  await createAdminClient(shop, { attempts: 1, isBackground: true }).mutate(
    `#graphql
    mutation ParasolTriggerFlow($handle: String!, $payload: JSON!) {
      flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { field message } } }`,
    { variables: { handle, payload } },
  );
}
