/** App-data metafields: owned by the app's installation, read by the theme extension, out of the merchant's reach. */
import { MetafieldsRefused, UserErrors, joinMessages } from "./errors.ts";
import type { AdminClient } from "./graphql.server.ts";

/** The owner of app-data metafields. */
export async function fetchInstallationId(client: AdminClient): Promise<string> {
  const { currentAppInstallation } = await client.request(
    `#graphql
    query ParasolInstallation { currentAppInstallation { id } }`,
    { requestedCost: 1 },
  );
  return currentAppInstallation.id;
}

/** The owners of what the app writes about the shop as a whole, as global ids. */
export async function fetchOwnerIds(
  client: AdminClient,
): Promise<{ installationId: string; shopId: string }> {
  const { currentAppInstallation, shop } = await client.request(
    `#graphql
    query ParasolOwners { currentAppInstallation { id } shop { id } }`,
    { requestedCost: 2 },
  );
  return { installationId: currentAppInstallation.id, shopId: shop.id };
}

export interface AppMetafield {
  namespace: string;
  key: string;
  type: "json" | "boolean";
  value: string;
}

/** A metafield with its owner, as a global id. */
export interface OwnedMetafield extends AppMetafield {
  ownerId: string;
}

/** Writes up to 25 metafields of the app's own at once: all or none. @throws MetafieldsRefused */
export async function setMetafields(
  client: AdminClient,
  metafields: readonly OwnedMetafield[],
): Promise<void> {
  try {
    await client.mutate(
      `#graphql
      mutation ParasolSetAppData($metafields: [MetafieldsSetInput!]!) {
        metafieldsSet(metafields: $metafields) { userErrors { field message code } }
      }`,
      { variables: { metafields: [...metafields] } },
    );
  } catch (error) {
    if (!(error instanceof UserErrors)) throw error;
    throw new MetafieldsRefused(joinMessages(error.errors), error);
  }
}

/** Writes up to 25 metafields of one owner at once: all or none. @throws MetafieldsRefused */
export async function setAppMetafields(
  client: AdminClient,
  ownerId: string,
  metafields: readonly AppMetafield[],
): Promise<void> {
  await setMetafields(
    client,
    metafields.map((metafield) => ({ ownerId, ...metafield })),
  );
}
