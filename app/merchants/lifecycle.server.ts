/**
 * The end of an installation: the app is removed, and 48 hours later all data of the shop must go
 * (shopify.dev, "Privacy law compliance").
 */
import { eraseJobs } from "#app/jobs/erase.server.ts";
import { db } from "#app/platform/db.server.ts";
import { eraseShop } from "#app/platform/erase-shop.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ScopesUpdatePayload } from "#app/shopify/payloads/app.ts";
import { deleteSessionsBefore, updateSessionScopes } from "#app/shopify/sessions.server.ts";

/**
 * After `app/uninstalled`: deletes our access. Contracts that customers paid for stay on record until `shop/redact`.
 * @param at when the app was removed: the event may come late, after the shop installed the app again
 */
export async function handleAppUninstalled(shop: string, at: Date): Promise<void> {
  if (await deleteSessionsBefore(shop, at)) {
    await db.merchant.updateMany({ where: { shop }, data: { uninstalledAt: at } });
  } else {
    log.info({ shop, at }, "late app/uninstalled: the shop has installed the app again");
  }
}

/** After `app/scopes_update`: the session holds the scopes granted now; the pages say which are missing. */
export async function handleScopesUpdate(shop: string, { scopes }: ScopesUpdatePayload): Promise<void> {
  await updateSessionScopes(shop, scopes);
}

/** After `shop/redact`: erases everything of the shop, unless it has installed the app again meanwhile. */
export async function handleShopRedact(shop: string): Promise<void> {
  const merchant = await db.merchant.findUnique({ where: { shop } });
  if (merchant && merchant.uninstalledAt === null) {
    log.warn({ shop }, "shop/redact for a shop that has the app: nothing erased");
    return;
  }
  const jobs = await eraseJobs(shop);
  log.info({ shop, jobs, deleted: await eraseShop(shop) }, "shop data erased");
}
