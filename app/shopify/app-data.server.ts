/**
 * The app's metafields: those of its installation, which the theme extension reads and the merchant cannot change,
 * and those on orders.
 */
import { gid } from "./gid.ts";
import { createHash } from "node:crypto";
import { log } from "#app/platform/log.server.ts";
import { AdminRefused, joinMessages, MetafieldsRefused, UserErrors } from "./errors.ts";
import { type AdminClient, createAdminClient } from "./graphql.server.ts";

/** The owner of app-data metafields. */
export async function fetchInstallationId(client: AdminClient): Promise<string> {
  const { currentAppInstallation } = await client.request(
    `#graphql
    query ParasolInstallation { currentAppInstallation { id } }`,
    { requestedCost: 1 },
  );
  return currentAppInstallation.id;
}

/** The owners of the metafields about the whole shop, as global ids. */
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

interface AppMetafield {
  namespace: string;
  key: string;
  type: "json" | "boolean";
  value: string;
}

/** A metafield with its owner, as a global id. */
interface OwnedMetafield extends AppMetafield {
  ownerId: string;
}

/** Writes up to 25 of the app's metafields in one call: all or none. @throws MetafieldsRefused */
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

/** Writes up to 25 metafields of one owner in one call: all or none. @throws MetafieldsRefused */
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

/**
 * Writes the app's metafield on an order, unless the value is unchanged. If the shop refuses it, for example for a
 * deleted order, the next change retries.
 * @param written the digest of the last written value; null: there is none
 * @returns the digest of the current value; null: there is none
 * @throws AdminUnavailable, NoAccess: not done, retry
 */
export async function writeOrderMetafield(
  shop: string,
  orderId: string,
  { key, content, written }: { key: "cover" | "quotes"; content: object; written: string | null },
): Promise<string | null> {
  const value = JSON.stringify(content);
  const digest = createHash("sha256").update(value).digest("base64url");
  if (digest === written) return null;
  try {
    // A second write of the same value after a lost response is harmless.
    const client = createAdminClient(shop, { attempts: 2, isBackground: key === "quotes" });
    await setAppMetafields(client, gid("Order", orderId), [{ namespace: "$app", key, type: "json", value }]);
    return digest;
  } catch (error) {
    if (!(error instanceof AdminRefused || error instanceof MetafieldsRefused)) throw error;
    log.warn({ err: error, shop, orderId }, `Failed to write the order's ${key}: Shopify refused`);
    return null;
  }
}
