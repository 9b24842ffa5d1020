/** Starts the workflows of Shopify Flow that begin with a trigger of the app (a `flow_trigger` extension). Needs no scope. */
import { z } from "zod";
import { AdminRefused } from "./errors.ts";
import { createAdminClient, joinMessages, userErrors } from "./graphql.server.ts";

/**
 * Sent once: a repetition after a lost response could start the workflows twice.
 * @param payload by the trigger's keys; an order's is its number under `order_id`
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function triggerFlow(
  shop: string,
  handle: string,
  payload: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const { flowTriggerReceive } = await createAdminClient(shop, { attempts: 1, isBackground: true }).request({
    query: `#graphql
    mutation ParasolTriggerFlow($handle: String!, $payload: JSON!) {
      flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { field message } } }`,
    variables: { handle, payload },
    schema: z.object({ flowTriggerReceive: z.object({ userErrors }) }),
  });
  if (flowTriggerReceive.userErrors.length === 0) return;
  const message = joinMessages(flowTriggerReceive.userErrors);
  throw new AdminRefused(message, { shop, operation: "ParasolTriggerFlow", requestId: null });
}
