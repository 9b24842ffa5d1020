/**
 * The end of an installation: the app is removed, and 48 hours later all data of the shop must go
 * (shopify.dev, "Privacy law compliance").
 */
import { z } from "zod";
import { eraseJobs } from "#app/jobs/erase.server.ts";
import { db } from "#app/platform/db.server.ts";
import { eraseShop } from "#app/platform/erase-shop.server.ts";
import { log } from "#app/platform/log.server.ts";
import { deleteSessionsBefore, updateSessionScopes } from "#app/shopify/sessions.server.ts";

/**
 * After `app/uninstalled`: our access is gone. Contracts that customers paid for stay on record until `shop/redact`.
 * @param at when the app was removed: the event may come late, after the shop installed the app again
 */
export async function handleAppUninstalled(shop: string, at: Date): Promise<void> {
  if (await deleteSessionsBefore(shop, at)) {
    await db.merchant.updateMany({ where: { shop }, data: { uninstalledAt: at } });
  } else {
    log.info({ shop, at }, "a late app/uninstalled: the shop has the app again");
  }
}

const scopesUpdate = z.object({ current: z.array(z.string()) });

/** After `app/scopes_update`: the session knows what the merchant has granted now; the pages say what is missing. */
export async function handleScopesUpdate(shop: string, body: string): Promise<void> {
  const { current } = scopesUpdate.parse(JSON.parse(body));
  await updateSessionScopes(shop, current);
}

/** After `shop/redact`: nothing of the shop remains. A shop that installed the app again meanwhile keeps its data. */
export async function handleShopRedact(shop: string): Promise<void> {
  const merchant = await db.merchant.findUnique({ where: { shop } });
  if (merchant && merchant.uninstalledAt === null) {
    log.warn({ shop }, "shop/redact for a shop that has the app: nothing deleted");
    return;
  }
  const jobs = await eraseJobs(shop);
  log.info({ shop, jobs, deleted: await eraseShop(shop) }, "the shop's data is deleted");
}
