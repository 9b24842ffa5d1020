/** Adds tags to an order and removes tags from it. Needs the optional scope `write_orders`. */
import { gid } from "./gid.ts";
import { createAdminClient } from "./graphql.server.ts";

/**
 * The order's other tags stay. Repeating it changes nothing.
 * @throws UserErrors, AdminRefused if Shopify does not accept it; AdminUnavailable, NoAccess
 */
export async function changeOrderTags(
  shop: string,
  orderId: string,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const client = createAdminClient(shop, { attempts: 2 });
  const id = gid("Order", orderId);
  if (add.length > 0)
    await client.mutate(
      `#graphql
      mutation ParasolAddTags($id: ID!, $tags: [String!]!) {
        tagsAdd(id: $id, tags: $tags) { userErrors { field message } } }`,
      { variables: { id, tags: [...add] } },
    );
  if (remove.length > 0)
    await client.mutate(
      `#graphql
      mutation ParasolRemoveTags($id: ID!, $tags: [String!]!) {
        tagsRemove(id: $id, tags: $tags) { userErrors { field message } } }`,
      { variables: { id, tags: [...remove] } },
    );
}
