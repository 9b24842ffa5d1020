/**
 * Applies a change of the sale to the shop: it starts, stops, or has new rules (app/merchants/merchant.ts). The
 * storefront's settings stop every offer at once. A catalogue run then unpublishes the plan products, or publishes
 * them at current prices, and withholds the references that the sale rule refuses.
 */
import type { Actor } from "#app/audit/actor.ts";
import { disconnect } from "#app/merchants/connection.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { pauseSelling, resumeSelling, readSellingStop } from "#app/merchants/selling.server.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import { environmentToSync } from "#app/merchants/environment.server.ts";
import { isSaleRuleOutOfStep } from "#app/catalogue/references/references.server.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";
import { listRecordedProducts } from "#app/catalogue/sync/synced-products.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { AdminRefused, AdminUnavailable } from "#app/shopify/errors.ts";
import { publishCheckout } from "./checkout/publish-checkout.server.ts";
import { publishStorefrontSettings } from "./storefront-settings.server.ts";

/** The job. @throws AdminRefused, AdminUnavailable: not done, retry */
export async function applySelling(shop: string, options: { attempts?: number } = {}): Promise<void> {
  await publishStorefrontSettings(shop, options);
  await publishCheckout(shop, options);
  if (await arePlanProductsOutOfStep(shop)) await startRun(shop, "catalogue", "selling");
}

async function arePlanProductsOutOfStep(shop: string): Promise<boolean> {
  const environment = await environmentToSync(shop);
  const isSelling = (await readSellingStop(shop, environment)) === null;
  const products = (await listRecordedProducts(shop)).filter((each) => each.environment === environment);
  const isOnSale = products.some(({ status }) => status !== "DRAFT");
  if (products.length === 0) return false;
  return (
    isOnSale !== isSelling ||
    (await isCatalogueOfInstallationBefore(shop)) ||
    (isSelling && (await isSaleRuleOutOfStep(shop, environment, await readSaleRule(shop))))
  );
}

/** Whether its catalogues belong to an earlier installation of the app, which Shopify deleted with it. */
async function isCatalogueOfInstallationBefore(shop: string): Promise<boolean> {
  const settings = await db.storefrontSettings.findUnique({
    where: { shop },
    select: { installationId: true },
  });
  const current = settings?.installationId;
  if (current === null || current === undefined) return false;
  return (await db.publishedCatalogue.count({ where: { shop, installationId: { not: current } } })) > 0;
}

export async function changeSelling(shop: string, to: "paused" | "resumed", actor: Actor): Promise<void> {
  if (to === "paused") await pauseSelling(shop, actor);
  else await resumeSelling(shop, actor);
  await applyNow(shop);
}

/** Disconnects the account. If it is the account in use, its offers end too. */
export async function disconnectAccount(shop: string, environment: Environment, actor: Actor): Promise<void> {
  await disconnect(shop, environment, actor);
  await applyNow(shop);
}

/** Applies the change while the merchant waits; if Shopify does not respond, the job does it. */
async function applyNow(shop: string): Promise<void> {
  try {
    await applySelling(shop, { attempts: 2 });
  } catch (error) {
    if (!(error instanceof AdminRefused || error instanceof AdminUnavailable)) throw error;
    log.warn({ err: error, shop }, "Failed to stop or resume the sale at once; the job retries");
  }
}
