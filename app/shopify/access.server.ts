/**
 * Whether the app is installed in a shop, as the platform itself answers. A webhook's signature does not cover the shop
 * in its header: before anything is deleted for a webhook, this is checked.
 */
import { refreshIsRefused } from "./admin.server.ts";
import { NoAccess } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";

/**
 * True where the shop's access token works; false where there is none, or the platform does not accept it any more.
 * @throws AdminUnavailable and other errors that leave it open: try again later
 */
export async function isInstalled(shop: string): Promise<boolean> {
  try {
    await createAdminClient(shop, { attempts: 3 }).request(
      `#graphql
      query ParasolInstalled { shop { id } }`,
      {},
    );
    return true;
  } catch (error) {
    if (error instanceof NoAccess) return false;
    // The library says the same of every refresh of an expired token that fails.
    if (error instanceof Response && (await refreshIsRefused(shop))) return false;
    throw error;
  }
}
