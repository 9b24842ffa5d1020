/** The sales channels of plan products: the online store only. */
import { forgetPublicationId, readPublicationId, savePublicationId } from "#app/catalogue/settings.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { ShopError, UserErrors, joinMessages } from "#app/shopify/errors.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { ParasolPublicationsQuery } from "#app/shopify/types/admin.generated.d.ts";
import type { FoundProduct } from "./plan-product-state.ts";
import type { SyncContext } from "./sync-context.server.ts";

/** The shop has no publication of the online store, so nothing can be sold there. */
export class NoOnlineStore extends ShopError {
  override name = "NoOnlineStore";
}

/** The handle of the online store's app: the name of a publication depends on the shop's language. */
const ONLINE_STORE = "online_store";

/** The numeric id of the online store's publication. @throws NoOnlineStore */
export async function findOnlineStorePublication(adminClient: AdminClient): Promise<string> {
  const cachedId = await readPublicationId(adminClient.shop);
  if (cachedId !== null) return cachedId;
  for (let after: string | null = null; ;) {
    const { publications: page }: ParasolPublicationsQuery = await adminClient.request(
      `#graphql
      query ParasolPublications($after: String) {
        publications(first: 25, after: $after, catalogType: APP) {
          nodes { id catalog { ... on AppCatalog { apps(first: 1) { nodes { handle } } } } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
      { variables: { after }, requestedCost: 40 },
    );
    const store = page.nodes.find(
      ({ catalog }) =>
        catalog && "apps" in catalog && catalog.apps.nodes.some(({ handle }) => handle === ONLINE_STORE),
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

/**
 * Publishes a product to the online store.
 * @throws NoOnlineStore if Shopify refuses. The next sync reads the publication's id again, because a shop that
 * removes and adds the online store gets a new one
 */
export async function publishProduct(
  adminClient: AdminClient,
  publicationId: string,
  productId: string,
): Promise<void> {
  try {
    await adminClient.mutate(
      `#graphql
      mutation ParasolPublish($id: ID!, $input: [PublicationInput!]!) {
        publishablePublish(id: $id, input: $input) { userErrors { field message } }
      }`,
      { variables: publicationVariables(productId, [publicationId]) },
    );
  } catch (error) {
    if (!(error instanceof UserErrors)) throw error;
    await forgetPublicationId(adminClient.shop);
    throw new NoOnlineStore(joinMessages(error.errors), error);
  }
}

/** @throws UserErrors if Shopify refuses */
export async function unpublishProduct(
  adminClient: AdminClient,
  productId: string,
  publicationIds: readonly string[],
): Promise<void> {
  await adminClient.mutate(
    `#graphql
    mutation ParasolUnpublish($id: ID!, $input: [PublicationInput!]!) {
      publishableUnpublish(id: $id, input: $input) { userErrors { field message } }
    }`,
    { variables: publicationVariables(productId, publicationIds) },
  );
}

function publicationVariables(productId: string, publicationIds: readonly string[]) {
  return {
    id: gid("Product", productId),
    input: publicationIds.map((id) => ({ publicationId: gid("Publication", id) })),
  };
}

// Removes plan products from every channel but the online store. Shopify puts new products on each channel with
// automatic publishing, and only the online store's pages sell a plan together with its product.

export async function leaveOtherChannels(
  { adminClient, report, signal }: SyncContext,
  products: readonly FoundProduct[],
): Promise<void> {
  for (const { productId, otherPublications } of products) {
    if (otherPublications.length === 0) continue;
    signal.throwIfAborted();
    try {
      await unpublishProduct(adminClient, productId, otherPublications);
      report.count("channels_left", otherPublications.length);
    } catch (error) {
      if (!(error instanceof UserErrors)) throw error;
      const detail = joinMessages(error.errors);
      await report.problems([{ productId, problem: "not_unpublished", detail }]);
    }
  }
}
