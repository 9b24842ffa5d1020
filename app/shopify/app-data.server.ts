/** App-data metafields: owned by the app's installation, read by the theme extension, out of the merchant's reach. */
import { z } from "zod";
import { MetafieldsRefused } from "./errors.ts";
import { joinMessages, userErrors } from "./graphql.server.ts";
import type { AdminClient } from "./graphql.server.ts";

const installation = z.object({ currentAppInstallation: z.object({ id: z.string() }) });
const metafieldsSetResponse = z.object({ metafieldsSet: z.object({ userErrors }) });

/** The owner of app-data metafields. */
export async function fetchInstallationId(client: AdminClient): Promise<string> {
  const { currentAppInstallation } = await client.request({
    query: `#graphql
    query ParasolInstallation { currentAppInstallation { id } }`,
    schema: installation,
    requestedCost: 1,
  });
  return currentAppInstallation.id;
}

const owners = z.object({
  currentAppInstallation: z.object({ id: z.string() }),
  shop: z.object({ id: z.string() }),
});

/** The owners of what the app writes about the shop as a whole, as global ids. */
export async function fetchOwnerIds(
  client: AdminClient,
): Promise<{ installationId: string; shopId: string }> {
  const { currentAppInstallation, shop } = await client.request({
    query: `#graphql
    query ParasolOwners { currentAppInstallation { id } shop { id } }`,
    schema: owners,
    requestedCost: 2,
  });
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
  const { metafieldsSet } = await client.request({
    query: `#graphql
    mutation ParasolSetAppData($metafields: [MetafieldsSetInput!]!) {
      metafieldsSet(metafields: $metafields) { userErrors { field message code } }
    }`,
    variables: { metafields },
    schema: metafieldsSetResponse,
  });
  if (metafieldsSet.userErrors.length > 0) {
    throw new MetafieldsRefused(joinMessages(metafieldsSet.userErrors), {
      shop: client.shop,
      operation: "ParasolSetAppData",
      requestId: null,
    });
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
