/** The online store's publication, to which plan products are published. */
import { z } from "zod";
import { readPublicationId, savePublicationId } from "#app/catalogue/settings.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { userErrors } from "#app/shopify/graphql.server.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";

/** The shop has no publication of the online store, so nothing can be sold there. */
export class NoOnlineStore extends ShopError {
  override name = "NoOnlineStore";
}

const publications = z.object({
  publications: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

/** The online store is a shop's first publication; where it is not, all are read. */
const PAGES = [1, 250];

/** The numeric id of the online store's publication. @throws NoOnlineStore */
export async function findOnlineStorePublication(adminClient: AdminClient): Promise<string> {
  const known = await readPublicationId(adminClient.shop);
  if (known !== null) return known;
  for (const first of PAGES) {
    const { publications: found } = await adminClient.request({
      query: `#graphql
      query ParasolPublications($first: Int!) { publications(first: $first) { nodes { id name } } }`,
      variables: { first },
      schema: publications,
    });
    const store = found.nodes.find(({ name }) => name === "Online Store");
    if (!store) continue;
    const id = numericId(store.id);
    await savePublicationId(adminClient.shop, id);
    return id;
  }
  throw new NoOnlineStore("the shop has no online store to publish to", {
    shop: adminClient.shop,
    operation: "ParasolPublications",
    requestId: null,
  });
}

const publishData = z.object({ publishablePublish: z.object({ userErrors }) });

export async function publishProduct(
  adminClient: AdminClient,
  publicationId: string,
  productId: string,
): Promise<void> {
  const { publishablePublish } = await adminClient.request({
    query: `#graphql
    mutation ParasolPublish($id: ID!, $input: [PublicationInput!]!) {
      publishablePublish(id: $id, input: $input) { userErrors { field message } }
    }`,
    variables: {
      id: gid("Product", productId),
      input: [{ publicationId: gid("Publication", publicationId) }],
    },
    schema: publishData,
  });
  const [error] = publishablePublish.userErrors;
  if (error) {
    throw new NoOnlineStore(error.message, {
      shop: adminClient.shop,
      operation: "ParasolPublish",
      requestId: null,
    });
  }
}
