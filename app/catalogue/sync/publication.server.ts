/** The sales channels of plan products: they are published to the online store, and to it alone. */
import { z } from "zod";
import { readPublicationId, savePublicationId } from "#app/catalogue/settings.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { joinMessages, userErrors } from "#app/shopify/graphql.server.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";

/** The shop has no publication of the online store, so nothing can be sold there. */
export class NoOnlineStore extends ShopError {
  override name = "NoOnlineStore";
}

const publications = z.object({
  publications: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        catalog: z
          .object({
            apps: z.object({ nodes: z.array(z.object({ handle: z.string().nullable() })) }).optional(),
          })
          .nullable(),
      }),
    ),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

/** The handle of the online store's app. A publication's name is in the shop's language. */
const ONLINE_STORE = "online_store";

/** The numeric id of the online store's publication. @throws NoOnlineStore */
export async function findOnlineStorePublication(adminClient: AdminClient): Promise<string> {
  const known = await readPublicationId(adminClient.shop);
  if (known !== null) return known;
  for (let after: string | null = null; ;) {
    const { publications: page }: z.infer<typeof publications> = await adminClient.request({
      query: `#graphql
      query ParasolPublications($after: String) {
        publications(first: 25, after: $after, catalogType: APP) {
          nodes { id catalog { ... on AppCatalog { apps(first: 1) { nodes { handle } } } } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
      variables: { after },
      schema: publications,
      requestedCost: 40,
    });
    const store = page.nodes.find(({ catalog }) =>
      catalog?.apps?.nodes.some(({ handle }) => handle === ONLINE_STORE),
    );
    if (store) {
      const id = numericId(store.id);
      await savePublicationId(adminClient.shop, id);
      return id;
    }
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
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

const unpublishData = z.object({ publishableUnpublish: z.object({ userErrors }) });

/** @returns why the platform refused; null where it did not */
export async function unpublishProduct(
  adminClient: AdminClient,
  productId: string,
  publicationIds: readonly string[],
): Promise<string | null> {
  const { publishableUnpublish } = await adminClient.request({
    query: `#graphql
    mutation ParasolUnpublish($id: ID!, $input: [PublicationInput!]!) {
      publishableUnpublish(id: $id, input: $input) { userErrors { field message } }
    }`,
    variables: {
      id: gid("Product", productId),
      input: publicationIds.map((id) => ({ publicationId: gid("Publication", id) })),
    },
    schema: unpublishData,
  });
  return publishableUnpublish.userErrors.length === 0 ? null : joinMessages(publishableUnpublish.userErrors);
}
