/** App-data metafields: owned by the app's installation, read by the theme extension, out of the merchant's reach. */
import { z } from "zod";
import { MetafieldsRefused } from "./errors.ts";
import { numericId } from "./gid.ts";
import { joinMessages, userErrors } from "./graphql.server.ts";
import type { AdminClient } from "./graphql.server.ts";
import { queryOrNull } from "./query-or-null.server.ts";

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

export interface AppMetafield {
  namespace: string;
  key: string;
  type: "json" | "boolean";
  value: string;
}

/** Writes up to 25 app-data metafields at once: all or none. @throws MetafieldsRefused */
export async function setAppMetafields(
  client: AdminClient,
  ownerId: string,
  metafields: readonly AppMetafield[],
): Promise<void> {
  const { metafieldsSet } = await client.request({
    query: `#graphql
    mutation ParasolSetAppData($metafields: [MetafieldsSetInput!]!) {
      metafieldsSet(metafields: $metafields) { userErrors { field message code } }
    }`,
    variables: { metafields: metafields.map((metafield) => ({ ownerId, ...metafield })) },
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

const app = z.object({
  currentAppInstallation: z.object({
    app: z.object({ id: z.string().regex(/^gid:\/\/shopify\/App\/\d+$/) }),
  }),
});

/**
 * The namespace of the app's own metafields as others know it, `app--123456`; `$app` is for the app alone. Null: the
 * platform cannot be asked now.
 */
export async function readAppNamespace(shop: string): Promise<string | null> {
  const found = await queryOrNull(shop, "the app's id", {
    query: `#graphql
    query ParasolApp { currentAppInstallation { app { id } } }`,
    schema: app,
  });
  return found && `app--${numericId(found.currentAppInstallation.app.id)}`;
}
