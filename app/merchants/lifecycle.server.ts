/** What the platform says of the app's installation. */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isInstalled } from "#app/shopify/access.server.ts";
import { NoAccess } from "#app/shopify/errors.ts";
import { deleteSessionsBefore } from "#app/shopify/sessions.server.ts";
import { checkOptionalScopes } from "./optional-scopes.server.ts";

/**
 * After `app/uninstalled`: deletes the app's access tokens, once the platform confirms that they are revoked. Contracts
 * that customers paid for stay on record until the shop is erased (app/compliance/shop-erasure.server.ts).
 * @param at when the app was removed: the event may come late, after the shop installed the app again
 * @throws AdminUnavailable where the platform does not respond
 */
export async function handleAppUninstalled(shop: string, at: Date): Promise<void> {
  if (await isInstalled(shop)) {
    log.warn(
      { shop, at },
      "Refused app/uninstalled: the shop's access token still works, so nothing is deleted",
    );
    return;
  }
  if (await deleteSessionsBefore(shop, at)) {
    await db.merchant.updateMany({
      where: { shop },
      data: { uninstalledAt: at, canFulfil: false, canWriteOrders: false, canWriteDrafts: false },
    });
    await recordAudit({ shop, actor: system("app/uninstalled"), action: "app_removed" });
  } else {
    log.info({ shop, at }, "Skipped a late app/uninstalled: the shop has installed the app again");
  }
}

/**
 * After `app/scopes_update`: the session holds the scopes granted now; the pages say which are missing. The platform is
 * queried for them: the event's body names no shop, so the signature also fits an event of another shop, or an old one.
 * @throws AdminUnavailable where the platform does not respond
 */
export async function handleScopesUpdate(shop: string): Promise<void> {
  try {
    await checkOptionalScopes(shop);
  } catch (error) {
    // Removed meanwhile.
    if (!(error instanceof NoAccess)) throw error;
  }
}
